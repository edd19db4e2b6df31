"""What all documents are made of."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Item = TypeVar("Item")


class Document(BaseModel):
    """A JSON object with these keys and no others; every number is finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Listing(Document, Generic[Item]):
    """A part of a listing."""

    items: list[Item]
    next: str | None = Field(description="The `cursor` of the next part; null in the last one.")


Digest = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="32 bytes as hexadecimal digits.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ),
]

Moment = Annotated[
    str, Field(json_schema_extra={"format": "date-time"}, examples=["2026-11-30T07:30:00+00:00"], description="In UTC.")
]

Count = Annotated[int, Field(ge=0)]

Fraction = Annotated[float, Field(ge=0, le=1)]

TournamentId = Annotated[str, Field(description="The id of a tournament.", examples=["3fb1a2c4d5e6"])]

BotName = Annotated[str, Field(description="The name of a bot, as its author wrote it.", examples=["greedy"])]

Version = Annotated[str, Field(description="The version of a bot.", examples=["1.0"])]

MatchId = Annotated[
    str,
    Field(
        description="The address of a match: `TOURNAMENT/BLOCK/ROTATION`.",
        examples=["3fb1a2c4d5e6/8a0a8d6033e905abdf098f031a3408581a0eab8da4c48250ceddcd7845c6d5f2/0"],
    ),
]


class WrongInput(Document):
    """One thing that is wrong with what was asked."""

    where: str = Field(description="`query`, `path`, `header` or `body`.", examples=["query"])
    name: str = Field(description="What it is called there.", examples=["limit"])
    detail: str = Field(examples=["it must be at most 200"])


class Problem(Document):
    """Why something could not be answered (RFC 9457)."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(ge=400, le=599, examples=[404])
    detail: str = Field(description="What is wrong, and what to do.")
    instance: str = Field(
        description="Names this very answer; the server's log has the same.",
        examples=["urn:uuid:0b9c6a3e-5f53-4a57-9c53-1d1b3a3b9b3f"],
    )
    errors: list[WrongInput] | None = Field(default=None, description="With 422: each thing that is wrong.")
