# SPDX-License-Identifier: Apache-2.0
"""`info cuda …`."""
import gdb

from .focus import FOCUS, lanes_of, matching, thread_of_filter
from .frames import Places
from .machine import MACHINE
from .memory import message
from .names import shown
from .tables import mark, print_table

def thread_ranges(threads, key):
    """Neighbours for which `key` is the same: (key, first, last)."""
    ranges = []
    for thread in threads:
        value = key(thread)
        if ranges and ranges[-1][0] == value and ranges[-1][2].rank + 1 == thread.rank and \
                ranges[-1][2].block is thread.block:
            ranges[-1] = (value, ranges[-1][1], thread)
        else:
            ranges.append((value, thread, thread))
    return ranges


class InfoCommand(gdb.Command):
    def __init__(self, name):
        super().__init__("info cuda " + name, gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if not MACHINE.kernels():
            message("No kernel runs.")
            return
        self.show(argument)

    @staticmethod
    def each_kernel():
        for kernel in MACHINE.kernels():
            message(str(kernel))
            yield kernel


class InfoKernels(InfoCommand):
    """Kernels that run."""

    def show(self, _):
        focus = FOCUS.current()
        rows = [(mark(focus is not None and focus.block.kernel is kernel), kernel.number, kernel.device, kernel.stream,
                 shown(kernel.grid), shown(kernel.block), len(kernel.workers), kernel.name)
                for kernel in MACHINE.kernels()]
        print_table(("", "Kernel", "Dev", "Stream", "GridDim", "BlockDim", "Workers", "Name"), rows)


class InfoDevices(InfoCommand):
    """Devices on which kernels run."""

    def show(self, _):
        focus = FOCUS.current()
        devices = {}
        for kernel in MACHINE.kernels():
            devices.setdefault((kernel.device, kernel.device_name), []).append(kernel)
        rows = [(mark(focus is not None and focus.block.kernel in kernels), device, name, len(kernels),
                 sum(len(kernel.blocks) for kernel in kernels), sum(len(kernel.workers) for kernel in kernels))
                for (device, name), kernels in sorted(devices.items())]
        print_table(("", "Dev", "Name", "Kernels", "Resident blocks", "Workers"), rows)


class InfoBlocks(InfoCommand):
    """Blocks that are resident, and what their threads do. `info cuda blocks kernel 2' shows those of one kernel."""

    STATES = ("running", "ready", "waiting", "done", "not started")

    def show(self, argument):
        focus = FOCUS.current()
        for kernel, blocks in matching(argument):
            message(str(kernel))
            rows = []
            for block, _ in blocks:
                count = {state: 0 for state in self.STATES}
                for thread in block.threads:
                    count[thread.state] += 1
                rows.append((mark(focus is not None and focus.block is block), shown(block.index),
                             *(count[state] for state in self.STATES)))
            print_table(("", "BlockIdx", "Running", "Ready", "Waiting", "Done", "Not started"), rows)


class InfoThreads(InfoCommand):
    """Threads of resident blocks: what they do, where they are in the program, and what they wait at.
`info cuda threads block (1,0,0) warp 2' shows those of a warp; also `kernel', `thread' and `lane'."""

    def show(self, argument):
        places = Places()
        for kernel, blocks in matching(argument):
            message(str(kernel))
            rows = []
            for block, threads in blocks:
                rows += self.rows(block, threads, places)
            print_table(("", "BlockIdx", "ThreadIdx", "To ThreadIdx", "Count", "State", "Where", "Waits at"), rows)

    def rows(self, block, threads, places):
        focus = FOCUS.current()

        def key(thread):
            wait = thread.wait
            is_focus = focus is not None and focus.same_as(thread)
            return (is_focus, thread.state, str(places.of(thread) or "-"), wait.what if wait else "")

        return [(mark(value[0]), shown(block.index), shown(first.index), shown(last.index), last.rank - first.rank + 1,
                 *value[1:]) for value, first, last in thread_ranges(threads, key)]


class InfoWarps(InfoCommand):
    """Warps of the block in focus, as sets of lanes: lane 0 is the lowest bit. `info cuda warps block (1,0,0)' shows
those of another block."""

    def show(self, argument):
        focus, block = FOCUS.current(), thread_of_filter(argument).block
        in_focus = focus.warp if focus is not None and focus.block is block else None
        message("%s, block %s" % (block.kernel, shown(block.index)))
        rows, places, size = [], Places(), block.kernel.warp_size
        for warp in range(block.kernel.warps):
            lanes = block.threads[warp * size:(warp + 1) * size]
            where = sorted({str(places.of(thread)) for thread in lanes if thread.has_frames()})
            rows.append((mark(warp == in_focus), warp, shown(lanes[0].index),
                         *(self.mask(lanes, states) for states in (("running",), ("ready",), ("waiting",), ("done",))),
                         ", ".join(where)))
        print_table(("", "Warp", "First ThreadIdx", "Running", "Ready", "Waiting", "Done", "Where"), rows)

    @staticmethod
    def mask(lanes, states):
        return "0x%08x" % sum(1 << thread.lane for thread in lanes if thread.state in states)


class InfoLanes(InfoCommand):
    """Lanes of the warp in focus; `info cuda lanes block (1,0,0) warp 2' shows those of another."""

    def show(self, argument):
        focus, one = FOCUS.current(), thread_of_filter(argument)
        message("%s, block %s, warp %d" % (one.block.kernel, shown(one.block.index), one.warp))
        places = Places()
        rows = []
        for thread in lanes_of(one):
            wait = thread.wait
            rows.append((mark(focus is not None and thread.same_as(focus)), thread.lane, shown(thread.index), thread.state,
                         str(places.of(thread) or "-"), wait.what if wait else ""))
        print_table(("", "Lane", "ThreadIdx", "State", "Where", "Waits at"), rows)


class InfoBarriers(InfoCommand):
    """Barriers and collectives at which threads wait for others: who has come and how many are missing."""

    def show(self, _):
        for kernel in self.each_kernel():
            rows = [row for block in kernel.blocks for row in self.rows(block)]
            if rows:
                print_table(("", "BlockIdx", "Waits at", "Where", "Arrived", "Missing", "Threads"), rows)
            else:
                message("  No thread waits for others.")

    @staticmethod
    def rows(block):
        for wait, fibers in block.barriers:
            waiting = [thread for thread in block.threads if thread.fiber and thread.fiber.address in fibers]
            ranges = thread_ranges(waiting, lambda thread: None)
            named = ", ".join(shown(first.index) + ("" if first is last else "-" + shown(last.index))
                              for _, first, last in ranges)
            yield (" ", shown(block.index), wait.what, str(wait.place or "?"), wait.arrived,
                   max(wait.expected - wait.arrived, 0), named)


class NoInfo(gdb.Command):
    """What cuda-gdb shows and a CPU does not have."""

    def __init__(self, name, why):
        super().__init__("info cuda " + name, gdb.COMMAND_STATUS)
        self.why = why

    def invoke(self, argument, from_tty):
        message(self.why)


NOT_HERE = {
    "sms": "Blocks are not assigned to SMs here; see `info cuda blocks'.",
    "contexts": "Each device has one context; see `info cuda devices'.",
    "launch": "Kernels are launched by the host only, and have no parents; see `info cuda kernels'.",
    "managed": "Managed variables are ordinary variables of the program here: `print' shows them.",
}


class InfoCuda(gdb.Command):
    """What kernels do: `info cuda kernels', `blocks', `threads', `warps', `lanes', `barriers' or `devices'."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)
        for command, name in ((InfoKernels, "kernels"), (InfoBlocks, "blocks"), (InfoThreads, "threads"),
                              (InfoWarps, "warps"), (InfoLanes, "lanes"), (InfoBarriers, "barriers"),
                              (InfoDevices, "devices")):
            command(name)
        for name, why in NOT_HERE.items():
            NoInfo(name, why)

    def invoke(self, argument, from_tty):
        raise gdb.GdbError("Which? `info cuda' is followed by kernels, blocks, threads, warps, lanes, barriers or devices.")
