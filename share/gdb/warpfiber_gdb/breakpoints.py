# SPDX-License-Identifier: Apache-2.0
"""Breakpoints at kernels. The host calls a function with the kernel's name to launch it, and each thread of the kernel
calls another one. A breakpoint at that name is for the kernel, so its location in the first of them is disabled, and so
are those in functions of the library."""
import gdb

from .memory import message
from .names import symbol_at

# A variable of the function that launches a kernel, which holds the kernel's body (src/compiler/translate/kernels.cpp).
BODY = "warpfiber_body"


def launches_a_kernel(address):
    """Whether an address is in a function that the host calls to launch a kernel."""
    try:
        block = gdb.block_for_pc(address)
    except RuntimeError:
        return False
    while block is not None and not block.is_global:
        if any(symbol.name == BODY for symbol in block):
            return True
        if block.function is not None:
            return False
        block = block.superblock
    return False


def is_of_the_library(address):
    """Whether an address is in a function of Warpfiber's, which may have the name of a kernel."""
    return symbol_at(address).startswith("warpfiber::")


def locations(breakpoint):
    """(number of the location, address, is it enabled)."""
    try:
        return [(i, place.address, place.enabled) for i, place in enumerate(breakpoint.locations, 1)]
    except (AttributeError, RuntimeError):
        return []


class Breakpoints:
    def __init__(self):
        self.busy = False
        self.seen = {}  # addresses of the locations, by the number of the breakpoint: hits are changes too

    def look_at(self, breakpoint):
        if self.busy or not breakpoint.is_valid() or breakpoint.type != gdb.BP_BREAKPOINT or breakpoint.pending:
            return
        places = locations(breakpoint)
        addresses = [address for _, address, _ in places]
        if self.seen.get(breakpoint.number) == addresses:
            return
        noted = breakpoint.number in self.seen
        self.seen[breakpoint.number] = addresses
        ours = {i for i, address, _ in places if is_of_the_library(address)}
        users = {i for i, _, _ in places} - ours
        launching = {i for i, address, _ in places if i in users and launches_a_kernel(address)}
        if not users or not ours | launching:
            return
        if users == launching:
            noted or message("Note: breakpoint %d is where the kernel is launched. Build with -G for one in its threads, or name a "
                    "line." % breakpoint.number)
            launching = set()
        self.busy = True
        try:
            for i, _, enabled in places:
                if enabled and i in ours | launching:
                    breakpoint.locations[i - 1].enabled = False
        finally:
            self.busy = False


BREAKPOINTS = Breakpoints()
