# SPDX-License-Identifier: Apache-2.0
#
# The rule of rules.py about the ways to run kernels: public headers choose among them in one place.
import re

# How kernels of a translation unit run. Only these public headers ask: what they choose has the same names in every form.
EXECUTION = re.compile(r"\bWARPFIBER_(?:CHECKED|REGIONS)\b")
EXECUTION_HEADERS = (
    "include/warpfiber/detail/checked_copies.hpp", "include/warpfiber/detail/config.hpp",
    "include/warpfiber/detail/counted_access.hpp", "include/warpfiber/detail/lanes/lanes.hpp")


def executors_are_chosen_once(tree):
    """Intrinsics, groups and atomics are written in terms of the functions of detail/lanes, in one form."""
    for path, number in _executions(tree):
        if path not in EXECUTION_HEADERS:
            yield f"{path}:{number}: a header asks how kernels run, for which detail/lanes/lanes.hpp chooses"


def unneeded(tree):
    """Those of EXECUTION_HEADERS that ask no more."""
    return sorted(set(EXECUTION_HEADERS) - {path for path, _ in _executions(tree)})


def _executions(tree):
    for path in tree.cpp_files():
        if not path.startswith("include/"):
            continue
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            if EXECUTION.search(line):
                yield path, number
