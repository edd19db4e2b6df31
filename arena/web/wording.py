"""What is wrong with a value of a request, in our words: the library that checks it has its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PLAIN: Mapping[str, str] = {
    "missing": "it is missing",
    "extra_forbidden": "it is not known here",
    "too_long": "at most {max_length} may be given, not {actual_length}",
    "string_too_long": "it may have at most {max_length} characters",
    "string_pattern_mismatch": "it does not have the form {pattern}",
    "int_parsing": "it must be a whole number",
    "int_parsing_size": "it has too many digits",
    "int_from_float": "it must be a whole number",
    "bool_parsing": "it must be true or false",
    "literal_error": "it must be {expected}",
    "enum": "it must be {expected}",
    "multiple_of": "it must be a multiple of {multiple_of}",
    "greater_than": "it must be more than {gt}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than": "it must be less than {lt}",
    "less_than_equal": "it must be at most {le}",
}
"""By the kinds of https://docs.pydantic.dev/latest/errors/validation_errors/, with what such an error has at hand."""


def plain_words(error: Mapping[str, Any]) -> str:
    """What an error of a validation says, as a part of a sentence that begins with the name of the value."""
    words = PLAIN.get(error["type"])
    return str(error["msg"]) if words is None else words.format(**error.get("ctx", {}))
