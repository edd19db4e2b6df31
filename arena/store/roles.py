"""What the bearer of a token may be, and what is written down of what they do."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What the bearer of a token may do; an organiser may do all that an author may."""

    AUTHOR = "author"
    ORGANISER = "organiser"

    def covers(self, needed: Role) -> bool:
        """Whether this role may do what `needed` may."""
        return self is needed or self is Role.ORGANISER


class Deed(StrEnum):
    """What is written into the log of who did what."""

    CREATED = "token created"
    REVOKED = "token revoked"
    SIGNED_IN = "signed in"
    SIGNED_OUT = "signed out"
    SIGN_IN_REFUSED = "sign-in refused"
    SUBMITTED = "submitted"
    SUBMISSION_REFUSED = "submission refused"
    RETIRED = "retired"
    RESTORED = "restored"
    TOURNAMENT_STARTED = "tournament started"
    TOURNAMENT_STOPPED = "tournament stopped"
    TOURNAMENT_RESUMED = "tournament resumed"
    TOURNAMENT_FINISHED = "tournament finished"


class UploadState(StrEnum):
    """What became of an archive that was sent: it waits, is being checked, was taken in as a submission, was refused,
    or nobody knows, since its check was broken off through no fault of its own."""

    WAITING = "waiting"
    CHECKING = "checking"
    TAKEN = "taken"
    REFUSED = "refused"
    BROKEN_OFF = "broken off"
