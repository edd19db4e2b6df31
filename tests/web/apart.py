"""Coroutines that a test runs to their end, apart from the loop that the browser of another has in its thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def apart(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
