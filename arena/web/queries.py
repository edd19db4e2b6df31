"""What stands in an address: types of it, whether it leads away from here, and that it is wrong."""

from __future__ import annotations

from typing import Annotated, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BeforeValidator

T = TypeVar("T")

OrBlank = Annotated[T | None, BeforeValidator(lambda value: None if value == "" else value)]
"""A value, or None where a form left its field empty. Bounds go inside: `OrBlank[Annotated[int, Field(ge=1)]]`."""


def is_ours(address: str) -> bool:
    """Whether it is a path here: browsers read `//host`, a backslash, and controls within as another host."""
    return address.startswith("/") and address[1:2] not in ("/", "\\") and address.isprintable()


def wrong(name: str, why: str) -> RequestValidationError:
    """What tells that a parameter of the query is wrong, as the framework's own checks do."""
    return RequestValidationError([{"type": "value_error", "loc": ("query", name), "msg": why}])
