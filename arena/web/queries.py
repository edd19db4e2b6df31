"""Types of what stands in an address."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BeforeValidator

T = TypeVar("T")

OrBlank = Annotated[T | None, BeforeValidator(lambda value: None if value == "" else value)]
"""A value, or None where a form left its field empty."""
