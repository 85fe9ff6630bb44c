# SPDX-License-Identifier: Apache-2.0
"""Warpfiber: CUDA kernels on a CPU. The command is `python -m warpfiber`; %load_ext warpfiber adds cell magics."""
from warpfiber.installed import command, prefix, toolkit

__all__ = ["command", "prefix", "toolkit", "load_ipython_extension"]
__version__ = "0.2.0"


def load_ipython_extension(shell):
    from warpfiber.magics import register

    register(shell)
