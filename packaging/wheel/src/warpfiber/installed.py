# SPDX-License-Identifier: Apache-2.0
"""Where the installation in the wheel is. Its symbolic links, which a wheel cannot hold, are made at the first call."""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _make_links():
    done = os.path.join(_HERE, "links.made")
    if os.path.exists(done):
        return
    with open(os.path.join(_HERE, "links.txt"), encoding="utf-8") as file:
        links = [line.rstrip("\n").split(" ", 1) for line in file]
    try:
        for place, target in links:
            path = os.path.join(_HERE, place)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            # Another process may be here as well.
            mine = f"{path}.{os.getpid()}"
            os.symlink(target, mine)
            os.replace(mine, path)
        with open(done, "w", encoding="utf-8"):
            pass
    except OSError as error:
        sys.exit(f"warpfiber: the links of the installation cannot be made: {error}. Run `python -m warpfiber --version` "
                 "once as the user who has installed the wheel.")


def prefix():
    """The folder of the installation: bin, include, lib, share."""
    _make_links()
    return os.path.join(_HERE, "prefix")


def command():
    """The file of the command."""
    return os.path.join(prefix(), "bin", "warpfiber")


def toolkit():
    """What build systems take for a CUDA toolkit: CUDA_HOME, CUDA_PATH."""
    return os.path.join(prefix(), "lib", "warpfiber", "cuda")
