# SPDX-License-Identifier: Apache-2.0
"""python3 -m warpfiber_torch PROGRAM.py [argument]..."""
import os
import runpy
import sys

import warpfiber_torch

if len(sys.argv) < 2:
    sys.exit(warpfiber_torch.__doc__)
warpfiber_torch.enable()
sys.argv = sys.argv[1:]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
