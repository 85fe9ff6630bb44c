# SPDX-License-Identifier: Apache-2.0
"""The stepper that `warpfiber step` starts: warpfiber-step.py --gdb GDB --commands FILE [OPTION...] -- PROGRAM ARGUMENT..."""
import sys

if sys.version_info < (3, 9):
    sys.exit("warpfiber step: needs Python 3.9 or later; this is %d.%d" % sys.version_info[:2])

from warpfiber_step.main import main

sys.exit(main(sys.argv[1:]))
