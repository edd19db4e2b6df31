"""Playing a stored tournament from the command line: the workers and the progress."""

from __future__ import annotations

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from arena.cli.live import Live
from arena.cli.output import error_console, plain
from arena.cli.stopping import ignore_stops
from arena.fleet.campaign import Campaign, CampaignReport, Planned
from arena.fleet.engine import Outcome, SlotSetup
from arena.fleet.engine import Progress as SignOfLife
from arena.fleet.local import LocalEngine
from arena.fleet.setups import usable_cores
from arena.tournament.planning import grows, matches_a_block
from arena.tournament.ports import Ledger, Tournament

MATCHES_A_CHAIR = 25
"""A worker pays when it plays so many matches for each chair: to start the chair's process takes about as long."""


def default_workers(tournament: Tournament, blocks: int) -> int:
    """How many workers play what is left: one a core, but fewer when they would rather start processes than play."""
    cores = len(usable_cores())
    if grows(tournament):  # nobody knows how much there will be
        return cores
    chairs = len(tournament.entries) * tournament.seats
    return max(1, min(cores, blocks * matches_a_block(tournament) // (MATCHES_A_CHAIR * chairs)))


class _Rate(ProgressColumn):
    """Matches a second."""

    def render(self, task: Task) -> Text:
        """The rate, or nothing before there is one."""
        return Text(f"{task.speed:.0f}/s" if task.speed else "")


class Watcher:
    """Shows how a campaign goes on, on standard error: a bar on a terminal, a line a round elsewhere, nothing when
    quiet."""

    def __init__(self, blocks: int, tournament: Tournament, live: Live, *, quiet: bool) -> None:
        """`blocks` are to be played for all that is known now; `live` says how it stands."""
        self._name = tournament.id
        self._console = error_console()
        self._matches_a_block = matches_a_block(tournament)
        self._live = live
        self._quiet = quiet
        self._shown = self._console.is_terminal and not quiet
        self._done = 0.0
        self._total = blocks * self._matches_a_block
        self.progress = Progress(
            TextColumn("playing"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("matches"),
            _Rate(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[live]}"),
            console=self._console,
            disable=not self._shown,
            transient=True,
        )
        self._task = self.progress.add_task("playing", total=self._total, live=live.words())

    def begin(self) -> None:
        """Say which tournament is played from now on, by nobody else."""
        if not self._quiet:
            self._console.print(plain(f"Playing tournament {self._name}."))

    def __call__(self, came: Outcome | SignOfLife | Planned) -> None:
        """Count what came: matches as they end, those of a void block back again, and new rounds."""
        if isinstance(came, Planned):
            self._total += came.blocks * self._matches_a_block
            if not self._quiet and not self._shown:
                self._console.print(plain(self._live.line()), soft_wrap=True)
        elif isinstance(came, SignOfLife):
            self._done = min(self._total, self._done + came.matches)
        elif came.result is not None:
            self._live.hear(came.result)
        else:
            self._done = max(0, self._done - self._matches_a_block)
            if not self._quiet and came.unstartable is None:  # a bot that cannot start is named once, at the end
                self.progress.console.print(plain(f"block {came.block_id.hex()[:8]} is void: {came.reason}"))
        if self._shown:
            self.progress.update(self._task, completed=self._done, total=self._total, live=self._live.words())


def play(tournament: Tournament, ledger: Ledger, engine_setups: list[SlotSetup], watcher: Watcher) -> CampaignReport:
    """Play what the ledger holds to do, with a local worker for each setup; nothing of it runs afterwards."""
    engine = LocalEngine(engine_setups)
    try:
        with watcher.progress:
            workers, tables = len(engine_setups), engine_setups[0].tables
            return Campaign(
                tournament, ledger, engine, workers=workers, tables=tables, watch=watcher, leads=watcher.begin
            ).run()
    except KeyboardInterrupt:
        ignore_stops()  # an impatient second Ctrl-C must leave nothing running
        raise
    finally:
        engine.close()
