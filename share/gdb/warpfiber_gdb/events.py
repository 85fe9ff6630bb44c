# SPDX-License-Identifier: Apache-2.0
"""What happens in gdb: the program stops or goes on, code is loaded, commands look at frames."""
import gdb

from .breakpoints import BREAKPOINTS
from .command import CudaCommand
from .findings import FINDINGS, add_options
from .focus import FOCUS, MACHINE_VARIABLES
from .frames import TRAILS, UNWINDER, FrameFilter, is_library, runs_threads
from .information import InfoCuda
from .launches import LAUNCHES, BreakOnLaunch
from .machine import MACHINE
from .memory import ATTACHED, TABLE, VARIABLES, message
from .watches import WATCHES

# Headers that `step` does not enter. A star stands for one folder.
OWN_HEADERS = ("include/warpfiber/*.hpp", "include/warpfiber/*/*.hpp", "include/warpfiber/*/*/*.hpp")

# Variables of the library. clang++ does not describe to debuggers what a file only declares.
BUILT_IN = {"threadIdx": "uint3", "blockIdx": "uint3", "blockDim": "dim3", "gridDim": "dim3", "warpSize": "int"}


def forget_all(*_):
    MACHINE.forget()
    TRAILS.forget()


def on_stop(event):
    ATTACHED.tell()
    forget_all()
    MACHINE_VARIABLES.update()
    FINDINGS.on_stop()
    LAUNCHES.on_stop()
    WATCHES.show()
    if not isinstance(event, (gdb.BreakpointEvent, gdb.SignalEvent)) and is_behind_kernel():
        thread = FOCUS.current()
        message("[CUDA thread has returned: %s]" % thread if thread else "[between two CUDA threads]")


def is_behind_kernel():
    """Whether the OS thread has stopped in what calls a kernel for each thread."""
    frame = gdb.newest_frame()
    while frame is not None and is_library(frame):
        if runs_threads(frame):
            return True
        frame = frame.older()
    return False


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


class BuiltIns:
    """Looked for once a program: what is looked for may be read from files then, which are new code, too."""

    def __init__(self):
        self.program = None

    def look(self):
        program = gdb.current_progspace().filename
        if program is None or program == self.program:
            return
        self.program = program
        for name, kind in BUILT_IN.items():
            if not is_known("sizeof(%s)" % name) and is_known("sizeof(%s)" % kind):
                gdb.execute("macro define %s (*(%s*)&%s)" % (name, kind, name), False, True)


BUILT_INS = BuiltIns()


def on_exit(_):
    on_new_code(_)
    LAUNCHES.on_exit()
    MACHINE_VARIABLES.update()


def on_new_program(_):
    on_new_code(_)
    ATTACHED.tell()
    BUILT_INS.look()
    LAUNCHES.look()


def is_known(expression):
    try:
        gdb.parse_and_eval(expression)
    except gdb.error:
        return False
    return True


class LeaveFocus(gdb.Command):
    """Used by Warpfiber's hooks: the selected OS thread is as the program has left it."""

    def __init__(self):
        super().__init__("warpfiber-leave-focus", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        FOCUS.leave()


class EnterFocus(gdb.Command):
    """Used by Warpfiber's hooks: the program goes on until the thread in focus runs."""

    def __init__(self):
        super().__init__("warpfiber-enter-focus", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        FOCUS.run()


def hook_commands():
    """Commands that look at frames before the program goes on, or that keep what memory holds."""
    for name in ("step", "next", "stepi", "nexti", "until", "advance", "finish"):
        gdb.execute("define hook-%s\nwarpfiber-enter-focus\nend" % name, False, True)
    for name in ("return", "jump", "detach", "generate-core-file", "thread", "quit"):
        gdb.execute("define hook-%s\nwarpfiber-leave-focus\nend" % name, False, True)
    for pattern in OWN_HEADERS:
        gdb.execute("skip -gfile " + pattern, False, True)


def begin():
    on_new_program(None)
    CudaCommand()
    InfoCuda()
    add_options()
    BreakOnLaunch()
    LeaveFocus()
    EnterFocus()
    hook_commands()
    FrameFilter()
    gdb.unwinder.register_unwinder(None, UNWINDER, True)
    gdb.events.stop.connect(on_stop)
    gdb.events.cont.connect(on_resume)
    gdb.events.inferior_call.connect(on_call)
    gdb.events.new_objfile.connect(on_new_program)
    gdb.events.exited.connect(on_exit)
    gdb.events.breakpoint_created.connect(BREAKPOINTS.look_at)
    gdb.events.breakpoint_modified.connect(BREAKPOINTS.look_at)
    gdb.events.memory_changed.connect(lambda _: MACHINE.forget())
