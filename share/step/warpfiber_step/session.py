# SPDX-License-Identifier: Apache-2.0
"""A session: the program, where it is, and the stops before. Back is a run from the start to the stop before."""
import os
import re

from .errors import Fatal, Refused

MOVES = ("line", "lane", "warp", "epoch", "block", "launch")


class Stop:
    """Where the program has stopped, as far as it is needed to come there again."""

    def __init__(self, position, finding=0, has_ended=False):
        self.position, self.finding, self.has_ended = position, finding, has_ended
        self.focus = None  # {"block": …, "thread": …} that the user has chosen there

    def request(self):
        if self.has_ended:
            return {"do": "start", "position": 0}
        if self.finding:
            return {"do": "start", "finding": self.finding}
        return {"do": "start", "position": self.position}


class Session:
    def __init__(self, debugger, expressions, wait=None):
        self.debugger = debugger
        self.wait = wait or debugger.reply
        self.expressions = list(expressions)
        self.state = {}
        self.stops = []

    # Requests.
    def ask(self, request):
        self.debugger.send(request)
        state = self.debugger.checked(self.wait())
        # In JSON the names of members are text.
        state["counts"] = {file: {int(line): count for line, count in lines.items()}
                           for file, lines in state.get("counts", {}).items()}
        self.state = state

    def start(self):
        try:
            self.ask({"do": "watch", "expressions": self.expressions})
            self.ask({"do": "start", "position": 1})
        except Refused as refused:
            raise Fatal("the program cannot be started: %s" % refused) from None
        self.stops = [self.here()]
        return self.where()

    def here(self):
        if self.has_ended():
            return Stop(self.state.get("position", 0), has_ended=True)
        if self.state["why"] == "finding":
            return Stop(self.state["position"], finding=len(self.state["findings"]))
        return Stop(self.state["position"])

    def go(self, request):
        """To another stop, which is one to come back to."""
        self.ask(request)
        self.stops.append(self.here())

    def move(self, kind, times=1):
        before = self.state
        self.go({"do": "move", "kind": kind, "times": times})
        if self.state["why"] == "returned" and not self.has_ended():
            what = "%s has ended" % self.block_of(before) if kind == "epoch" else \
                "%s has returned" % self.thread_of(before)
            return "%s; %s" % (what, self.where())
        return self.where()

    def goto(self, position):
        if position < 1:
            raise Refused("Positions begin with 1.")
        ahead = not self.has_ended() and self.state.get("position", 0) < position
        if not ahead and position == self.state.get("position") and not self.has_ended():
            return self.where()
        self.go({"do": "position", "position": position} if ahead else {"do": "start", "position": position})
        return self.where()

    def to_finding(self):
        self.go({"do": "finding", "number": len(self.state["findings"]) + 1})
        return self.where()

    def back(self, times=1):
        """Stops before; the first one where there are fewer."""
        if len(self.stops) < 2:
            raise Refused("This is the first stop.")
        del self.stops[max(1, len(self.stops) - times):]
        stop = self.stops[-1]
        self.ask(stop.request())
        if stop.focus is not None:
            self.ask({"do": "focus", **stop.focus})
        return self.where()

    def focus(self, **wanted):
        self.ask({"do": "focus", **wanted})
        self.stops[-1].focus = {"block": self.state["block"], "thread": self.state["thread"]}
        return self.where(with_reason=False)

    def watch(self, expression):
        if expression in self.expressions:
            raise Refused("`%s' is watched already." % expression)
        self.expressions.append(expression)
        self.ask({"do": "watch", "expressions": self.expressions})
        return "watched: " + ", ".join(self.expressions)

    def unwatch(self, expression):
        if expression not in self.expressions:
            raise Refused("`%s' is not watched." % expression)
        self.expressions.remove(expression)
        self.ask({"do": "watch", "expressions": self.expressions})
        return "watched: " + (", ".join(self.expressions) or "nothing")

    # Where it is, in words.
    def has_ended(self):
        return "exit" in self.state

    def is_in_kernel(self):
        return "thread" in self.state

    @staticmethod
    def block_of(state):
        return "block " + shown(state["block"], state["grid"])

    @staticmethod
    def thread_of(state):
        return "thread " + shown(state["thread"], state["extent"])

    def where(self, with_reason=True):
        if self.has_ended():
            return self.shown_exit()
        if not self.is_in_kernel():
            return "position %d: no kernel runs" % self.state.get("position", 0)
        reason = self.shown_reason() if with_reason else ""
        file, line = self.state["places"][self.state["rank"]]
        place = "at %s:%d" % (os.path.basename(self.state["files"][file]), line) if line else "not started"
        return "%sposition %d: %s, %s, epoch %d, %s" % (
            reason, self.state["position"], self.block_of(self.state), self.thread_of(self.state), self.state["epoch"],
            place)

    def shown_reason(self):
        why = self.state["why"]
        if why == "finding":
            last = self.state["findings"][-1]
            return "finding %d, %s%s; " % (len(self.state["findings"]), last["what"],
                                           ", ends the launch" if last["ends_launch"] else "")
        return why + "; " if why == "interrupted" or why.startswith("signal") else ""

    def shown_exit(self):
        exit_of = self.state["exit"]
        how = "with exit code %d" % exit_of["code"] if exit_of["code"] is not None else \
            "by signal %d" % exit_of["signal"]
        if not self.state.get("position"):
            return "the program has ended %s, and no kernel has run a statement" % how
        count = len(self.state["findings"])
        findings = "no finding" if count == 0 else "%d finding%s" % (count, "" if count == 1 else "s")
        return "the program has ended %s after position %d; %s" % (how, self.state["position"], findings)


def shown(index, extent):
    """An index with as many numbers as its extent has dimensions: 5, (5,1) or (5,1,0)."""
    if extent[1] == 1 and extent[2] == 1:
        return str(index[0])
    return "(%s)" % ",".join(str(number) for number in (index if extent[2] > 1 else index[:2]))


PLACE = re.compile(r"\s*(block|thread|warp|lane)\s*(\([\d\s,]+\)|\d+)")


def parse_place(words):
    """{"thread": [5, 0, 0], "block": 1} of `thread (5,0,0) block 1`."""
    wanted = {}
    while words.strip():
        match = PLACE.match(words)
        if match is None:
            raise Refused("`%s' is none of block, thread, warp and lane with a number or an index such as (5,0,0)." %
                          words.strip())
        value = match.group(2)
        numbers = [int(number) for number in re.findall(r"\d+", value)]
        if len(numbers) > 3:
            raise Refused("`%s' is no index; write (x), (x,y) or (x,y,z)." % value)
        if match.group(1) in ("warp", "lane") and len(numbers) > 1:
            raise Refused("A %s has a number, and no index." % match.group(1))
        wanted[match.group(1)] = numbers if value.startswith("(") and match.group(1) in ("block", "thread") else numbers[0]
        words = words[match.end():]
    if not wanted:
        raise Refused("Which thread? For example: thread (5,0,0) block (1,0,0)")
    return wanted
