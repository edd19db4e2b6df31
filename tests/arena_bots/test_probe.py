"""What a machine offers is found out by its effect, and what it refuses is told with its reason and the remedy."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots import probe
from arena.bots.probe import NAMESPACES, bubblewrap_version, explain, judge, offered
from arena.bots.seccomp import SeccompMissing
from tests.needs import needs

OUTSIDE = {name: f"{name}:[1]" for name in NAMESPACES}
GOOD = {
    "namespaces": {name: f"{name}:[2]" for name in NAMESPACES},
    "networks": ["lo"],
    "writable": [],
    "first process": [],
    "seccomp": True,
    "privileges": False,
    "uid": 1_900_000_000,
    "place": True,
}

Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a shell script in place of bubblewrap."""

    def put(script: str) -> None:
        program = tmp_path / "bwrap"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    return put


def fresh() -> probe.Offer:
    """What is offered now; it is found out only once otherwise."""
    return offered.__wrapped__()


@needs("sandbox")
def test_a_real_sandbox_passes() -> None:
    assert fresh().level in ("watchdog", "full")


@needs("sandbox", "control groups")
def test_without_control_groups_memory_is_watched_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "control_groups", lambda: None)
    assert fresh().level == "watchdog"
    assert "watched from outside" in fresh().reason


def test_a_machine_without_bubblewrap_offers_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fresh() == probe.Offer("none", "bubblewrap is not installed: install the package bubblewrap")


@pytest.mark.parametrize("version", ["0.7.0", "0.6", "0.4.1"])
def test_an_old_bubblewrap_is_refused(install: Install, version: str) -> None:
    install(f"echo bubblewrap {version}")
    assert fresh() == probe.Offer("none", f"bubblewrap {version} is too old: install 0.8 or later")


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("bwrap: No permissions to create new namespace, likely because …", "run the arena as root"),
        ("bwrap: Creating new namespace failed: Operation not permitted", "SYS_ADMIN"),
        ("bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
         "user.max_*_namespaces"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("bwrap: setting up uid map: Permission denied", "userns,"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor_parser"),
        ("bwrap: something new", "something new"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_with_its_remedy(install: Install, said: str, remedy: str) -> None:
    install(f'[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo "{said}" >&2; exit 1')
    offer = fresh()
    assert offer.level == "none"
    assert remedy in offer.reason
    assert remedy in explain(said)


@needs("sandbox", "root")
def test_root_s_arena_needs_setpriv(monkeypatch: pytest.MonkeyPatch) -> None:
    find = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == "setpriv" else find(name, **more))
    assert fresh() == probe.Offer("none", "setpriv not found: install the package util-linux")


@needs("sandbox")
def test_a_sandbox_without_a_filter_of_system_calls_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise SeccompMissing("libseccomp is missing: install the package libseccomp2")

    monkeypatch.setattr(probe, "wrap", missing)
    assert fresh() == probe.Offer("none", "libseccomp is missing: install the package libseccomp2")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        ({"namespaces": GOOD["namespaces"] | {"net": "net:[1]"}}, "shares the net namespace"),  # type: ignore[operator]
        ({"networks": ["lo", "eth0"]}, "more than an empty loopback"),
        ({"writable": ["/proc/sys/kernel/core_pattern"]}, "may write to ['/proc/sys/kernel/core_pattern']"),
        ({"first process": ["environ"]}, "shows its first process"),
        ({"seccomp": False}, "filters no system calls"),
        ({"privileges": True}, "has privileges"),
        ({"uid": 0}, "has privileges"),
        ({"place": False}, "no place for a socket"),
    ],
)
def test_each_effect_counts(changed: dict[str, object], said: str) -> None:
    verdict = judge(GOOD | changed, OUTSIDE, root=True)
    assert said in verdict if said else verdict == ""


def test_versions_are_read_as_they_are_written() -> None:
    assert bubblewrap_version("bubblewrap 0.11.0\n") > bubblewrap_version("bubblewrap 0.8.0") == (0, 8, 0)
    assert bubblewrap_version("nonsense") == ()
