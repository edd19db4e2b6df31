"""Whether a bot keeps to the contract: fixed turns that every bot can be asked, and what its answers are worth.

May import what `arena.bots` may, and the kit for bots, which reads questions. Start at `checking` (the steps in their
order), then `corners` (the fixed turns, as data) and `steps` (what is looked for); `findings` is what comes out.
"""

from arena.bots.conformance import measures
from arena.bots.conformance.checking import Check
from arena.bots.conformance.corners import fixed_turns
from arena.bots.conformance.findings import Finding, Step, StepReport, document
from arena.bots.conformance.judging import judge
from arena.bots.conformance.reading import ImpossibleTurn, read_question
from arena.bots.conformance.turns import FixedTurn

__all__ = [
    "Check",
    "Finding",
    "FixedTurn",
    "ImpossibleTurn",
    "Step",
    "StepReport",
    "document",
    "fixed_turns",
    "judge",
    "measures",
    "read_question",
]
