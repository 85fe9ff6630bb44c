# SPDX-License-Identifier: Apache-2.0
#
# The rules of rules.py about what headers bring along: a header that many files include is paid for in each of them.
import collections
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Included by every second file of src, most of which only hand findings on. Facts about a diagnosis and what takes a
# compiler longest of the standard library are for the files that use them.
FINDING = "src/foundation/record/finding.hpp"
NOT_IN_FINDING = {
    "record/diagnosis.hpp", "record/reason.hpp", "algorithm", "atomic", "chrono", "condition_variable", "filesystem", "functional",
    "iostream", "map", "memory", "mutex", "ranges", "regex", "set", "sstream", "thread", "unordered_map", "unordered_set"}
SETTINGS = "src/cuda/process/settings/"
SETTINGS_USERS = 15  # only ever make it smaller


def findings_are_light(tree):
    """finding.hpp brings neither the facts of diagnoses along nor large headers of the standard library."""
    open_ones, seen = [FINDING], set()
    while open_ones:
        path = open_ones.pop()
        if path in seen or not tree.exists(path):
            continue
        seen.add(path)
        for number, name in _includes(tree, path):
            if name in NOT_IN_FINDING:
                yield f"{path}:{number}: {FINDING} brings <{name}> along"
            else:
                open_ones += [tree.source(name), f"include/{name}"]


def settings_are_for_few(tree):
    """What the environment may set is in a header for each of those who ask, so that one more variable compiles few files
    again. Counted are the source files that a header of settings is included by, directly or through other headers."""
    headers = [path for path in tree.cpp_files() if path.startswith(SETTINGS)]
    if not headers:
        return
    users = _users(tree)
    for path in headers:
        sources = sorted(user for user in _reached(users, path) if user.endswith(".cpp"))
        if len(sources) > SETTINGS_USERS:
            yield f"{path}:1: is included by {len(sources)} source files, the limit is {SETTINGS_USERS}: {', '.join(sources)}"


def _users(tree):
    """The files of src that name each file of src in an include."""
    users = collections.defaultdict(set)
    for path in tree.cpp_files():
        for _, name in _includes(tree, path) if path.startswith("src/") else []:
            users[tree.source(name)].add(path)
    return users


def _reached(arcs, start):
    reached, open_ones = set(), [start]
    while open_ones:
        for path in arcs.get(open_ones.pop(), ()):
            if path not in reached:
                reached.add(path)
                open_ones.append(path)
    return reached


def _includes(tree, path):
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1]


HEADER_RULES = [
    findings_are_light,
    settings_are_for_few,
]
