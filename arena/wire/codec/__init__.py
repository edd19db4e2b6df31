"""Questions, answers and records as bytes and back; no connection, no clock.

May import what `arena.wire` may. Requests are put together from prepared bytes (`requests.py`), replies are read with
all the tolerance a stranger's program needs (`replies.py`), records have canonical bytes (`records.py`), and people
read turns as JSON (`turn_json.py`); `fields.py` is the little of protobuf's encoding that this takes.
"""

from arena.wire.codec.fields import Undecodable
from arena.wire.codec.records import (
    EncodedRecord,
    conclude_request,
    decode_record,
    encode_record,
    match_digest,
    pack_record,
    play_digest,
    read_ending,
    unpack_record,
)
from arena.wire.codec.replies import decode_turn, decode_turns
from arena.wire.codec.requests import TableEncoder, add_legal_discards, encode_turns
from arena.wire.codec.turn_json import read_turns, turns_json

__all__ = [
    "EncodedRecord",
    "TableEncoder",
    "Undecodable",
    "add_legal_discards",
    "conclude_request",
    "decode_record",
    "decode_turn",
    "decode_turns",
    "encode_record",
    "encode_turns",
    "match_digest",
    "pack_record",
    "play_digest",
    "read_ending",
    "read_turns",
    "turns_json",
    "unpack_record",
]
