"""Taking in what owners send: a short queue, one bot at a time examined in a process of its own and in the sandbox.

While an upload waits or is examined its archive lies in a private temporary file; afterwards only a bot that was taken
in is kept, and the report of its check, for its owner.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from secrets import token_urlsafe
from threading import Condition, Thread
from typing import BinaryIO, NamedTuple

from arena.bots.archive import MAX_PACKED
from arena.bots.orphans import new_folder
from arena.fleet.examination import Examination, ExaminationError, Said
from arena.fleet.frames import Frame
from arena.rating.notes import Note
from arena.store.audit import Doer
from arena.store.errors import StoreError
from arena.store.roles import UploadState
from arena.store.uploads import Upload, Uploads
from arena.web.admitting import decided, keep, refusal
from arena.web.database import Database
from arena.web.rates import Allowance

LOG = logging.getLogger(__name__)

MOST_WAITING = 10
"""So many archives wait at most, of all owners together."""

MOST_OF_OWNER = 2
"""So many of one owner may wait or be examined at a time."""

MOST_OFTEN = 30
OFTEN_EVERY_S = 1800.0
"""So many an owner may send at once, and then one in so many seconds, since whatever is taken in is kept."""

ID_BYTES = 12

ENDED = Note("", "the server ended meanwhile").text


class Busy(Enum):
    """Why there is no room for another archive; the values are for programs."""

    QUEUE = "too many bots wait for their check: try again in some minutes"
    OWN = "your last bots are still being checked: wait for them"
    OFTEN = "you have sent very many bots: try again in an hour"
    DISK = "there is no room for it on the disk of the server: tell whoever runs it"


class BusyError(Exception):
    """There is no room for another archive now."""

    def __init__(self, busy: Busy) -> None:
        super().__init__(busy.value)
        self.busy = busy

    @property
    def own(self) -> bool:
        """Whether it is for what the same owner has sent before."""
        return self.busy in (Busy.OWN, Busy.OFTEN)


class TooLargeError(Exception):
    """More was sent than a bot may have."""


class _Waiting(NamedTuple):
    upload: Upload
    doer: Doer
    archive: Path


class Intake:
    """The queue. It has one thread, which lives from the first archive until `close`; all may be used by many."""

    def __init__(self, database: Database, examine: Callable[[Path, str], Examination] = Examination) -> None:
        self._database = database
        self._examine = examine
        self._changed = Condition()
        self._allowance = Allowance(MOST_OFTEN, OFTEN_EVERY_S)
        self._arriving: list[str] = []
        self._waiting: deque[_Waiting] = deque()
        self._now: _Waiting | None = None
        self._examination: Examination | None = None
        self._thread: Thread | None = None
        self._folder: Path | None = None
        self._claim = -1
        self._closed = False

    def take(self, doer: Doer, data: BinaryIO) -> Upload:
        """Read an archive and let it wait for its examination; raises BusyError and TooLargeError."""
        upload = Upload(token_urlsafe(ID_BYTES), doer.owner, datetime.now(UTC))
        with self._arriving_from(doer.owner) as folder:
            archive = folder / upload.id
            try:
                _spool(data, archive)
                with self._database.writing() as store:
                    Uploads(store).add(upload)
                self._enqueue(_Waiting(upload, doer, archive))
            except OSError as error:
                archive.unlink(missing_ok=True)
                raise BusyError(Busy.DISK) from error
            except BaseException:
                archive.unlink(missing_ok=True)
                raise
        return upload

    def find(self, number: str, owner: str) -> Upload | None:
        """The upload of this owner with this id, as it stands at this moment; one that is nowhere any more is lost."""
        with self._changed:  # first here: whatever has just ended is in the database by now
            known = (one.upload for one in (self._now, *self._waiting) if one is not None)
            found = next((one for one in known if (one.id, one.owner) == (number, owner)), None)
        if found is not None:
            return found
        stored = self._database.results().uploads.find(number, owner)
        if stored is None or not stored.is_open:
            return stored
        return stored._replace(state=UploadState.BROKEN_OFF, reason=ENDED)

    def of(self, owner: str) -> list[Upload]:
        """All uploads of an owner as they stand at this moment, the latest first."""
        stored = self._database.results().uploads.of(owner)
        return [self.find(one.id, owner) or one if one.is_open else one for one in stored]

    def ahead(self, upload: Upload) -> int:
        """How many are examined before this one."""
        with self._changed:
            waiting = [one.upload.id for one in self._waiting]
            return waiting.index(upload.id) + (self._now is not None) if upload.id in waiting else 0

    def close(self) -> None:
        """End the examination in the middle, and forget all archives; it is not taken up again."""
        with self._changed:
            self._closed = True
            if self._examination is not None:
                self._examination.kill()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            os.close(self._claim)
            self._folder = None

    @contextmanager
    def _arriving_from(self, owner: str) -> Iterator[Path]:
        """Keep a place free while an archive of this owner arrives; yields the folder for it."""
        with self._changed:
            inside = [one.doer.owner for one in (self._now, *self._waiting) if one is not None] + self._arriving
            if self._closed or len(self._waiting) + len(self._arriving) >= MOST_WAITING:
                raise BusyError(Busy.QUEUE)
            if inside.count(owner) >= MOST_OF_OWNER:
                raise BusyError(Busy.OWN)
            if self._allowance.take(owner):
                raise BusyError(Busy.OFTEN)
            if self._folder is None:  # should nobody live to remove it, the next arena does
                self._folder, self._claim = new_folder(Path(tempfile.gettempdir()))
            self._arriving.append(owner)
        try:
            yield self._folder
        finally:
            with self._changed:
                self._arriving.remove(owner)

    def _enqueue(self, waiting: _Waiting) -> None:
        with self._changed:
            self._waiting.append(waiting)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="intake", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _work(self) -> None:
        while (waiting := self._next()) is not None:
            try:
                ended = self._examined(waiting)
            except Exception as error:
                if not isinstance(error, ExaminationError | StoreError | OSError):
                    LOG.exception("a mistake of ours while a bot was taken in")
                ended = self._current()._replace(
                    state=UploadState.BROKEN_OFF, reason=ENDED if self._closed else str(error)
                )
            waiting.archive.unlink(missing_ok=True)
            with suppress(StoreError):
                keep(self._database, ended, waiting.doer)
            with self._changed:
                self._now = None

    def _next(self) -> _Waiting | None:
        """The one that waited longest; None when nothing more is to be done."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            self._now = self._waiting.popleft()
        self._change(state=UploadState.CHECKING)
        return self._now

    def _examined(self, waiting: _Waiting) -> Upload:
        """Examine an archive, and store its bot when nothing keeps it out; returns what became of it."""
        package, owner = b"", waiting.doer.owner
        with self._examining(waiting.archive, owner) as frames:
            for head, blob in frames:
                said = head["said"]
                if said == Said.REFUSED:
                    return self._current()._replace(state=UploadState.REFUSED, reason=head["reason"])
                if said == Said.BOT:
                    package = blob
                    self._change(name=head["name"], version=head["version"], digest=bytes.fromhex(head["id"]))
                    if refused := refusal(self._database, self._current()):
                        return self._current()._replace(state=UploadState.REFUSED, reason=refused)
                if said == Said.STEP:
                    step = {name: value for name, value in head.items() if name != "said"}
                    self._change(steps=(*self._current().steps, step))
        return decided(self._database, self._current(), package, waiting.doer)

    @contextmanager
    def _examining(self, archive: Path, owner: str) -> Iterator[Iterator[Frame]]:
        with self._changed:
            if self._closed:
                raise ExaminationError(ENDED)
            self._examination = self._examine(archive, owner)
        with self._examination as examination:
            yield examination.frames()

    def _current(self) -> Upload:
        assert self._now is not None
        return self._now.upload

    def _change(self, **changes: object) -> None:
        """Let everybody see what is known by now of the one that is examined."""
        with self._changed:
            assert self._now is not None
            upload: Upload = self._now.upload._replace(**changes)  # type: ignore[arg-type]
            self._now = self._now._replace(upload=upload)


def _spool(data: BinaryIO, archive: Path) -> None:
    """Write what was sent into a file, as far as it may be."""
    with archive.open("xb") as file:
        shutil.copyfileobj(_Bounded(data), file)


class _Bounded:
    """A stream that may not be longer than an archive."""

    def __init__(self, data: BinaryIO) -> None:
        self._data = data
        self._left = MAX_PACKED

    def read(self, size: int = -1) -> bytes:
        chunk = self._data.read(size)
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError
        return chunk
