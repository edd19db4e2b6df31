"""What this machine offers to keep bots in: found by making one real sandbox and looking at its effect from inside."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.bots.control_groups import control_groups
from arena.bots.manifest import BotLimits
from arena.bots.sandbox import SOCKET, TMP, Level, confined, new_uid, search_path, wrap
from arena.bots.seccomp import SeccompMissing

OLDEST = (0, 8)
"""Before this version bubblewrap cannot forbid user namespaces inside."""

NAMESPACES = ("pid", "ipc", "uts", "net", "mnt")
PROBE_S = 10.0

INSIDE = """
import json, os, socket

def refused(path):
    try:
        os.close(os.open(path, os.O_WRONLY | (os.O_CREAT if path[-1] == '!' else 0)))
    except OSError:
        return True
    return False

status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
closed = "/usr/!", "/!", "/dev/!", "/bot/!", "/run/!", "/proc/sys/kernel/core_pattern"
try:
    os.memfd_create("probe")
    filtered = False
except OSError:
    filtered = True
print(json.dumps({
    "namespaces": {name: os.readlink("/proc/self/ns/" + name) for name in %r},
    "networks": [name for _, name in socket.if_nameindex()],
    "writable": [path for path in closed if not refused(path)],
    "first process": os.listdir("/proc/1"),
    "seccomp": status["Seccomp"] == "2" and filtered,
    "privileges": status["NoNewPrivs"] != "1" or int(status["CapEff"], 16) != 0,
    "uid": os.getuid(),
    "place": os.access(os.path.dirname(%r), os.W_OK) and os.access(%r, os.W_OK),
}))
""" % (NAMESPACES, SOCKET, TMP)  # noqa: UP031  braces abound

_APPARMOR = (
    "AppArmor keeps bubblewrap from making user namespaces; allow it with the profile\n"
    "    abi <abi/4.0>,\n    include <tunables/global>\n"
    "    profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\n"
    "in /etc/apparmor.d/bwrap, then run: apparmor_parser -r /etc/apparmor.d/bwrap"
)
KNOWN_REFUSALS = (
    (
        "No permissions to create new namespace",
        "this system lets ordinary users make no namespaces (a container, or the sysctl "
        "kernel.unprivileged_userns_clone or user.max_user_namespaces): allow them, or run the arena as root",
    ),
    (
        "Creating new namespace failed: Operation not permitted",
        "root may make no namespaces in this container: start it with the capability SYS_ADMIN",
    ),
    ("namespaces exceeded", "no more namespaces are allowed: raise the sysctls user.max_*_namespaces"),
    ("Creating new namespace failed: No space left", "no more namespaces are allowed: raise user.max_*_namespaces"),
    (
        "Can't mount proc",
        "/proc is masked in this container, so no other can be mounted: start it with unmasked paths "
        "(docker: --security-opt systempaths=unconfined)",
    ),
    ("setting up uid map: Permission denied", _APPARMOR),
    ("Failed RTM_NEWADDR", _APPARMOR),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """The best level that this machine offers, and why it is not a better one ("" when there is none)."""

    level: Level
    reason: str


@cache
def offered() -> Offer:
    """What this machine offers to this user; it is found out once."""
    reason = _missing() or _refusal()
    if reason:
        return Offer("none", reason)
    if control_groups() is None:
        return Offer("watchdog", "this user may make no control groups for memory, so memory is watched from outside")
    return Offer("full", "")


def bubblewrap_version(said: str) -> tuple[int, ...]:
    """The version in what `bwrap --version` said, as (0, 8, 0)."""
    found = re.search(r"(\d+(?:\.\d+)+)", said)
    return tuple(map(int, found[1].split("."))) if found else ()


def explain(said: str) -> str:
    """What bubblewrap's own words mean, and the remedy."""
    for words, meaning in KNOWN_REFUSALS:
        if words in said:
            return meaning
    return f"bubblewrap failed: {' '.join(said.split())[-300:] or 'it said nothing'}"


def judge(report: dict[str, object], outside: dict[str, str], *, root: bool) -> str:
    """What is wrong with a sandbox that reports this from inside; "" for nothing."""
    inside = report["namespaces"]
    assert isinstance(inside, dict)
    shared = [name for name in NAMESPACES if inside.get(name) == outside[name]]
    if shared:
        return f"the sandbox shares the {' and '.join(shared)} namespace with the arena"
    if report["networks"] != ["lo"]:
        return f"the sandbox has more than an empty loopback: {report['networks']}"
    if report["writable"]:
        return f"the sandbox may write to {report['writable']}"
    if report["first process"]:
        return "the sandbox shows its first process"
    if not report["seccomp"]:
        return "the sandbox filters no system calls"
    if report["privileges"] or (root and report["uid"] in (0, 65534)):
        return "the sandbox has privileges"
    if not report["place"]:
        return "the sandbox has no place for a socket or for temporary files"
    return ""


def _missing() -> str:
    """What must be installed first; "" for nothing."""
    if not sys.platform.startswith("linux"):
        return "a sandbox needs Linux"
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        return "bubblewrap is not installed: install the package bubblewrap"
    said = subprocess.run([bubblewrap, "--version"], capture_output=True, text=True, env={}, check=False).stdout
    version = bubblewrap_version(said)
    if version < OLDEST:
        return f"bubblewrap {'.'.join(map(str, version)) or said.strip()} is too old: install 0.8 or later"
    needed = ["prlimit", *(["setpriv"] if os.geteuid() == 0 else [])]
    absent = [name for name in needed if shutil.which(name, path=search_path()) is None]
    return f"{' and '.join(absent)} not found: install the package util-linux" if absent else ""


def _refusal() -> str:
    """Why a sandbox as bots get it does not do here what it must; "" when it does."""
    reader, writer = os.pipe()
    try:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            command = confined((sys.executable, "-I", "-S", "-c", INSIDE), BotLimits(), new_uid())
            environment = {"PATH": search_path()}
            try:
                wrapped = wrap(command, folder=Path(folder), environment=environment, limits=BotLimits(), status=writer)
            except SeccompMissing as error:
                return str(error)
            done = _run(wrapped.command, (writer, *wrapped.descriptors))
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"a sandbox could not be started: {error}"
    finally:
        os.close(reader)
        os.close(writer)
    if done.returncode != 0:
        return explain(done.stderr)
    outside = {name: str(Path("/proc/self/ns", name).readlink()) for name in NAMESPACES}
    return judge(json.loads(done.stdout), outside, root=os.geteuid() == 0)


def _run(command: tuple[str, ...], descriptors: tuple[int, ...]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, env={}, stdin=subprocess.DEVNULL, pass_fds=descriptors, cwd="/",
            timeout=PROBE_S, check=False,
        )  # fmt: skip
    finally:
        for fd in descriptors[1:]:
            os.close(fd)
