"""The `arena` command as a process, with a database of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

SECRET = bytes(range(32)).hex()
UNTIMED = ("tournament", "attempt", "sandbox")


@dataclass
class Arena:
    """Runs commands in `folder`, where the database lies too; `environment` is added to this one's."""

    folder: Path
    database: str = "arena.db"
    environment: dict[str, str] = field(default_factory=dict)
    patience_s: float = 110

    def start(self, *arguments: str | bytes, output: int = subprocess.PIPE) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *arguments],
            cwd=self.folder,
            env={**os.environ, "ARENA_DATABASE_URL": f"sqlite:///{self.database}", **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str | bytes) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=self.patience_s)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def ok(self, *arguments: str) -> str:
        """The output of a command that must succeed."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.ok(*arguments, "--json"))

    def has_opened(self) -> bool:
        """Whether there is a tournament to resume."""
        return self.run("tournament", "list", "--json").stdout.strip() not in ("", "[]")

    def export(self) -> list[dict[str, Any]]:
        """The latest tournament's matches without what may differ between runs of one seed."""
        (latest, *_) = self.json("tournament", "list")
        return [untimed(match) for match in self.export_of(latest["id"])]

    def export_of(self, tournament: str) -> list[dict[str, Any]]:
        """All finished matches of a tournament."""
        return [json.loads(line) for line in self.ok("export", tournament, "--out", "-").splitlines()]


def untimed(match: dict[str, Any]) -> dict[str, Any]:
    for name in UNTIMED:
        del match[name]
    for deal in match["deals"]:
        for turn in deal["turns"]:
            del turn["micros"]
    return match


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The process and all below it, as they are now."""
    try:
        root = psutil.Process(process.pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def survivors(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that still run after so many seconds; returns as soon as none does."""
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
