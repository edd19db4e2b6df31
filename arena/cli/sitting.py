"""A person at a table in the terminal: shows what its seat may know, and asks it for its moves line by line."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from io import TextIOWrapper

from rich.text import Text

from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import load_manifest
from arena.bots.remote import Access
from arena.cli.choosing import Bot
from arena.cli.moves import Offer, Unclear, offer, read_move
from arena.cli.output import console, count
from arena.cli.render import Scene, match_end
from arena.cli.seat_view import SeatView, seat_scene
from arena.cli.submitted import source
from arena.fleet.live_match import LiveMatch, Over, YourTurn
from arena.game.errors import IllegalAction
from arena.game.events import MatchEnded
from arena.game.variant import Variant
from arena.game.view import Observation, public_view
from arena.match.limits import Limits
from arena.match.playback import play_back
from arena.match.record import PERSON, MatchRecord
from arena.tournament.blocks import commitment
from arena.tournament.labels import harmless

YOU = "you"
PROMPT = "> "

ECHOED = 60
"""So many signs of what came through a pipe are shown."""

HINTS = 3
"""So many actions are told in a hint."""

HELP = """What you throw, then what you take, by number or by name:
  1 2             the first that you may throw, and the second that you may take
  7s 7h closed    the cards 7s and 7h, and a card from the closed deck
  7s 9c           the card 7s, and the open card 9c
Or one of these:
  declare         ends the deal: all hands are shown; not on your first turn
  hint            what the reference of `arena explain` would do, from what you can know
  quit            leaves the table
Enter alone shows your turn again. `arena rules show` has the rules."""


class Left(Exception):  # noqa: N818
    """The person does not want to go on."""


def sit_down(bots: Sequence[Bot], seat: int, variant: Variant, seed: bytes, launcher: Launcher) -> None:
    """Play a match of the person in this seat against the bots in the others, until it ends or the person leaves.

    Raises what `submitted.source` raises, and StartError.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is a mistake to be told, as any other
    names = [bot.name for bot in bots]
    if len({*names, YOU}) <= len(names):
        names = [bot.label for bot in bots]
    opponents = ", ".join(names)
    names.insert(seat, YOU)
    digests = [bot.digest for bot in bots]
    digests.insert(seat, PERSON)
    limits = Limits()
    found = {bot.digest: _found(bot, launcher) for bot in bots}
    table = Terminal(seat_scene(names, seat, limits), seat, seed)
    table.say(f"You sit in seat {seat}, against {harmless(opponents)}. Nothing of this is stored or rated.")
    table.say(f"Commitment: {commitment(seed).hex()}")
    table.say("Type ? at your turn for help.")
    with LiveMatch(digests, found, launcher, variant, limits, seed) as live:
        try:
            table.show_end(table.play(live))
        except Left:
            table.say("\nYou left the table.")
    table.say(f"Seed: {seed.hex()}")
    table.say("Its SHA-256 is the commitment above. With the same seats and rules --seed deals the same cards.")


def _found(bot: Bot, launcher: Launcher) -> PreparedBot | Access:
    place = source(bot, launcher)
    return place if isinstance(place, Access) else PreparedBot(load_manifest(place), bot.digest, place)


class Terminal:
    """What is shown and what is typed."""

    def __init__(self, scene: Scene, seat: int, seed: bytes) -> None:
        """Hints follow from the `seed`, 32 bytes, as all chance of the match does."""
        self._seed = seed
        self._out = console()
        self._scene = scene
        self._view = SeatView(scene, seat)

    def say(self, text: str) -> None:
        """A line, which the terminal wraps."""
        self._out.print(Text(text))

    def play(self, live: LiveMatch) -> MatchRecord:
        """Play to the end; raises Left."""
        while not isinstance(moment := live.next(), Over):
            self._print(self._view.news(moment.seen.public))
            if isinstance(moment, YourTurn):
                self._act(live, moment.seen)
        return moment.record

    def show_end(self, record: MatchRecord) -> None:
        """The last deal and the places, with the faults of the bots."""
        *_, last = play_back(record)
        assert isinstance(last.event, MatchEnded)
        self._print(self._view.final(public_view(last.state)))
        self._print(match_end(self._scene, last.event, last.state))
        faults = Counter((turn.seat, turn.fault.kind.value) for turn in record.turns() if turn.fault)
        for (seat, kind), times in sorted(faults.items()):
            self.say(f"{self._scene.labels[seat]}: {count(times, 'fault')} ({kind}), where the arena played for it")
        self.say("")

    def _act(self, live: LiveMatch, seen: Observation) -> None:
        """Ask until there is a move that the rules allow."""
        offered = offer(seen)
        self._print(self._view.turn(seen, offered))
        while True:
            text = self._read()
            try:
                if self._is_answered(text, seen, offered):
                    continue
                live.act(read_move(text, offered))
            except Unclear as error:
                self.say(str(error))
            except IllegalAction as error:
                self.say(f"{error.reason.value}: {error}")
            else:
                return

    def _is_answered(self, text: str, seen: Observation, offered: Offer) -> bool:
        """Do what was typed if it is no move; raises Left."""
        match text.lower():
            case "":
                self._print(self._view.turn(seen, offered))
            case "?" | "help":
                self.say(HELP)
            case "hint":
                self._hint(seen)
            case "quit" | "q":
                raise Left
            case _:
                return False
        return True

    def _hint(self, seen: Observation) -> None:
        """The best actions as the reference sees them, the same whenever it is asked on this turn."""
        from arena.cli.explain_report import options_table
        from arena.match.explaining import hint

        self._out.print(options_table(hint(seen, self._seed), HINTS, mark=""))

    def _read(self) -> str:
        """The next line that was typed; raises Left at the end of all input."""
        self._out.print(PROMPT, end="")
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise Left
        text = line.strip()
        if not sys.stdin.isatty():
            self.say(harmless(text[:ECHOED]))  # a terminal shows itself what is typed
        return text

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._out.print(line, soft_wrap=True)
