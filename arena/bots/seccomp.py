"""The system calls that a bot may not make, as a filter program for the kernel, written by libseccomp.

Refused is what a player of cards has no use for and what would let it look into other processes, hide memory from its
limit, change the machine, or widen the kernel that it can attack. Everything else is allowed, so that any language
runs.
"""

from __future__ import annotations

import ctypes
import errno
import tempfile
from functools import cache

REFUSED = (
    # other processes
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd perf_event_open",
    # memory that no limit of data and no look at a process's size counts
    "memfd_create memfd_secret shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl",
    "mlockall mbind set_mempolicy migrate_pages move_pages",
    # mounts and namespaces
    "mount umount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr setns",
    "unshare name_to_handle_at open_by_handle_at",
    # the machine
    "swapon swapoff reboot kexec_load kexec_file_load init_module finit_module delete_module create_module",
    "iopl ioperm acct quotactl quotactl_fd syslog settimeofday clock_settime clock_adjtime adjtimex stime sethostname",
    "setdomainname vhangup nfsservctl lookup_dcookie fanotify_init ustat sysfs uselib _sysctl modify_ldt vm86 vm86old",
    # doors to the kernel that are rarely needed and often broken
    "bpf userfaultfd keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register personality",
)
MISSING = ("clone3",)
"""Said not to exist: programs then fall back to `clone`, whose flags can be looked at."""

NEW_NAMESPACES = 0x7E020000
"""All flags of `clone` that make a namespace."""

SOCKET_FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink (to list one's own network); above all not vsock, which leaves every namespace."""

MOST_FAMILIES = 64
TERMINAL_INPUT = (0x5412, 0x541C)
"""The ioctls that type into a terminal."""

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_EQUAL, _GREATER_EQUAL, _MASKED_EQUAL = 4, 5, 7


class SeccompMissing(Exception):  # noqa: N818  reads as what it is
    """There is no libseccomp that could write the filter; the message says what to install."""


class _Comparison(ctypes.Structure):
    """`struct scmp_arg_cmp` of seccomp.h."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


@cache
def filter_program() -> bytes:
    """The filter as the kernel and `bwrap --seccomp` take it. Raises `SeccompMissing`."""
    library = _library()
    context = library.seccomp_init(_ALLOW)
    if not context:
        raise SeccompMissing("libseccomp cannot make a filter on this machine")
    try:
        for name in " ".join(REFUSED).split():
            _refuse(library, context, name, errno.EPERM)
        for name in MISSING:
            _refuse(library, context, name, errno.ENOSYS)
        for bit in range(32):
            if NEW_NAMESPACES >> bit & 1:
                _refuse(library, context, "clone", errno.EPERM, _Comparison(0, _MASKED_EQUAL, 1 << bit, 1 << bit))
        for family in set(range(MOST_FAMILIES)) - set(SOCKET_FAMILIES):
            _refuse(library, context, "socket", errno.EAFNOSUPPORT, _Comparison(0, _EQUAL, family, 0))
        _refuse(library, context, "socket", errno.EAFNOSUPPORT, _Comparison(0, _GREATER_EQUAL, MOST_FAMILIES, 0))
        for request in TERMINAL_INPUT:
            _refuse(library, context, "ioctl", errno.EPERM, _Comparison(1, _MASKED_EQUAL, 0xFFFFFFFF, request))
        with tempfile.TemporaryFile() as file:
            if library.seccomp_export_bpf(context, file.fileno()) != 0:
                raise SeccompMissing("libseccomp cannot write a filter on this machine")
            file.seek(0)
            return file.read()
    finally:
        library.seccomp_release(context)


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        raise SeccompMissing("libseccomp is missing: install the package libseccomp2 (or libseccomp)") from None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison)
    ]  # fmt: skip
    return library


def _refuse(library: ctypes.CDLL, context: int, name: str, error: int, *when: _Comparison) -> None:
    """Answer the call `name` with `error`, if the comparison holds; a call that this kernel's kind lacks is skipped."""
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        return
    comparisons = (_Comparison * max(1, len(when)))(*when)
    if library.seccomp_rule_add_array(context, _ERRNO | error, number, len(when), comparisons) != 0:
        raise SeccompMissing(f"libseccomp cannot refuse the system call {name} on this machine")
