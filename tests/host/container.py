# SPDX-License-Identifier: Apache-2.0
#
# Denies the calling process and its children the system calls that containers deny by default, on Linux x86-64.
import ctypes
import struct

DENIED = {
    "ptrace": 101, "personality": 135, "pivot_root": 155, "acct": 163, "mount": 165, "umount2": 166, "mbind": 237,
    "set_mempolicy": 238, "get_mempolicy": 239, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272,
    "move_pages": 279, "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "kcmp": 312, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
    "io_uring_enter": 426, "io_uring_register": 427, "pidfd_getfd": 438,
}
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, DENY = 0x7FFF0000, 0x00050000 | 1  # EPERM
SET_SECCOMP, FILTER, NO_NEW_PRIVILEGES = 22, 2, 38


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def enter():
    """False where the system has no such filters."""
    numbers = list(DENIED.values())
    lines = [instruction(LOAD_NUMBER, 0)]
    lines += [instruction(JUMP_IF_EQUAL, number, len(numbers) - at) for at, number in enumerate(numbers)]
    lines += [instruction(RETURN, ALLOW), instruction(RETURN, DENY)]
    text = ctypes.create_string_buffer(b"".join(lines))
    program = Program(len(lines), ctypes.addressof(text))
    library = ctypes.CDLL(None, use_errno=True)
    return library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 and \
        library.prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0) == 0
