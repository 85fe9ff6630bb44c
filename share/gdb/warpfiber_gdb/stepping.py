# SPDX-License-Identifier: Apache-2.0
"""Runs a program from stop to stop for `warpfiber step`: what it has counted and where it may stop is a structure in its
memory (src/analysis/step/state.hpp)."""
import struct

import gdb

from .frames import TRAILS
from .machine import MACHINE, Place
from .memory import TABLE, read, text, u64, write
from .names import linear

HANDLED = "SIGSEGV SIGBUS SIGFPE SIGILL"  # by the library, which makes findings of them

# What the checker's hazards are called here; those that are left out may be followed by one that is not.
HAZARDS = {"race": "race", "same_value": "benign race", "outside": "access out of bounds",
           "index": "index out of bounds", "other_object": "access to an object that the kernel does not know",
           "constant": "write to constant memory", "freed": "use after free", "uninitialised": "read of memory that was never written",
           "misaligned": "misaligned access", "local_of_another": "access to another thread's local variable",
           "host_memory": "access to host memory", "lock_step": "lanes of a warp communicate without order",
           "foreign_lane": "shuffle from a lane outside its mask", "foreign_used": "value from a lane outside the mask",
           "masks_differ": "lanes with different masks meet", "conversion": "conversion out of range",
           "odd_bool": "byte that is no bool", "unmapped": "access to an address without memory",
           "read_only_load": "read-only load of what the kernel writes",
           "needs_lock_step": "lanes of a warp communicate without order", "lost_update": "lost update",
           "overwritten": "volatile store over another thread's", "unfenced": "message without fences",
           "widths_differ": "atomics of different widths", "unlocked": "store without the lock",
           "moved": "copy of unwritten memory",
           "shared_of_another": "access to another block's shared memory",
           "shared_of_ended": "access to an ended block's shared memory",
           "local_of_ended": "access to an ended thread's local variable"}
LEFT_OUT = {"foreign_neighbour"}


def names_of(prefix):
    """{number: name} of the table's constants with the prefix."""
    TABLE.load()
    return {value: name[len(prefix):] for name, value in TABLE.values.items() if name.startswith(prefix)}


class StopBreakpoint(gdb.Breakpoint):
    """A move is done, or the process ends."""

    def __init__(self, steps):
        super().__init__("warpfiber_step_stop", internal=True)
        self.silent, self.steps = True, steps

    def stop(self):
        self.steps.address = int(gdb.newest_frame().read_register("rdi"))
        self.steps.why = self.steps.stop_names[self.steps.number("stop")]
        return True


class FoundBreakpoint(gdb.Breakpoint):
    """The checker has found something of a new kind, and the launch goes on."""

    def __init__(self, steps):
        super().__init__("warpfiber_case_found", internal=True)
        self.silent, self.steps = True, steps

    def stop(self):
        hazard = self.steps.hazard_names.get(int(gdb.newest_frame().read_register("rdi")) & 0xff, "")
        if hazard in LEFT_OUT:
            return False
        return self.steps.note_finding(HAZARDS.get(hazard, hazard.replace("_", " ")), False)


class FailedBreakpoint(gdb.Breakpoint):
    """A finding ends a launch: a deadlock, a fault."""

    def __init__(self, steps):
        super().__init__("warpfiber_launch_failed", internal=True)
        self.silent, self.steps = True, steps

    def stop(self):
        verdict = self.steps.verdict_names.get(int(gdb.newest_frame().read_register("rdi")) & 0xff, "?")
        return self.steps.note_finding(verdict, True)


class Finding:
    """What was found, where and when. thread: None where it is about no single one."""

    def __init__(self, what, position, thread, place, ends_launch):
        self.what, self.position, self.ends_launch = what, position, ends_launch
        self.thread, self.place = thread, place

    def repeats(self, other):
        """Whether it adds nothing: the same at another access of the line, or what follows the end of the launch."""
        if self.ends_launch:
            return other.ends_launch and other.position == self.position
        return self.place is not None and (self.what, str(self.place)) == (other.what, str(other.place))


class Exit:
    def __init__(self, code, signal):
        self.code, self.signal = code, signal


