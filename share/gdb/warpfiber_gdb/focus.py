# SPDX-License-Identifier: Apache-2.0
"""The focus: the thread that commands are about."""
import re
import struct

import gdb

from .frames import UNWINDER, users_frame
from .machine import MACHINE
from .memory import VARIABLES, message, read, write
from .names import linear, shown, unlinear

class Focus:
    def __init__(self):
        self.thread = None  # one that waits; None: what the selected OS thread runs
        self.kept = []      # memory as it was, to be put back

    def current(self):
        """The thread in focus; None: no kernel's."""
        return self.thread or MACHINE.running_on(gdb.selected_thread())

    def leave(self, *_):
        """Everything is as the program has left it."""
        if self.thread is None:
            return
        for address, data in self.kept:
            write(address, data)
        self.thread, self.kept = None, []
        UNWINDER.follow(None)

    def set(self, thread):
        self.leave()
        if not thread.has_frames():
            raise gdb.GdbError("Thread %s of block %s %s." % (
                shown(thread.index), shown(thread.block.index),
                "has returned" if thread.state == "done" else "has not started"))
        worker = thread.block.worker
        if worker.os_thread is None:
            raise gdb.GdbError("The OS thread that runs the block is not known.")
        worker.os_thread.switch()
        if thread.state != "running":
            self.enter(thread, worker)
        users_frame(gdb.newest_frame().older() if self.thread else gdb.newest_frame()).select()

    def enter(self, thread, worker):
        for name, index in (("threadIdx", thread.index), ("blockIdx", thread.block.index)):
            address = VARIABLES.address(worker.os_thread, name)
            before = read(address, 12)
            try:
                write(address, struct.pack("<3I", *index))
            except gdb.MemoryError:  # of a core file
                message("[%s cannot be set here and remains that of the thread that ran]" % name)
                continue
            self.kept.append((address, before))
        self.thread = thread
        UNWINDER.follow(thread.fiber)


    def run(self):
        """The program goes on until the thread in focus is about to return to the user's code."""
        thread = self.thread
        if thread is None:
            return
        frame = users_frame(gdb.newest_frame().older())
        places = before_return(frame)
        self.leave()
        stops = [quiet_breakpoint(pc, sp) for pc, sp in places]
        try:
            gdb.execute("continue", False, True)
        finally:
            for stop in stops:
                stop.delete()
        newest = gdb.newest_frame() if gdb.selected_thread() is not None else None
        if newest is None or (newest.pc(), int(newest.read_register("rsp"))) not in places:
            raise gdb.GdbError("The program has stopped before thread %s went on." % shown(thread.index))


def quiet_breakpoint(pc, sp):
    stop = gdb.Breakpoint("*%d" % pc, internal=True)
    stop.condition = "$rsp == %d" % sp
    stop.silent = True
    return stop


def before_return(frame):
    """Program counter and stack pointer where the function that `frame` has called returns: one instruction before the
    frame goes on, so that `next` ends on the line that follows."""
    pc, sp = frame.pc(), int(frame.read_register("rsp"))
    called = frame.newer()
    block = gdb.block_for_pc(called.pc()) if called is not None and called.type() != gdb.INLINE_FRAME else None
    while block is not None and block.function is None:
        block = block.superblock
    if block is None:
        return [(pc, sp)]
    code = frame.architecture().disassemble(block.start, block.end - 1)
    returns = [one["addr"] for one in code if re.match(r"(repz |rep )?ret", one["asm"])]
    return [(address, sp - 8) for address in returns] or [(pc, sp)]


FOCUS = Focus()


def focus_or_any():
    """The thread in focus, else one that has frames."""
    thread = FOCUS.current()
    if thread is not None:
        return thread
    for block in MACHINE.blocks():
        for one in block.threads:
            if one.has_frames():
                return one
    raise gdb.GdbError("No kernel runs.")


def lanes_of(thread):
    """The threads of the warp that a thread is in."""
    size = thread.block.kernel.warp_size
    return thread.block.threads[thread.warp * size:(thread.warp + 1) * size]


WORD = re.compile(r"\s*(kernel|grid|block|thread|warp|lane)\b\s*(\([\d\s,]*\)|\d+)?", re.IGNORECASE)


def parse_place(words):
    """{"thread": (5,0,0), "block": 3, "lane": None} of `thread (5,0,0) block 3 lane`."""
    wanted = {}
    while words.strip():
        match = WORD.match(words)
        if match is None:
            raise gdb.GdbError("`%s' is none of kernel, block, thread, warp and lane, with a number or an index such as "
                               "(5,0,0)." % words.strip())
        value = match.group(2)
        if value is not None:
            numbers = [int(number) for number in re.findall(r"\d+", value)]
            if value.startswith("(") and not 1 <= len(numbers) <= 3:
                raise gdb.GdbError("`%s' is no index; write (x), (x,y) or (x,y,z)." % value)
            value = tuple(numbers + [0] * (3 - len(numbers))) if value.startswith("(") else numbers[0]
        wanted[match.group(1).lower().replace("grid", "kernel")] = value
        words = words[match.end():]
    return wanted


