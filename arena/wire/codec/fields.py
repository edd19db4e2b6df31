"""Protobuf's encoding as far as it is written by hand: a field is a tag and a value, and the concatenation of two
encoded parts of a message is the encoded whole. Numbers of fields come from the generated descriptors.

https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

EnumT = TypeVar("EnumT", bound=Enum)


class Undecodable(ValueError):  # noqa: N818 - named for what the bytes are
    """Bytes that are not what they should be; the message says what was expected and what is wrong."""


BYTE = tuple(bytes((value,)) for value in range(256))

TO_WIRE = bytes((card + 1) % 256 for card in range(256))
"""For `bytes.translate`: from the arena's cards (0 is the ace of clubs) to the numbers of the wire's `Card`."""

NO_CARD = 255

FROM_WIRE = bytes((NO_CARD, *range(104), *[NO_CARD] * 151))
"""The inverse of `TO_WIRE`: 1..104 become cards, all that names no card becomes NO_CARD."""

_FIXED64 = (FieldDescriptor.TYPE_FIXED64,)
_DELIMITED = (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_STRING)


def tag(message: type[Message], field: str) -> bytes:
    """What stands before a value of this field; repeated numbers are taken as packed."""
    descriptor = message.DESCRIPTOR.fields_by_name[field]
    if descriptor.type in _DELIMITED or descriptor.is_repeated:
        wire_type = 2
    else:
        wire_type = 1 if descriptor.type in _FIXED64 else 0
    return varint(descriptor.number << 3 | wire_type)


VARINTS = (*BYTE[:128], *(bytes((number & 127 | 128, number >> 7)) for number in range(128, 1 << 14)))
"""The `varint`s of one and two bytes: turns, limits, banks and lengths hardly need others."""


def varint(number: int) -> bytes:
    """A whole number, not negative, seven bits a byte, the lowest first."""
    if number < len(VARINTS):
        return VARINTS[number]
    return BYTE[number & 127 | 128] + varint(number >> 7)


def delimited(prefix: bytes, value: bytes) -> bytes:
    """A field whose value is bytes, text, a packed list or a message: tag, length, value."""
    return prefix + varint(len(value)) + value


def enum_numbers(members: type[EnumT], wire: Any, prefix: str) -> dict[EnumT, Any]:
    """The numbers on the wire of a Python enum's members; in the generated enum `wire` each name has the prefix."""
    return {member: wire.Value(prefix + member.name) for member in members}
