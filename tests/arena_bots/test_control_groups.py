"""Control groups of both versions, the one that this machine has and a folder that looks like the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.control_groups import ControlGroups, control_groups
from tests.needs import needs


def machine(tmp_path: Path, own: str, mounts: str) -> Path:
    """A /proc/self that says this."""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cgroup").write_text(own)
    (tmp_path / "proc" / "mounts").write_text(mounts)
    return tmp_path / "proc"


@pytest.mark.parametrize(
    ("version", "own", "options"), [("cgroup", "4:memory:/ours\n0::/\n", "rw,memory"), ("cgroup2", "0::/ours\n", "rw")]
)
def test_the_own_group_is_found_where_it_is_mounted(tmp_path: Path, version: str, own: str, options: str) -> None:
    (tmp_path / "groups" / "ours").mkdir(parents=True)
    proc = machine(tmp_path, own, f"none {tmp_path}/groups {version} {options} 0 0\n")
    groups = control_groups(proc)
    assert groups == ControlGroups(tmp_path / "groups" / "ours", version)


def test_where_the_own_group_passes_no_memory_on_the_topmost_is_used(tmp_path: Path) -> None:
    (tmp_path / "groups" / "ours" / "cgroup.subtree_control").mkdir(parents=True)  # so that writing to it is refused
    proc = machine(tmp_path, "0::/ours\n", f"none {tmp_path}/groups cgroup2 rw 0 0\n")
    assert control_groups(proc) == ControlGroups(tmp_path / "groups", "cgroup2")


@needs("root", "sandbox")
def test_a_second_version_that_does_not_count_memory_is_none(tmp_path: Path) -> None:
    """On a real hierarchy in a mount namespace of its own; where it does count memory it is usable."""
    program = (
        "from pathlib import Path; from arena.bots.control_groups import control_groups; "
        f"place = Path({str(tmp_path)!r}); "
        "counts = 'memory' in (place / 'groups' / 'cgroup.controllers').read_text().split(); "
        "(place / 'cgroup').write_text('0::/\\n'); "
        "(place / 'mounts').write_text(f'none {place}/groups cgroup2 rw 0 0\\n'); "
        "found = control_groups(place); print((found is not None) == counts)"
    )
    (tmp_path / "groups").mkdir()
    script = f'mount -t cgroup2 none "{tmp_path}/groups" && exec "$0" -c "$1"'
    said = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, sys.executable, program], capture_output=True, text=True, check=False
    )
    assert said.stdout == "True\n", said.stderr


def test_a_machine_that_counts_no_memory_has_none(tmp_path: Path) -> None:
    assert control_groups(machine(tmp_path, "2:cpu:/\n", f"none {tmp_path} cgroup rw,cpu 0 0\n")) is None
    assert control_groups(tmp_path / "nowhere") is None


def test_a_group_where_nothing_may_be_written_is_none(tmp_path: Path) -> None:
    proc = machine(tmp_path, "0::/\n", f"none {tmp_path}/missing/deep cgroup2 rw 0 0\n")
    (tmp_path / "missing").touch()
    assert control_groups(proc) is None


def test_in_the_second_version_memory_is_passed_on_from_group_to_group(tmp_path: Path) -> None:
    group = ControlGroups(tmp_path, "cgroup2").new(tmp_path / "arena" / "7", 512)
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory"
    assert (tmp_path / "arena" / "cgroup.subtree_control").read_text() == "+memory"
    assert (group.folder / "memory.max").read_text() == str(512 << 20)
    assert (group.folder / "memory.swap.max").read_text() == "0"
    (group.folder / "memory.events").write_text("low 0\noom 3\noom_kill 0\n")
    assert not group.ran_out()
    (group.folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    assert group.ran_out()


@needs("control groups")
def test_a_group_of_this_machine_is_made_and_removed() -> None:
    groups = control_groups()
    assert groups is not None
    group = groups.new(groups.parent / "arena-test" / "1", 64)
    assert group.pids() == []
    assert not group.ran_out()
    group.remove()
    assert not group.folder.exists()
    group.folder.parent.rmdir()
