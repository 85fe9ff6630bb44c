# SPDX-License-Identifier: Apache-2.0
"""Answers `warpfiber step`: a line of JSON for each request, with all that it shows of the program at the stop."""
import json
import os
import shlex

import gdb

from .focus import FOCUS, lanes_of
from .information import thread_ranges
from .machine import MACHINE
from .names import unlinear
from .stepping import Steps
from .watches import Visit, value_of

LETTERS = {"running": ">", "ready": "+", "waiting": "|", "done": "x", "not started": "."}
CHANGES = "changes of memory"  # what a thread waits for that reads memory again and again


class Refused(Exception):
    """A request that makes no sense here, as a sentence for the user."""


class Server:
    def __init__(self, requests, replies, output):
        for descriptor in (requests, replies):
            os.set_inheritable(descriptor, False)  # or the program would have them
        self.requests = os.fdopen(requests, encoding="utf-8")
        self.replies = os.fdopen(replies, "w", encoding="utf-8")
        self.steps = Steps(lambda process: self.send({"process": process}))
        self.output = output
        self.expressions = []
        self.focus = None  # (launch, rank of the block, rank of the thread) that the user has chosen
        self.last = {}     # the last state of a program that has ended

    def send(self, message):
        self.replies.write(json.dumps(message) + "\n")
        self.replies.flush()

    def serve(self):
        """Until the other side closes."""
        self.send({"gdb": gdb.VERSION})
        self.prepare()
        for line in self.requests:
            request = json.loads(line)
            try:
                getattr(self, "do_" + request.pop("do"))(**request)
                self.send(self.state())
            except Refused as refused:
                self.send({"refused": str(refused)})
            except gdb.error as error:
                self.send({"refused": "gdb: %s" % error})

    def prepare(self):
        for setting in ("pagination off", "confirm off", "width 0", "height 0", "debuginfod enabled off",
                        "print thread-events off", "print inferior-events off", "startup-with-shell on"):
            gdb.execute("set " + setting, False, True)
        # What --args has set, quoted for the shell; gdb.parameter() does not know it.
        arguments = gdb.execute("show args", False, True).partition('"')[2].rpartition('"')[0]
        gdb.execute("set args %s </dev/null >>%s 2>&1" % (arguments, shlex.quote(self.output)))

    # Requests.
    def do_start(self, position=1, finding=0):
        """Anew, to a position, 0 for the end, or to the finding with this number."""
        self.focus = None
        open(self.output, "w", encoding="utf-8").close()
        self.steps.start()
        if self.steps.exit is None and self.steps.why == "position":
            if finding:
                self.steps.to_finding(finding)
            elif position != 1:
                self.steps.to_position(position)
        self.end_if_over()

    def do_position(self, position):
        self.check_alive()
        self.focus = None
        self.steps.to_position(position)
        self.end_if_over()

    def do_finding(self, number):
        self.check_alive()
        self.focus = None
        self.steps.to_finding(number)
        self.end_if_over()

    def do_move(self, kind, times):
        self.check_alive()
        thread = self.focused()
        if thread is None:
            raise Refused("No kernel runs: the program goes on only to a position, a finding or its end.")
        self.focus = None
        self.steps.move(kind, times, self.identity(thread), self.steps.epoch(thread.block))
        self.end_if_over()

    def do_focus(self, block=None, thread=None, warp=None, lane=None):
        """Indices, each of three numbers, or numbers; what is left out stays as it is."""
        self.check_alive()
        at = self.focused()
        if at is None:
            raise Refused("No kernel runs, so there is no thread to look at.")
        kernel = at.block.kernel
        of_block = at.block if block is None else self.find_block(kernel, self.rank(block, kernel.grid, "block"))
        rank = at.rank if thread is None else self.rank(thread, kernel.block, "thread")
        if warp is not None or lane is not None:
            rank = self.rank_of_lane(kernel, at, warp, lane)
        self.focus = self.identity(of_block.threads[rank])

    def do_watch(self, expressions):
        self.expressions = expressions

    def do_show(self):
        pass

    def check_alive(self):
        if self.steps.exit is not None or not self.steps.address:
            raise Refused("The program has ended.")

    @staticmethod
    def rank(value, extent, what):
        count = extent[0] * extent[1] * extent[2]
        if isinstance(value, int) and value >= count:
            raise Refused("There is no %s %d: they go up to %d." % (what, value, count - 1))
        value = list(value) if isinstance(value, list) else list(unlinear(value, extent))
        value += [0] * (3 - len(value))
        if any(value[i] >= extent[i] for i in range(3)):
            raise Refused("There is no %s (%d,%d,%d): they go up to (%d,%d,%d)." % (
                what, *value, *(size - 1 for size in extent)))
        return value[0] + extent[0] * (value[1] + extent[1] * value[2])

    @staticmethod
    def find_block(kernel, rank):
        for block in kernel.blocks:
            if block.rank == rank:
                return block
        raise Refused("Block (%d,%d,%d) is not resident: it has ended or has not started." % unlinear(rank, kernel.grid))

    @staticmethod
    def rank_of_lane(kernel, at, warp, lane):
        warp, lane = at.warp if warp is None else warp, 0 if lane is None else lane
        rank = warp * kernel.warp_size + lane
        if lane >= kernel.warp_size or rank >= kernel.threads:
            raise Refused("There is no warp %d with lane %d in a block of %d threads." % (warp, lane, kernel.threads))
        return rank

    # Where the program is.
    @staticmethod
    def identity(thread):
        return (thread.block.kernel.number, thread.block.rank, thread.rank)

    def focused(self):
        """The thread that the user has chosen, else the one that runs, else one that waits; None: no kernel runs."""
        for block in MACHINE.blocks():
            if self.focus is not None and (block.kernel.number, block.rank) == self.focus[:2]:
                return block.threads[self.focus[2]]
        running = MACHINE.running_on(gdb.selected_thread()) if gdb.selected_thread() is not None else None
        if running is not None:
            return running
        for block in MACHINE.blocks():
            for thread in block.threads:
                if thread.has_frames():
                    return thread
        return None

    def end_if_over(self):
        """The process is let go where it only has to end; what it has counted is kept."""
        if self.steps.exit is None and self.steps.why == "end":
            self.last = {"position": self.steps.position(), "counts": self.steps.counts()}
            self.steps.leave()
        elif self.steps.exit is None and self.steps.address:
            self.last = {"position": self.steps.position(), "counts": self.steps.counts()}

    def state(self):
        found = {"why": self.steps.why, "findings": [self.shown_finding(one) for one in self.steps.findings],
                 "expressions": self.expressions, **self.last}
        if self.steps.exit is not None:
            return {**found, "exit": {"code": self.steps.exit.code, "signal": self.steps.exit.signal}}
        thread = self.focused()
        if thread is None:
            return found
        kernel, block = thread.block.kernel, thread.block
        places, files = self.steps.places(block), self.steps.file_names()
        found.update({
            "kernel": kernel.name, "launch": kernel.number, "grid": kernel.grid, "extent": kernel.block,
            "warp_size": kernel.warp_size, "files": files, "block": block.index, "thread": thread.index,
            "rank": thread.rank, "epoch": self.steps.epoch(block), "focus_state": self.shown_state(thread),
            "states": "".join(self.letter(one) for one in block.threads), "places": places,
            "waits": self.waits(block, places), "watches": self.watched(thread)})
        return found

    @staticmethod
    def letter(thread):
        return "~" if thread.wait is not None and thread.wait.what == CHANGES else LETTERS[thread.state]

    @staticmethod
    def shown_state(thread):
        return "waits at " + thread.wait.what if thread.wait is not None else thread.state

    @staticmethod
    def shown_finding(finding):
        return {"what": finding.what, "position": finding.position, "ends_launch": finding.ends_launch,
                "thread": finding.thread, "place": [finding.place.file, finding.place.line] if finding.place else None}

    # Who waits for whom.
    def waits(self, block, places):
        found = []
        for wait, fibers in block.barriers:
            here = [thread for thread in block.threads if thread.fiber and thread.fiber.address in fibers]
            missing = []
            if wait.members is not None:
                come = {thread.rank for thread in here}
                missing = [block.threads[rank] for rank in wait.members if rank not in come]
            found.append({"what": wait.what, "line": self.line_of(wait, here, places),
                          "here": self.ranges(here, lambda _: ""),
                          "arrived": len(here), "missing_count": max(wait.expected - wait.arrived, len(missing), 0),
                          "missing": self.ranges(missing, self.reason)})
        for what in sorted({wait.what for wait in block.waits.values() if wait.alone}):
            alone = [thread for thread in block.threads if thread.wait is not None and thread.wait.what == what and
                     thread.wait.alone]
            found.append({"what": what, "line": places[alone[0].rank][1], "here": self.ranges(alone, lambda _: ""),
                          "arrived": len(alone), "missing_count": 0, "missing": []})
        return found

    @staticmethod
    def line_of(wait, here, places):
        if wait.place is not None and wait.place.line:
            return wait.place.line
        return places[here[0].rank][1] if here else 0

    def reason(self, thread):
        """What a thread does that others wait for."""
        if thread.wait is not None:
            place = thread.wait.place
            return "waiting at %s%s" % (thread.wait.what, ", line %d" % place.line if place and place.line else "")
        return "returned" if thread.state == "done" else thread.state

    @staticmethod
    def ranges(threads, key):
        return [[first.rank, last.rank, value] for value, first, last in thread_ranges(threads, key)]

    # Values.
    def watched(self, focus):
        """For each expression its values in the lanes of the warp in focus, None where the thread has no frames, and why it
        has no value in the last lane that has none."""
        found = [{"values": [], "error": ""} for _ in self.expressions]
        if not found:
            return found
        with Visit():
            for thread in lanes_of(focus):
                if thread.has_frames():
                    FOCUS.set(thread)
                for expression, row in zip(self.expressions, found):
                    row["values"].append(self.value(expression, row) if thread.has_frames() else None)
        return found

    @staticmethod
    def value(expression, row):
        try:
            return value_of(expression)
        except gdb.error as error:
            row["error"] = str(error)
            return "?"


def serve(requests, replies, output):
    Server(requests, replies, output).serve()