def rank_of(value, extent, what):
    if isinstance(value, int):
        value = unlinear(value, extent)
    if any(value[i] >= extent[i] for i in range(3)):
        raise gdb.GdbError("There is no %s %s: they go up to %s." % (what, shown(value),
                                                                   shown(tuple(size - 1 for size in extent))))
    return linear(value, extent)


def find_kernel(wanted, focus):
    if wanted.get("kernel") is None:
        return focus.block.kernel
    for kernel in MACHINE.kernels():
        if kernel.number == wanted["kernel"]:
            return kernel
    raise gdb.GdbError("No kernel %s runs; see `info cuda kernels'." % wanted["kernel"])


def find_block(kernel, wanted, focus):
    if wanted.get("block") is None:
        return focus.block if focus.block.kernel is kernel else kernel.blocks[0]
    rank = rank_of(wanted["block"], kernel.grid, "block")
    for block in kernel.blocks:
        if block.rank == rank:
            return block
    raise gdb.GdbError("Block %s is not resident: it has ended or has not started; see `info cuda blocks'." %
                       shown(unlinear(rank, kernel.grid)))


def find_thread(wanted, focus):
    """The thread that `cuda` is asked for. What is not named is that of the thread in focus."""
    kernel = find_kernel(wanted, focus)
    block = find_block(kernel, wanted, focus)
    if wanted.get("thread") is not None:
        return block.threads[rank_of(wanted["thread"], kernel.block, "thread")]
    if wanted.get("warp") is None and wanted.get("lane") is None:
        return block.threads[focus.rank] if kernel is focus.block.kernel else block.threads[0]
    warp = wanted["warp"] if wanted.get("warp") is not None else focus.warp
    lane = wanted["lane"] if wanted.get("lane") is not None else 0
    rank = warp * kernel.warp_size + lane
    if lane >= kernel.warp_size or rank >= kernel.threads:
        raise gdb.GdbError("There is no warp %d with lane %d in a block of %d threads." % (warp, lane, kernel.threads))
    return block.threads[rank]


def thread_of_filter(words):
    """The thread that `info cuda warps block (1,0,0)' is about: what is not named is that of the thread in focus."""
    wanted = parse_place(words)
    return find_thread(wanted, focus_or_any()) if wanted else focus_or_any()


def matching(words):
    """[(kernel, [(block, [thread])])] of those that words as `block (1,0,0) lane 3' name; of all that they do not."""
    wanted = parse_place(words)
    focus = focus_or_any()
    kernels = [find_kernel(wanted, focus)] if wanted.get("kernel") is not None else MACHINE.kernels()
    if wanted.get("kernel") is None and any(wanted.get(name) is not None for name in ("block", "thread")):
        kernels = [focus.block.kernel]
    return [(kernel, [(block, matching_threads(block, wanted)) for block in matching_blocks(kernel, wanted, focus)])
            for kernel in kernels]


def matching_blocks(kernel, wanted, focus):
    return kernel.blocks if wanted.get("block") is None else [find_block(kernel, wanted, focus)]


def matching_threads(block, wanted):
    threads = block.threads
    if wanted.get("thread") is not None:
        threads = [threads[rank_of(wanted["thread"], block.kernel.block, "thread")]]
    return [thread for thread in threads if wanted.get("warp") in (None, thread.warp) and
            wanted.get("lane") in (None, thread.lane)]


def numbers_of(thread):
    """The names that cuda-gdb has for what is in focus, and our own, with their values."""
    kernel, block = thread.block.kernel, thread.block
    values = {"cuda_kernel": kernel.number, "cuda_block": block.rank, "cuda_thread": thread.rank, "cuda_warp": thread.warp,
              "cuda_lane": thread.lane, "cuda_focus_kernel_id": kernel.number, "cuda_focus_grid": kernel.number,
              "cuda_focus_device": kernel.device, "cuda_focus_warp": thread.warp, "cuda_focus_lane": thread.lane,
              "kernelid": kernel.number, "gridid": kernel.number, "devid": kernel.device, "warpid": thread.warp,
              "laneid": thread.lane}
    for i, axis in enumerate("xyz"):
        values["cuda_focus_block_" + axis] = block.index[i]
        values["cuda_focus_thread_" + axis] = thread.index[i]
    return values


class MachineVariables:
    """Convenience variables about the thread in focus. Set at each stop and when the focus changes."""

    def __init__(self):
        self.names = set()

    def update(self, *_):
        try:
            thread, present = FOCUS.current(), len(MACHINE.kernels())
        except gdb.error:
            thread, present = None, 0
        values = dict.fromkeys(self.names)
        values.update(numbers_of(thread) if thread is not None else {})
        values["cuda_num_present_kernels"] = values["nkernelid"] = present
        for name, value in values.items():
            gdb.set_convenience_variable(name, value)
        self.names = set(values)


MACHINE_VARIABLES = MachineVariables()
