#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the compiled rooms to the order of src/README.md: link_order.py <root> <folder of a build>. An object may need
# symbols of its own room and of the rooms before it. Prints each breach as room: object needs symbol, which a later room
# defines, and fails if there is one. Names of the C library are left out, since the library stands in for some of them.
import collections
import ctypes
import os
import subprocess
import sys

from tree import Tree

DEFINED = set("TDBRGSCA")
NEVER_LINKED = {"regions"}  # a plugin of the compiler


def complaints(root, build):
    order = {room: number for number, room in enumerate(Tree(root).rooms())}
    objects = {path: room for path, room in _objects(build, order) if room and room not in NEVER_LINKED}
    if not objects:
        return [f"{build}: no object of a room"]
    needs, rooms_of = collections.defaultdict(list), collections.defaultdict(set)
    for path, kind, symbol in _symbols(sorted(objects)):
        if kind == "U":
            needs[symbol].append(path)
        elif kind in DEFINED:
            rooms_of[symbol].add(objects[path])
    found = []
    for symbol, rooms in rooms_of.items():
        first = min(rooms, key=order.get)
        for path in needs[symbol]:
            if order[objects[path]] < order[first] and not _is_of_c_library(symbol):
                found.append(f"{objects[path]}: {os.path.relpath(path, build)} needs {_readable(symbol)}, which {first} defines")
    return sorted(found)


def _objects(build, rooms):
    source = os.path.join(build, "src")
    for folder, _, files in os.walk(source):
        parts = os.path.relpath(folder, source).split(os.sep)
        room = next((part for part in parts[:2] if part in rooms), None)
        for name in files:
            if name.endswith(".o"):
                yield os.path.join(folder, name), room


def _symbols(paths):
    """(object, kind, symbol) of all symbols that are not local to their object."""
    listing = subprocess.run(["nm", "--print-file-name", "--format=posix", "--extern-only", *paths],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in listing.splitlines():
        path, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        yield path, kind, symbol


def _is_of_c_library(symbol):
    return hasattr(ctypes.CDLL(None), symbol)


def _readable(symbol):
    return subprocess.run(["c++filt", symbol], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main():
    found = complaints(*sys.argv[1:3])
    print("\n".join(found) or "no object needs a symbol of a later room")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
