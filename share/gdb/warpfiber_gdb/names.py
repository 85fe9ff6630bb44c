# SPDX-License-Identifier: Apache-2.0
"""Indices as numbers and text, and names of functions."""
import re

import gdb

def unlinear(rank, extent):
    return rank % extent[0], rank // extent[0] % extent[1], rank // (extent[0] * extent[1])


def linear(index, extent):
    return index[0] + extent[0] * (index[1] + extent[1] * index[2])


def shown(index):
    return "(%d,%d,%d)" % tuple(index)



def whole_symbol_at(address):
    """The function at an address, `a::sum(int*, int)`; empty: not known."""
    answer = gdb.execute("info symbol %d" % address, False, True)
    match = re.match(r"(.*?)( \+ \d+)? in section ", answer)
    return match.group(1) if match else ""


def symbol_at(address):
    """The same without parameters."""
    return without_parameters(whole_symbol_at(address))


def without_parameters(function):
    """`a::sum<int>` of `void a::sum<int>(int*, int)`."""
    depth, name = 0, ""
    for letter in function:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "(" and depth == 1:
            break
        name = "" if letter == " " and depth == 0 else name + letter
    return name
