# SPDX-License-Identifier: Apache-2.0
"""`info cuda …`."""
import gdb

from .focus import FOCUS, find_block, find_kernel, focus_or_any, lanes_of, parse_place
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


class InfoBlocks(InfoCommand):
    """Blocks that are resident, and what their threads do."""

    STATES = ("running", "ready", "waiting", "done", "not started")

    def show(self, _):
        focus = FOCUS.current()
        for kernel in self.each_kernel():
            rows = []
            for block in kernel.blocks:
                count = {state: 0 for state in self.STATES}
                for thread in block.threads:
                    count[thread.state] += 1
                rows.append((mark(focus is not None and focus.block is block), shown(block.index),
                             *(count[state] for state in self.STATES)))
            print_table(("", "BlockIdx", "Running", "Ready", "Waiting", "Done", "Not started"), rows)


class InfoThreads(InfoCommand):
    """Threads of resident blocks: what they do, where they are in the program, and what they wait at.
`info cuda threads block (1,0,0)' shows those of one block."""

    def show(self, argument):
        wanted = parse_place(argument)
        focus = focus_or_any()
        only = find_block(find_kernel(wanted, focus), wanted, focus) if wanted else None
        places = Places()
        for kernel in self.each_kernel():
            rows = []
            for block in kernel.blocks:
                if only is None or only is block:
                    rows += self.rows(block, places)
            print_table(("", "BlockIdx", "ThreadIdx", "To ThreadIdx", "Count", "State", "Where", "Waits at"), rows)

    def rows(self, block, places):
        focus = FOCUS.current()

        def key(thread):
            wait = thread.wait
            is_focus = focus is not None and focus.same_as(thread)
            return (is_focus, thread.state, str(places.of(thread) or "-"), wait.what if wait else "")

        return [(mark(value[0]), shown(block.index), shown(first.index), shown(last.index), last.rank - first.rank + 1,
                 *value[1:]) for value, first, last in thread_ranges(block.threads, key)]


class InfoWarps(InfoCommand):
    """Warps of the block in focus, as sets of lanes: lane 0 is the lowest bit."""

    def show(self, _):
        focus = focus_or_any()
        block = focus.block
        message("%s, block %s" % (block.kernel, shown(block.index)))
        rows, places, size = [], Places(), block.kernel.warp_size
        for warp in range(block.kernel.warps):
            lanes = block.threads[warp * size:(warp + 1) * size]
            where = sorted({str(places.of(thread)) for thread in lanes if thread.has_frames()})
            rows.append((mark(warp == focus.warp), warp, shown(lanes[0].index),
                         *(self.mask(lanes, states) for states in (("running",), ("ready",), ("waiting",), ("done",))),
                         ", ".join(where)))
        print_table(("", "Warp", "First ThreadIdx", "Running", "Ready", "Waiting", "Done", "Where"), rows)

    @staticmethod
    def mask(lanes, states):
        return "0x%08x" % sum(1 << thread.lane for thread in lanes if thread.state in states)


class InfoLanes(InfoCommand):
    """Lanes of the warp in focus."""

    def show(self, _):
        focus = focus_or_any()
        message("%s, block %s, warp %d" % (focus.block.kernel, shown(focus.block.index), focus.warp))
        places = Places()
        rows = []
        for thread in lanes_of(focus):
            wait = thread.wait
            rows.append((mark(thread.same_as(focus)), thread.lane, shown(thread.index), thread.state,
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


class InfoCuda(gdb.Command):
    """What kernels do: `info cuda kernels', `blocks', `threads', `warps', `lanes' or `barriers'."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)
        for command, name in ((InfoKernels, "kernels"), (InfoBlocks, "blocks"), (InfoThreads, "threads"),
                              (InfoWarps, "warps"), (InfoLanes, "lanes"), (InfoBarriers, "barriers")):
            command(name)

    def invoke(self, argument, from_tty):
        raise gdb.GdbError("Which? `info cuda' is followed by kernels, blocks, threads, warps, lanes or barriers.")
