"""A bot that attacks as it is told, with nothing but the standard library: `python -I -S hostile.py [later] ACT …`.

It does what the act is, prints what it found as one line of JSON, then listens, and says "here" to who connects. With
`later` it listens first.

    Looking:     spy CANARY FOLDER PORT   see
    Breaking:    break  link TARGET  plain  swap TARGET
    Taking:      fork-bomb  count-forks  thread-bomb  heap  shared  at-once  fill FOLDER  inodes FOLDER  files
                 files-and-die  large  flood  frames TYPE
    Staying:     stubborn  orphan
"""

# It speaks to the system as directly as an attacker does.
# ruff: noqa: PTH101, PTH108, PTH118, PTH123, PTH208, PTH211, SIM115, T201

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator

ADDRESS = os.environ["ARENA_BOT_ADDRESS"][5:]
MOST = 1 << 20

SERVERS: list[socket.socket] = []


def listen() -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(ADDRESS)
    server.listen()
    SERVERS.append(server)


def tell(found: object) -> None:
    print(json.dumps(found), flush=True)


# --- looking


def readable(folder: str) -> Iterator[str]:
    """The files that might hold something: in `folder`, beside its own, of all processes, and where sockets are."""
    for top in (folder, "..", "/proc", "/run", "/dev/shm", "/etc"):
        for place, folders, files in os.walk(top):
            if top == "/proc":
                folders[:] = [name for name in folders if name.isdigit()] if place == top else []
                files = [name for name in files if name in ("environ", "cmdline")]
            elif top == "..":
                folders[:] = [name for name in folders if place == top]
            yield from (os.path.join(place, name) for name in files)


