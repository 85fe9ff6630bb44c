#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the source tree to the house rules: check_tree.py [<root>]. Prints every breach as path:line: text and fails if
# there is one. The rules are in rules.py, their own test in check_tree_test.py.
import sys

from golden_rules import pending_recordings
from rules import RULES
from tree import Tree


def complaints(root):
    tree = Tree(root)
    return [f"{text} [{rule.__name__}]" for rule in RULES for text in rule(tree)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    found = complaints(root)
    for path, number, reason in pending_recordings(Tree(root)):
        print(f"{path}:{number}: pending: {reason}")
    print("\n".join(found) or "the tree obeys its rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
