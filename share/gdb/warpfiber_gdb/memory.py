# SPDX-License-Identifier: Apache-2.0
"""What the program's memory holds, by the table of offsets that is in the library (src/execution/engine/debugging/layout.cpp)."""
import struct

import gdb

VERSION = 1  # of the table

def message(text):
    gdb.write(text + "\n")


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def write(address, data):
    gdb.selected_inferior().write_memory(address, data)


def u8(address):
    return read(address, 1)[0]


def u32(address):
    return struct.unpack("<I", read(address, 4))[0]


def u64(address):
    return struct.unpack("<Q", read(address, 8))[0]


def triple(address):
    return struct.unpack("<3I", read(address, 12))


def text(address):
    if address == 0:
        return ""
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


class Table:
    """The library's table of offsets; `table["fiber.resume"]`."""

    ENTRY = 32

    def __init__(self):
        self.values = None

    def forget(self, *_):
        self.values = None

    def load(self):
        try:
            at = int(gdb.parse_and_eval("(long)&warpfiber_debugger_layout"))
        except gdb.error:
            raise gdb.GdbError("The program has no Warpfiber in it, or one that is older than this gdb script.")
        values = {}
        while True:
            entry = read(at, self.ENTRY)
            name = entry[:28].rstrip(b"\0").decode()
            if not name:
                break
            values[name] = struct.unpack_from("<I", entry, 28)[0]
            at += self.ENTRY
        if values["constant.version"] > VERSION:
            raise gdb.GdbError("The program's Warpfiber is newer than this gdb script.")
        self.values = values

    def __getitem__(self, name):
        if self.values is None:
            self.load()
        return self.values[name]

    def pointer(self, base, name):
        return u64(base + self[name])

    def number(self, base, name):
        return u32(base + self[name])


TABLE = Table()


class ThreadVariables:
    """Where the library's thread-local variables lie: at one distance from the thread pointer in every OS thread."""

    def __init__(self):
        self.distances = {}

    def forget(self, *_):
        self.distances = {}

    def address(self, thread, name):
        if name not in self.distances:
            selected = Selection()
            thread.switch()
            try:
                at = int(gdb.parse_and_eval("(long)&%s" % name))
            finally:
                selected.restore()
            self.distances[name] = at - self.pointer(thread)
        return self.pointer(thread) + self.distances[name]

    @staticmethod
    def pointer(thread):
        return int.from_bytes(thread.handle(), "little")


class Selection:
    """The thread and frame that are selected in gdb."""

    def __init__(self):
        self.thread = gdb.selected_thread()
        try:
            self.level = gdb.selected_frame().level()
        except gdb.error:
            self.level = 0

    def restore(self):
        if self.thread is None or not self.thread.is_valid():
            return
        self.thread.switch()
        frame = gdb.newest_frame()
        while frame is not None and frame.level() < self.level:
            frame = frame.older()
        if frame is not None:
            frame.select()


class Attached:
    """Tells the program once that a debugger follows it (src/execution/engine/preempt.cpp)."""

    def __init__(self):
        self.process = 0

    def tell(self):
        # A thread that loads a library stands still, although gdb takes it for one that runs.
        process = gdb.selected_inferior().pid
        if process in (0, self.process) or gdb.selected_thread() is None:
            return
        try:
            state = int(gdb.parse_and_eval("(long)&'warpfiber::engine::EngineState::the_process_'"))
            write(state + TABLE["state.is_debugged"], b"\1")
            self.process = process
        except (gdb.error, gdb.GdbError, gdb.MemoryError):
            pass  # the library has not been loaded yet


VARIABLES = ThreadVariables()
ATTACHED = Attached()