def patient(path: str, flags: int) -> int:
    """Open without waiting, as for a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def spy(canary: str, folder: str, port: str) -> None:
    word = canary.encode()
    found = [f"environment {name}" for name, value in os.environ.items() if canary in value]
    for path in readable(folder):
        with contextlib.suppress(OSError), open(path, "rb", opener=patient) as file:
            if not path.endswith((f"/{os.getpid()}/cmdline", "/bot.toml")) and word in (file.read(MOST) or b""):
                found.append(path)
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            if word in os.pread(fd, MOST, 0):
                found.append(f"descriptor {fd}")
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + canary)
        found.append("abstract socket")
    with contextlib.suppress(OSError):
        found += [f"in the list of sockets: {canary}"] if word in open("/proc/net/unix", "rb").read() else []
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), timeout=0.5):
        found.append(f"port {port}")
    tell(found)


def see() -> None:
    status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
    tell({
        "environment": sorted(os.environ),
        "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
        "first process": os.listdir("/proc/1"),
        "networks": [name for _, name in socket.if_nameindex()],
        "root": sorted(os.listdir("/")),
        "here": os.listdir(),
        "session": os.getsid(0),
        "uid": os.getuid(),
        "groups": os.getgroups(),
        "capabilities": [status[name] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")],
        "new privileges": status["NoNewPrivs"] == "0",
        "limits": open("/proc/self/limits").read(),
        "host": os.uname().nodename,
    })  # fmt: skip


# --- breaking

libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> None:
    ctypes.set_errno(0)
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY))


def create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def kill_first() -> None:
    os.kill(1, signal.SIGKILL)
    os.kill(1, signal.SIGTERM)
    raise OSError  # both are ignored by a first process


def raise_limits() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (100_000, 100_000))


ATTEMPTS: dict[str, Callable[[], object]] = {
    "core pattern": lambda: write("/proc/sys/kernel/core_pattern"),
    "sysrq": lambda: write("/proc/sysrq-trigger"),
    "host name": lambda: write("/proc/sys/kernel/hostname"),
    "mode of /dev/null": lambda: os.chmod("/dev/null", 0o600),
    "mode of /dev": lambda: os.chmod("/dev", 0o777),
    "mode of /": lambda: os.chmod("/", 0o777),
    "mode of the bot": lambda: os.chmod("bot.toml", 0o777),
    "file in /": lambda: create("/new"),
    "file in /usr": lambda: create("/usr/new"),
    "file in /dev": lambda: create("/dev/new"),
    "file in /run": lambda: create("/run/new"),
    "file in /etc": lambda: create("/etc/new"),
    "file in /proc/1": lambda: create("/proc/1/new"),
    "file in its folder": lambda: create("new"),
    "its own file": lambda: write("bot.toml"),
    "device": lambda: os.mknod("/tmp/null", 0o20666, os.makedev(1, 3)),
    "memory of the first process": lambda: write("/proc/1/mem"),
    "trace the first process": lambda: call("ptrace", 16, 1, 0, 0),
    "be traced": lambda: call("ptrace", 0, 0, 0, 0),
    "kill the first process": kill_first,
    "read another's memory": lambda: call("process_vm_readv", 1, None, 0, None, 0, 0),
    "become root": lambda: os.setuid(0),
    "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "unmount": lambda: call("umount2", b"/proc/1", 2),
    "user namespace": lambda: call("unshare", 0x10000000),
    "mount namespace": lambda: call("unshare", 0x20000),
    "memfd": lambda: os.memfd_create("hidden"),
    "shared memory": lambda: call("shmget", 0, 1 << 20, 0o1600),
    "message queue": lambda: call("msgget", 0, 0o1600),
    "keys": lambda: call("syscall", 248, b"user", b"x", b"y", 1, -2),
    "bpf": lambda: call("syscall", 321, 0, None, 0),
    "io_uring": lambda: call("syscall", 425, 1, bytes(120)),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM),
    "packets": lambda: socket.socket(17, socket.SOCK_RAW),
    "kernel crypto": lambda: socket.socket(38, socket.SOCK_SEQPACKET),
    "out to the network": lambda: socket.create_connection(("192.0.2.1", 9), timeout=0.5),
    "higher limits": raise_limits,
    "raise its priority": lambda: os.nice(-5),
}  # fmt: skip


def break_out() -> None:
    done = []
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
        except (OSError, ValueError):
            continue
        done.append(name)
    tell(done)


# --- taking too much


def fork_bomb(*_token: str) -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


def count_forks() -> None:
    children = []
    with contextlib.suppress(OSError):
        while (child := os.fork()) != 0:
            children.append(child)
        time.sleep(600)
    for child in children:
        os.kill(child, signal.SIGKILL)
    tell(len(children))


def thread_bomb() -> None:
    while True:
        with contextlib.suppress(RuntimeError):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def heap() -> None:
    taken = []
    while True:
        taken.append(b"x" * MOST)


def shared() -> None:
    taken = []
    while True:
        taken.append(mmap.mmap(-1, MOST))
        taken[-1].write(b"x" * MOST)


def at_once() -> None:
    bytes(1 << 45)


def fill(folder: str) -> None:
    """Fill a folder until it is refused; prints how many MiB it got."""
    size = 0
    with contextlib.suppress(OSError):
        for number in range(1 << 20):
            with open(f"{folder}/{number}", "wb", buffering=0) as file:
                for _ in range(16):
                    size += file.write(bytes(MOST // 16))
    tell(size / MOST)


def inodes(folder: str) -> None:
    for number in range(1 << 30):
        with contextlib.suppress(OSError):
            os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))


def files() -> None:
    taken = []
    while True:
        try:
            taken.append(os.open("/", os.O_RDONLY))
        except OSError:
            time.sleep(0.01)


def files_and_die() -> None:
    taken = []
    while True:
        taken.append(open("/dev/null"))


def large() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("/tmp/large", "wb") as file:
        file.seek(1 << 40)
        file.write(b"x")
        file.flush()


def flood() -> None:
    while True:
        os.write(1, b"spam and eggs\n" * 4096)
        os.write(2, b"eggs and spam\n" * 4096)


FRAMES = {
    "ping": b"\0\0\x08\x06\0\0\0\0\0" + b"12345678",
    "settings": b"\0\0\x06\x04\0\0\0\0\0" + b"\0\x03\0\0\0\x64",
}


def frames(kind: str) -> None:
    """Greets who connects as HTTP/2 does, then sends control frames that must each be answered, for ever."""
    client, _ = SERVERS[0].accept()
    client.sendall(b"\0\0\0\x04\0\0\0\0\0")
    threading.Thread(target=drain, args=(client,), daemon=True).start()
    while True:
        client.sendall(FRAMES[kind] * 4096)


def drain(client: socket.socket) -> None:
    while client.recv(MOST):
        pass


def stubborn(*_token: str) -> None:
    """Ignores whatever can be ignored, and has children, a daemon and no death signal."""
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_IGN)
    libc.prctl(1, 0, 0, 0, 0)
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            libc.prctl(1, 0, 0, 0, 0)
        time.sleep(600)


def orphan(*_token: str) -> None:
    """Leaves a daemon behind and exits, once somebody has connected."""
    SERVERS[0].accept()
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    os._exit(0)


def link(target: str) -> None:
    os.symlink(target, ADDRESS)
    time.sleep(600)


def plain() -> None:
    create(ADDRESS)
    time.sleep(600)


def swap(target: str) -> None:
    """Waits for somebody to connect first."""
    SERVERS[0].accept()
    os.unlink(ADDRESS)
    os.symlink(target, ADDRESS)


ACTS: dict[str, Callable[..., None]] = {
    "spy": spy, "see": see, "break": break_out, "link": link, "plain": plain, "swap": swap,
    "fork-bomb": fork_bomb, "count-forks": count_forks, "thread-bomb": thread_bomb,
    "heap": heap, "shared": shared, "at-once": at_once, "fill": fill, "inodes": inodes, "files": files,
    "files-and-die": files_and_die, "large": large, "flood": flood, "frames": frames,
    "stubborn": stubborn, "orphan": orphan,
}  # fmt: skip


def main() -> None:
    first, *arguments = sys.argv[1:]
    later = first == "later"
    word, *arguments = arguments if later else [first, *arguments]
    if later:
        listen()
    ACTS[word](*arguments)
    if not SERVERS:
        listen()
    while True:
        client, _ = SERVERS[0].accept()
        client.send(b"here")
        client.close()


if __name__ == "__main__":
    main()
