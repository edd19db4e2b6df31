"""What owners sent to be taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.uploads import Upload


def upload_document(upload: Upload) -> dict[str, Any]:
    """An archive that was sent, with the report of its check as far as it is."""
    return {
        "id": upload.id,
        "owner": upload.owner,
        "at": upload.at.isoformat(),
        "state": upload.state.value,
        "bot": upload.name or None,
        "version": upload.version or None,
        "digest": upload.digest.hex() if upload.digest is not None else None,
        "reason": upload.reason,
        "steps": [dict(step) for step in upload.steps],
    }
