# SPDX-License-Identifier: Apache-2.0
"""`set cuda break_on_finding on`: the program stops where a finding is made, before it is reported."""
import gdb

from .frames import is_library, place_of_frame, users_frame
from .memory import message

# Functions of the library that note a finding: one that ends its launch, and one of the checker's, which does not. What
# is said where no code of the user's has called them.
LAUNCH_FAILED = "warpfiber_launch_failed"
NOTED_IN = {
    LAUNCH_FAILED: "the launch cannot go on; see `info cuda threads'",
    "warpfiber_case_found": "about what threads have done before; the report says where",
}


class FindingStop(gdb.Breakpoint):
    """Stops once at each place of the user's code, and wherever a launch ends."""

    def __init__(self, function, otherwise):
        super().__init__(function, internal=True)
        self.ends_launch = function == LAUNCH_FAILED
        self.otherwise = otherwise
        self.silent = True
        self.places = set()

    def stop(self):
        place = str(place_of_frame(users_frame(gdb.newest_frame())))
        if place in self.places and not self.ends_launch:
            return False
        self.places.add(place)
        FINDINGS.stopped_by = self
        return True


class Findings:
    def __init__(self):
        self.stops = []
        self.stopped_by = None

    def set(self, is_on):
        for stop in self.stops:
            if stop.is_valid():
                stop.delete()
        self.stops = [FindingStop(*row) for row in NOTED_IN.items()] if is_on else []

    def on_stop(self):
        """Shows the user's frame of the thread that has made a finding."""
        if self.stopped_by is None:
            return
        otherwise, self.stopped_by = self.stopped_by.otherwise, None
        frame = users_frame(gdb.newest_frame())
        if is_library(frame):
            message("[CUDA finding: %s]" % otherwise)
            return
        message("[CUDA finding]")
        frame.select()
        gdb.execute("frame")


FINDINGS = Findings()


class BreakOnFinding(gdb.Parameter):
    """Whether the program stops where a finding is made: a race or an access out of bounds in programs that are built
with -fcheck, and whatever ends a launch in all."""

    set_doc = "Set whether the program stops where a finding is made."
    show_doc = "Show whether the program stops where a finding is made."

    def __init__(self):
        super().__init__("cuda break_on_finding", gdb.COMMAND_BREAKPOINTS, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        FINDINGS.set(self.value)
        return ""

    def get_show_string(self, value):
        return "The program stops where a finding is made: %s." % value


class Prefix(gdb.Command):
    """Options of Warpfiber's commands."""

    def __init__(self, verb):
        super().__init__(verb + " cuda", gdb.COMMAND_SUPPORT, prefix=True)


def add_options():
    Prefix("set")
    Prefix("show")
    BreakOnFinding()
