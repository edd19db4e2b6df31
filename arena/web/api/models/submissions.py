"""Archives that were sent to be taken in, and the reports of their checks."""

from __future__ import annotations

from pydantic import Field

from arena.bots.conformance import Step
from arena.store.roles import UploadState
from arena.web.api.models.common import BotName, Digest, Document, Moment, Version


class Finding(Document):
    """Something that is wrong with a bot."""

    error: bool = Field(description="Else it is a warning.")
    what: str
    expected: str
    said: list[str] = Field(description="What the bot had printed last, line by line.")


class StepReport(Document):
    """What came of a step of the check."""

    step: Step
    summary: str
    figures: dict[str, float | int | str | bool | None] = Field(description="By name, with the unit in it.")
    findings: list[Finding]


class Submission(Document):
    """An archive that was sent, and what became of it."""

    id: str = Field(examples=["k3Jv9QmW2xYbT7aL"])
    owner: str
    at: Moment
    state: UploadState = Field(description="It is over when this is neither `waiting` nor `checking`.")
    bot: BotName | None = Field(description="Null while it is unknown.")
    version: Version | None = Field(description="Once it is taken in, the one under which it plays.")
    digest: Digest | None
    reason: str = Field(description="Why it was not taken in.")
    steps: list[StepReport]


class Submissions(Document):
    """The last archives of an owner, the latest first."""

    items: list[Submission]
