# SPDX-License-Identifier: Apache-2.0
"""`set cuda break_on_launch application`: the program stops in the first thread of each launch that runs."""
import re

import gdb

from .machine import MACHINE, worker_of
from .memory import TABLE, message

# What the library knows of a kernel is a variable of this name (include/warpfiber/translated/kernels.hpp).
KNOWN = r"warpfiber::cuda::detail::LaunchedKernel<.*::warpfiber_about, .*>::record"
BEGINS_LAUNCH = "warpfiber::engine::Worker::begin_thread"


def kernels_of_program():
    """Names of the program's kernels, `a::sum`."""
    listed = gdb.execute("info variables -q " + KNOWN, False, True)
    names = set()
    for known in re.findall(r"detail::LaunchedKernel<(.*?)::warpfiber_about, ", listed):
        name, depth = "", 0
        for letter in known:  # without what is in brackets: arguments of templates, and parameters
            depth += letter in "<("
            name += letter if depth == 0 else ""
            depth -= letter in ">)"
        names.add(name.split(" ")[-1])
    return names


def launch_of(os_thread):
    """The number of the launch that an OS thread works on; None: it works on none."""
    worker = worker_of(os_thread)
    if worker == 0:
        return None
    grid = TABLE.pointer(worker, "worker.launch")
    return TABLE.pointer(TABLE.pointer(grid, "grid.request"), "request.number")


class KernelStop(gdb.Breakpoint):
    """At a kernel: stops once in a launch."""

    def __init__(self, name):
        super().__init__(name, internal=True)
        self.silent = True

    def stop(self):
        launch = launch_of(gdb.selected_thread())
        if launch is None or launch in LAUNCHES.seen:
            return False
        LAUNCHES.seen.add(launch)
        LAUNCHES.has_stopped = True
        return True


class LaunchBegin(gdb.Breakpoint):
    """Where a worker begins with a launch: the first thread at a kernel is to be stopped again."""

    def __init__(self):
        super().__init__(BEGINS_LAUNCH, internal=True)
        self.silent = True

    def stop(self):
        LAUNCHES.enable(True)
        return False


class Launches:
    def __init__(self):
        self.is_on = False
        self.stops = {}     # by the name of the kernel
        self.begin = None
        self.seen = set()   # numbers of launches
        self.has_stopped = False

    def set(self, is_on):
        self.is_on = is_on
        if not is_on:
            for stop in [*self.stops.values(), self.begin]:
                if stop is not None and stop.is_valid():
                    stop.delete()
            self.stops, self.begin = {}, None
        self.look()

    def look(self):
        """New code may have kernels."""
        if not self.is_on:
            return
        for name in kernels_of_program() - set(self.stops):
            self.stops[name] = KernelStop(name)
        if self.begin is None and self.stops:
            self.begin = LaunchBegin()

    def enable(self, is_enabled):
        for stop in self.stops.values():
            if stop.is_valid() and stop.enabled != is_enabled:
                stop.enabled = is_enabled

    def on_stop(self):
        """Other threads of the launch do not stop, and are not asked: that would take long."""
        if not self.has_stopped:
            return
        self.has_stopped = False
        self.enable(False)
        thread = MACHINE.running_on(gdb.selected_thread())
        message("[CUDA launch: %s]" % (thread.block.kernel if thread else "a kernel"))
        gdb.execute("frame")

    def on_exit(self):
        self.seen = set()
        self.enable(True)


LAUNCHES = Launches()


class BreakOnLaunch(gdb.Parameter):
    """Whether the program stops in the first thread of each launch: `application' or `none'. `all' is as `application',
and `system' as `none': there are no kernels but those of the program."""

    set_doc = "Set whether the program stops in the first thread of each launch."
    show_doc = "Show whether the program stops in the first thread of each launch."

    def __init__(self):
        super().__init__("cuda break_on_launch", gdb.COMMAND_BREAKPOINTS, gdb.PARAM_ENUM,
                         ["none", "application", "system", "all"])
        self.value = "none"

    def get_set_string(self):
        LAUNCHES.set(self.value in ("application", "all"))
        return ""

    def get_show_string(self, value):
        return "The program stops in the first thread of launches: %s." % value
