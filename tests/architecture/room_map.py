#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# src/README.md, made from the README.md of each room: room_map.py [<root>] writes it, the rule room_map_is_current holds
# the tree to it. A room's README.md is a list of the five KEYS; the last has a list of its own, of "question: file".
# The order of the rooms is that of src/CMakeLists.txt.
import fnmatch
import os
import re
import sys

from tree import Tree

MAP = "src/README.md"
KEYS = ("Holds", "May not", "Invariants", "Begin with", "Look here for")
# What a newcomer asks first; each has to be a row of the map.
QUESTIONS = (
    "when a block's barrier lets its threads go on", "how copies and frees are ordered with launches",
    "what a shuffle or vote returns", "whether two accesses race", "which blocks of a launch wait for a free SM",
    "what becomes of `<<<…>>>`", "what a deadlock's report says", "how many blocks fit an SM",
    "how a shuffle between threads of such a loop is made", "what an access of checked code calls", "what a CUDA call does here",
    "how a function of a library is added", "what an operation of a stream is, as data that can be kept and submitted again, as a graph has to",
    "which calls a kernel may make, as a launch from a kernel will be one",
    "which operations threads do together, and where a new one, such as one of matrices, gets its row")
WING = re.compile(r"^set\((\w+) ([\w ]+)\)$", re.MULTILINE)
QUOTED = re.compile(r"`([\w./*-]+)`")
BEGIN, END = "<!-- made by tests/architecture/room_map.py from the README.md of each room -->", "<!-- end -->"


class Room:
    """A room's README.md as data: `values` has the text behind each key, `answers` pairs of a question and a file."""

    def __init__(self, tree, name):
        self.tree, self.name, self.values, self.answers = tree, name, {}, []
        self.folder = tree.folders.get(name, f"src/{name}")
        path = self.path = f"{self.folder}/README.md"
        for item in _items(tree.read(path) if tree.exists(path) else ""):
            key, _, text = item.strip().lstrip("- ").partition(":")
            if item.startswith("- "):
                self.values[key] = text.strip()
            else:
                self.answers.append((key, self._from_src(text.strip())))

    def missing(self):
        found = [key for key in KEYS if key not in self.values]
        return found or ([] if self.answers else [KEYS[-1]])

    def begin(self):
        return self._from_src(self.values["Begin with"])

    def _from_src(self, text):
        """With the room in front of the names of its files."""
        return QUOTED.sub(lambda found: f"`{self.folder[len('src/'):]}/{found[1]}`" if self._has(found[1]) else found[0], text)

    def _has(self, path):
        return self.tree.exists(f"{self.folder}/{path}") or bool(fnmatch.filter(self.tree.paths, f"{self.folder}/{path}"))


def rooms_in_order(tree):
    return [room for _, rooms in wings_in_order(tree) for room in rooms]


def wings_in_order(tree):
    """Pairs of a wing and its rooms, as the top of src/CMakeLists.txt lists them."""
    listed = tree.read("src/CMakeLists.txt").partition("set(rooms)")[0]
    return [(wing, rooms.split()) for wing, rooms in WING.findall(listed)]


def rooms_without_answers(tree):
    """Pairs of the path of a room's README.md and the keys it lacks."""
    rooms = [Room(tree, name) for name in rooms_in_order(tree)]
    return [(room.path, room.missing()) for room in rooms if room.missing()]


def unanswered(tree):
    """Those of QUESTIONS that no room answers."""
    answered = {question for name in rooms_in_order(tree) for question, _ in Room(tree, name).answers}
    return [question for question in QUESTIONS if question not in answered]


def made(tree):
    """The text of src/README.md as it should be: what stands between its two marks is made anew."""
    wings = [(wing, [Room(tree, name) for name in rooms]) for wing, rooms in wings_in_order(tree)]
    before, _, rest = tree.read(MAP).partition(BEGIN)
    return before + "\n".join([BEGIN, *_tables(wings), END]) + rest.partition(END)[2]


def _tables(wings):
    for wing, rooms in wings:
        yield from ("", f"## {wing}", "", "| room | holds | may not | begin with |", "|---|---|---|---|")
        for room in rooms:
            yield f"| `{room.name}` | {room.values['Holds']} | {room.values['May not']} | {room.begin()} |"
    rooms = [room for _, rooms in wings for room in rooms]
    yield from ("", "## Where is it decided?", "", "| question | file |", "|---|---|")
    for room in rooms:
        for question, answer in room.answers:
            yield f"| {question} | {answer} |"
    yield ""


def _items(text):
    """The items of a list and of the lists in it, one line each."""
    items = []
    for line in text.split("\n"):
        if line.lstrip().startswith("- "):
            items.append(line)
        elif items and line.strip():
            items[-1] += " " + line.strip()
    return items


if __name__ == "__main__":
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    text = made(Tree(root))
    with open(os.path.join(root, MAP), "w", encoding="utf-8") as file:
        file.write(text)
