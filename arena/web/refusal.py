"""Why something is not shown or done, in the language of whoever asked."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import HTTPException

from arena.rating.notes import Note


class Refusal(HTTPException):
    """An answer with this status and a sentence, a template with its values; programs are told it in English."""

    def __init__(self, status: int, text: str, /, headers: Mapping[str, str] | None = None, **values: object) -> None:
        self.note = Note("", text, values)
        super().__init__(status, self.note.told(), headers)
