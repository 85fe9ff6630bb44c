# SPDX-License-Identifier: Apache-2.0
"""What happens in gdb: the program stops or goes on, code is loaded, commands look at frames."""
import gdb

from .focus import FOCUS, MACHINE_VARIABLES, CudaCommand
from .frames import TRAILS, UNWINDER, FrameFilter
from .information import InfoCuda
from .machine import MACHINE
from .memory import TABLE, VARIABLES

def forget_all(*_):
    MACHINE.forget()
    TRAILS.forget()


def on_stop(_):
    forget_all()
    MACHINE_VARIABLES.update()


def on_resume(_):
    FOCUS.leave()
    forget_all()


def on_call(event):
    if isinstance(event, gdb.InferiorCallPreEvent):
        FOCUS.leave()
    forget_all()


def on_new_code(_):
    TABLE.forget()
    VARIABLES.forget()
    forget_all()


class LeaveFocus(gdb.Command):
    """Used by Warpfiber's hooks: the selected OS thread is as the program has left it."""

    def __init__(self):
        super().__init__("warpfiber-leave-focus", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        FOCUS.leave()


def hook_commands():
    """Commands that look at frames before the program goes on, or that keep what memory holds."""
    for name in ("step", "next", "stepi", "nexti", "until", "advance", "finish", "return", "jump", "detach",
                 "generate-core-file", "thread", "quit"):
        gdb.execute("define hook-%s\nwarpfiber-leave-focus\nend" % name, False, True)


def begin():
    CudaCommand()
    InfoCuda()
    LeaveFocus()
    hook_commands()
    FrameFilter()
    gdb.unwinder.register_unwinder(None, UNWINDER, True)
    gdb.events.stop.connect(on_stop)
    gdb.events.cont.connect(on_resume)
    gdb.events.inferior_call.connect(on_call)
    gdb.events.new_objfile.connect(on_new_code)
    gdb.events.exited.connect(on_new_code)
    gdb.events.memory_changed.connect(lambda _: MACHINE.forget())
