"""What a check tells: step after step on the terminal, or one document; and the turns that show what is wrong."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Any

from rich.text import Text

from arena.bots import conformance
from arena.bots.conformance import Finding, StepReport
from arena.cli.output import console, count, error_console, plain
from arena.settings import turns_folder
from arena.tournament.labels import SHORT, harmless
from arena.wire.codec import turns_json

MARKS = {True: Text("error", "bold red"), False: Text("warning", "yellow")}
INDENT = len("warning  ")
NAMES = len("describe  ")
LAST_LINES = 12
"""So many lines of what the bot printed are shown below a finding."""


class Told:
    """Tells of each step as it comes, and keeps what it told for the end."""

    def __init__(self, word: str, folder: Path | None, *, quiet: bool) -> None:
        """`word` is how the bot was named, `folder` where turns are written; `quiet` tells nothing meanwhile."""
        self.word = word
        self.label = word
        self.digest = b""
        self.sandbox = "none"
        self.steps: list[dict[str, Any]] = []
        self.errors = 0
        self.warnings = 0
        self._folder = folder
        self._quiet = quiet
        self._writes = True
        self._out = console()

    def meet(self, label: str, digest: bytes, sandbox: str) -> None:
        """The bot is found, and kept at this level."""
        self.label, self.digest, self.sandbox = label, digest, sandbox
        if not self._quiet:
            self._out.print(Text(f"{harmless(label)}  {digest.hex()[:SHORT]}  sandbox: {sandbox}", "bold"))

    def tell(self, report: StepReport) -> None:
        """Tell of a step, and write the turns of its findings."""
        told = conformance.document(report)
        for number, (shown, finding) in enumerate(zip(told["findings"], report.findings, strict=True), 1):
            shown["reproduce"] = self._reproduce(report, number, finding) if finding.turns else None
        self.steps.append(told)
        self.errors += sum(one.error for one in report.findings)
        self.warnings += sum(not one.error for one in report.findings)
        if self._quiet:
            return
        mark = MARKS[report.failed].copy() if report.findings else Text("ok", "green")
        mark.pad_right(INDENT - mark.cell_len)
        self._out.print(
            Text.assemble(mark, (f"{report.step.value:<{NAMES}}", "bold"), harmless(report.summary)), soft_wrap=True
        )
        for shown in told["findings"]:
            self._show(shown)

    def _show(self, finding: dict[str, Any]) -> None:
        out, indent = self._out, " " * (INDENT + NAMES)
        texts = [finding["what"], *([f"expected: {finding['expected']}"] if finding["expected"] else [])]
        for text in texts:
            for line in wrap(harmless(text), out.width - len(indent)):
                out.print(plain(indent + line), soft_wrap=True)
        if finding["reproduce"]:
            out.print(plain(f"{indent}{finding['reproduce']}"), soft_wrap=True)
        for line in finding["said"][-LAST_LINES:]:
            out.print(Text(f"{indent}  {harmless(line)}", "dim"), soft_wrap=True)

    def _reproduce(self, report: StepReport, number: int, finding: Finding) -> str | None:
        """The command that asks the turns of a finding again, once they are written; None when they cannot be."""
        name = f"{report.step.value}-{number}.json"
        folder = self._folder or turns_folder() / self.digest.hex()[:SHORT]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(turns_json([turn.request for turn in finding.turns]), encoding="utf-8")
        except OSError as error:
            if self._writes:
                said = f"turns cannot be written to {folder} ({error.strerror}): name another place with --turns"
                error_console().print(plain(said), soft_wrap=True)
            self._writes = False
            return None
        return f"arena bots ask {quote(self.word)} {quote(str(folder / name))}"


def document(told: Told, seconds: float) -> dict[str, Any]:
    """All that was told."""
    order: dict[str, Any] = next((step["figures"] for step in told.steps if step["step"] == "order"), {})
    return {
        "bot": told.word,
        "id": told.digest.hex() or None,
        "label": told.label,
        "sandbox": told.sandbox,
        "passed": not told.errors,
        "errors": told.errors,
        "warnings": told.warnings,
        "repeatable": order.get("repeatable"),
        "keeps_state": order.get("keeps_state"),
        "seconds": round(seconds, 1),
        "steps": told.steps,
    }


def verdict(told: Told, seconds: float) -> Text:
    """The last line."""
    label = harmless(told.label)
    wrong = [count(number, what) for number, what in ((told.errors, "error"), (told.warnings, "warning")) if number]
    ended = Text("did not pass", "bold red") if told.errors else Text("passed", "bold green")
    return Text.assemble(
        f"\n{label} ", ended, f" the check{' with ' * bool(wrong)}{' and '.join(wrong)} ({seconds:.0f} s)."
    )