class Steps:
    """The program, which one gdb starts again and again."""

    def __init__(self, on_process):
        self.on_process = on_process  # called with the number of each process that is about to go on
        self.address = 0
        self.why = ""
        self.exit = None
        self.findings = []
        self.wanted_finding = 0  # number of the one to stop at, from 1; 0: none
        self.stop_names = self.move_numbers = self.hazard_names = self.verdict_names = None
        gdb.execute("set breakpoint pending on")
        gdb.execute("handle %s nostop noprint pass" % HANDLED, False, True)
        self.breakpoints = [kind(self) for kind in (StopBreakpoint, FoundBreakpoint, FailedBreakpoint)]
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        gdb.events.new_objfile.connect(self.on_new_code)

    # Events of gdb.
    def on_new_code(self, _):
        process = gdb.selected_inferior().pid
        if process:
            self.on_process(process)
        try:
            self.stop_names, self.hazard_names = names_of("stop."), names_of("hazard.")
            self.verdict_names = names_of("verdict.")
            self.move_numbers = {name: value for value, name in names_of("move.").items()}
        except gdb.GdbError:
            pass  # the library comes later

    def on_stop(self, event):
        if isinstance(event, gdb.SignalEvent):
            self.why = "interrupted" if event.stop_signal == "SIGINT" else "signal " + event.stop_signal

    def on_exit(self, event):
        code = getattr(event, "exit_code", None)
        signal = None
        if code is None:
            number = gdb.convenience_variable("_exitsignal")
            signal = int(number) if number is not None else 0
        self.exit = Exit(code, signal)

    def note_finding(self, what, ends_launch):
        """Whether the program is to stop here."""
        MACHINE.forget()
        TRAILS.forget()
        thread = MACHINE.running_on(gdb.selected_thread())
        place = self.place(thread) if thread is not None else None
        identity = (thread.block.kernel.block, thread.block.index, thread.index) if thread is not None else None
        made = Finding(what, self.position(), identity, place, ends_launch)
        if any(made.repeats(one) for one in self.findings):
            return False
        self.findings.append(made)
        MACHINE.forget()
        wanted = self.wanted_finding == len(self.findings)
        if wanted or ends_launch:
            self.why = "finding"
        return wanted or ends_launch

    # Moves.
    def start(self):
        """Anew, to the first statement of a kernel."""
        if gdb.selected_inferior().pid:
            gdb.execute("kill", False, True)
        self.findings, self.exit, self.address = [], None, 0
        self.wanted_finding = 0
        gdb.execute("set environment WARPFIBER_STEP 1")
        self.go_on("run")

    def go_on(self, command="continue"):
        self.why = ""
        gdb.execute(command, False, True)
        if self.why == "interrupted" and self.exit is None and self.address and MACHINE.blocks():
            self.reach_statement()

    def reach_statement(self):
        """Signals of the host are delivered between two stacks, where no frame of the user's is in reach. Another
        interrupt ends the attempt."""
        self.ask(self.position() + 1, "none", 0, (0, 0, 0), 0)
        gdb.execute("continue", False, True)
        if self.why == "position":
            self.why = "interrupted"

    def leave(self):
        """From the last stop to the end of the process."""
        while self.exit is None:
            gdb.execute("continue", False, True)

    def to_position(self, position):
        """0: to the end."""
        self.ask(position, "none", 0, (0, 0, 0), 0)
        self.go_on()

    def to_finding(self, number):
        self.wanted_finding = number
        self.ask(0, "none", 0, (0, 0, 0), 0)
        self.go_on()
        self.wanted_finding = 0

    def move(self, kind, times, thread, epoch):
        """thread: numbers of its launch, block and thread."""
        self.ask(0, kind, times, thread, epoch)
        self.go_on()

    def ask(self, position, kind, times, thread, epoch):
        at = self.address
        for name, value in (("stop_at", position), ("move", self.move_numbers[kind]), ("times", times),
                            ("from", epoch)):
            write(at + TABLE["step." + name], struct.pack("<Q", value))
        write(at + TABLE["step.moving"], struct.pack("<3Q", *thread))

    # What the program has counted.
    def number(self, name):
        return u64(self.address + TABLE["step." + name])

    def position(self):
        return self.number("position") if self.address else 0

    def slot_of(self, block):
        """The address of the StepBlock of a block that is resident; 0: there is none."""
        if not self.address:
            return 0
        first = self.number("blocks")
        for i in range(self.number("slots")):
            at = first + i * TABLE["step_block.size"]
            if u64(at + TABLE["step_block.places"]) and u64(at + TABLE["step_block.rank"]) == block.rank:
                return at
        return 0

    def epoch(self, block):
        slot = self.slot_of(block)
        return u64(slot + TABLE["step_block.epoch"]) if slot else 0

    def places(self, block):
        """Of its threads, by rank: (index of the file, line); line 0: it has executed no statement."""
        slot = self.slot_of(block)
        if not slot:
            return [(0, 0)] * len(block.threads)
        size = TABLE["step_place.size"]
        data = read(u64(slot + TABLE["step_block.places"]), size * len(block.threads))
        line, file = TABLE["step_place.line"], TABLE["step_place.file"]
        return [(struct.unpack_from("<H", data, at + file)[0], struct.unpack_from("<I", data, at + line)[0])
                for at in range(0, len(data), size)]

    def place(self, thread):
        file, line = self.places(thread.block)[thread.rank]
        return Place(self.file_names()[file], line) if line else None

    def file_rows(self):
        first = self.number("files") if self.address else 0
        return [first + i * TABLE["step_file.size"] for i in range(self.number("files_known") if self.address else 0)]

    def file_names(self):
        return [text(u64(row + TABLE["step_file.name"])) for row in self.file_rows()]

    def counts(self):
        """{file: {line: how often it was executed}}"""
        found = {}
        for row in self.file_rows():
            lines = u64(row + TABLE["step_file.lines"])
            data = struct.unpack("<%dQ" % lines, read(u64(row + TABLE["step_file.counts"]), 8 * lines)) if lines else ()
            found[text(u64(row + TABLE["step_file.name"]))] = {i: count for i, count in enumerate(data) if count}
        return found

    def running(self):
        """The thread that has reached the last statement; None: it is not resident any more."""
        launch, rank, thread = struct.unpack("<3Q", read(self.address + TABLE["step.running"], 24))
        for block in MACHINE.blocks():
            if block.kernel.number == launch and block.rank == rank:
                return block.threads[thread]
        return None
