# SPDX-License-Identifier: Apache-2.0
#
# The rules of rules.py about what headers bring along: a header that many files include is paid for in each of them.
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Included by every second file of src, most of which only hand findings on. Facts about a diagnosis and what takes a
# compiler longest of the standard library are for the files that use them.
FINDING = "src/foundation/record/finding.hpp"
NOT_IN_FINDING = {
    "record/diagnosis.hpp", "record/reason.hpp", "algorithm", "atomic", "chrono", "condition_variable", "filesystem", "functional",
    "iostream", "map", "memory", "mutex", "ranges", "regex", "set", "sstream", "thread", "unordered_map", "unordered_set"}


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


def _includes(tree, path):
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1]


HEADER_RULES = [
    findings_are_light,
]
