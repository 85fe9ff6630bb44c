# SPDX-License-Identifier: Apache-2.0
"""Frames of threads of kernels: those of a thread that waits, and which of them are the user's."""
import re

import gdb
import gdb.unwinder
from gdb.FrameDecorator import FrameDecorator

from .machine import Place
from .memory import Selection, u64
from .names import whole_symbol_at, without_parameters

NAMED_BODY = re.compile(r"(.+)::(?:\$_\d+|<unnamed struct>|\{unnamed type#\d+\})::\w+(?:\(|$)")
LIBRARY = re.compile(r"/include/(warpfiber|warpfiber-cuda|cuda)/|^/usr/(include|lib)/|/c\+\+/\d")

def is_library(frame):
    """Whether a frame is of Warpfiber, or of code without lines."""
    symtab = frame.find_sal().symtab
    return symtab is None or LIBRARY.search(symtab.fullname()) is not None


def users_frame(frame):
    """The innermost frame of the user's code, from `frame` outwards; `frame` itself where there is none."""
    inner = frame
    while inner is not None and is_library(inner):
        inner = inner.older()
    return inner if inner is not None else frame


def name_of(frame):
    """The function of a frame. Optimised programs have the bodies of kernels in lambdas, which have the kernel's name
    here."""
    name = frame.name()
    body = name and NAMED_BODY.match(name)
    if body:
        return without_parameters(body.group(1))
    if name is None or not name.startswith("operator()") or frame.function() is None:
        return name
    whole = whole_symbol_at(frame.pc())
    lambda_of = whole.find("::{lambda(")
    return without_parameters(whole[:lambda_of]) if lambda_of > 0 else name


class UsersFrame(FrameDecorator):
    """A frame as `backtrace` shows it."""

    def function(self):
        frame = self.inferior_frame()
        return name_of(frame) or super().function()

    def frame_args(self):
        arguments = super().frame_args()
        return arguments and [one for one in arguments if str(one.symbol()) != "__closure"]


class FrameFilter:
    """Shows frames of a kernel's thread up to the kernel, and none of those in which it waits."""

    def __init__(self):
        self.name, self.priority, self.enabled = "warpfiber", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        waits = UNWINDER.live is not None
        held, any_shown = [], False  # frames of the library, which are shown where the user's follow
        for one in frames:
            frame = one.inferior_frame()
            if waits and frame.level() == 0:
                continue
            if is_library(frame):
                held.append(one)
                continue
            if not waits or any_shown:
                yield from held
            held, any_shown = [], True
            yield UsersFrame(one)
        if not any_shown or not any(runs_threads(one.inferior_frame()) for one in held):
            yield from held


def runs_threads(frame):
    """Whether it is the outermost frame of a fiber."""
    return (frame.name() or "").startswith("warpfiber::detail::run_threads")


class Unwinder(gdb.unwinder.Unwinder):
    """Makes the frames of a thread that waits those behind the innermost frame of the selected OS thread."""

    NOWHERE = 16

    def __init__(self):
        super().__init__("warpfiber")
        self.live = None  # program counter and stack pointer of the OS thread
        self.edge = 0     # where its innermost frame begins, by which debug information finds variables
        self.registers = {}

    def follow(self, fiber):
        """From now on the selected OS thread seems to have been called by `fiber`. None: by nobody else."""
        self.live = None
        gdb.invalidate_cached_frames()
        if fiber is None:
            return
        frame = gdb.newest_frame()
        live = tuple(int(frame.read_register(name)) for name in ("rip", "rsp"))
        self.registers = fiber.registers()
        edge = edge_of(frame)
        # gdb takes a caller's frame that lies below for a damaged stack. Variables of frame 0 then cannot be read.
        self.edge = edge if edge <= self.registers["rsp"] else self.NOWHERE
        self.live = live
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if self.live is None:
            return None
        pc, sp = pending.read_register("rip"), pending.read_register("rsp")
        if (int(pc), int(sp)) != self.live:
            return None
        word = gdb.lookup_type("unsigned long")
        info = pending.create_unwind_info(FrameId(gdb.Value(self.edge).cast(sp.type), pc))
        for name, value in self.registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(word))
        return info


def edge_of(frame):
    """The canonical frame address of the function that runs."""
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    older = frame and frame.older()
    return int((older or gdb.newest_frame()).read_register("rsp"))


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


UNWINDER = Unwinder()


class Trails:
    """The user's frames of threads that wait. Most have come the same way, and gdb unwinds only one of those: where the
    same return addresses lie at the same places above a stack pointer, the frames are the same."""

    def __init__(self):
        self.known = []

    def forget(self, *_):
        self.known = []

    def place(self, fiber):
        registers = fiber.registers()
        for first, steps, place in self.known:
            if first == registers["rip"] and self.fits(registers["rsp"], steps):
                return place
        steps, place = self.unwind(registers)
        self.known.append((registers["rip"], steps, place))
        return place

    @staticmethod
    def fits(sp, steps):
        return all(u64(sp + distance) == address for distance, address in steps)

    def unwind(self, registers):
        frame = gdb.newest_frame().older()
        last = users_frame(frame)
        place = place_of_frame(last)
        steps = []
        while frame is not None and frame.level() <= last.level():
            older = frame.older()
            if older is not None and frame.type() != gdb.INLINE_FRAME:
                steps.append((int(older.read_register("rsp")) - 8 - registers["rsp"], older.pc()))
            frame = older
        return [step for step in steps if step[0] >= 0 and u64(registers["rsp"] + step[0]) == step[1]], place


def place_of_frame(frame):
    sal = frame.find_sal()
    return Place(sal.symtab.filename if sal.symtab else "", sal.line, name_of(frame) or "?")


TRAILS = Trails()


def place_of(thread):
    """Where a thread is, without selecting it for good."""
    if not thread.has_frames():
        return None
    selected = Selection()
    following = UNWINDER.live, UNWINDER.edge, UNWINDER.registers
    try:
        worker = thread.block.worker.os_thread
        if worker is None:
            return None
        if gdb.selected_thread().ptid != worker.ptid:
            worker.switch()
        UNWINDER.follow(None if thread.state == "running" else thread.fiber)
        if thread.state == "running":
            return place_of_frame(users_frame(gdb.newest_frame()))
        return TRAILS.place(thread.fiber)
    finally:
        UNWINDER.live, UNWINDER.edge, UNWINDER.registers = following
        gdb.invalidate_cached_frames()
        selected.restore()


class Places:
    """place_of() of many threads; those that wait are looked up without gdb's frames where that is possible."""

    def of(self, thread):
        if thread.has_frames() and thread.state != "running":
            registers = thread.fiber.registers()
            for first, steps, place in TRAILS.known:
                if first == registers["rip"] and Trails.fits(registers["rsp"], steps):
                    return place
        return place_of(thread)
