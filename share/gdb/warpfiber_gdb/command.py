# SPDX-License-Identifier: Apache-2.0
"""The command `cuda`."""
import gdb

from .focus import FOCUS, MACHINE_VARIABLES, find_thread, focus_or_any, parse_place
from .memory import message
from .watches import WATCHES


class CudaCommand(gdb.Command):
    """Look at the threads of kernels.

cuda kernel N block (x,y,z) thread (x,y,z)    switch to a thread that runs or waits; what is left out stays as it is
cuda warp N lane N                            the same, by warp and lane
cuda kernel block thread warp lane            show which thread is in focus
cuda watch EXPR                               show EXPR in all lanes of the warp in focus, now and at each stop
cuda unwatch [EXPR]                           forget it, or all

A thread that waits is shown behind frame 0, which is that of the OS thread. threadIdx and blockIdx are its own. The
program goes on with the thread that ran when it stopped."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        verb, _, rest = argument.strip().partition(" ")
        if verb in ("watch", "unwatch"):
            WATCHES.add(rest.strip()) if verb == "watch" else WATCHES.remove(rest.strip())
            return
        self.move(argument, from_tty)

    @staticmethod
    def move(argument, from_tty):
        wanted = parse_place(argument)
        if not wanted:
            raise gdb.GdbError("Which thread? For example: cuda block (1,0,0) thread (5,0,0); see `help cuda'.")
        focus = focus_or_any()
        if all(value is None for value in wanted.values()):
            message(str(focus))
            return
        FOCUS.set(find_thread(wanted, focus))
        MACHINE_VARIABLES.update()
        message("[Switching focus to CUDA %s]" % FOCUS.current())
        gdb.execute("frame", from_tty)

    def complete(self, _, word):
        return [name for name in ("kernel", "block", "thread", "warp", "lane", "watch", "unwatch") if name.startswith(word)]
