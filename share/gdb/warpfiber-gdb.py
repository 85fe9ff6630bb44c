# SPDX-License-Identifier: Apache-2.0
"""cuda-gdb's commands for programs that run with Warpfiber, in gdb 12 and later: `help cuda`, `help info cuda`.

Threads of a kernel are fibers: a few OS threads run them in turn. Where they are is read from the program's memory, by
a table of offsets in the library; nothing is called in the program. To look at a thread that waits, an unwinder says
that the OS thread's innermost frame was called from where that thread goes on. Its registers stay as they are. Of the
program's memory only threadIdx and blockIdx change meanwhile; they are put back before the program goes on.
"""
import os
import sys

import gdb


def main():
    folder = os.path.dirname(os.path.realpath(__file__))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    from warpfiber_gdb import events
    events.begin()


# Loaded once, however many libraries of a program name it.
if not hasattr(gdb, "warpfiber_is_loaded"):
    gdb.warpfiber_is_loaded = True
    main()
