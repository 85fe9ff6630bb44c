#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# `scripts/new finding` in a copy of the tree: few files are touched, no other list has to name a finding, and what it
# leaves obeys the rules, compiles and runs.
#   new_finding_test.py <compiler> <warpfiber>
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from check_tree import complaints
from tree import Tree, source_folders

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MOST_FILES = 12  # of a finding
OF_DETECTOR = 3  # of those: its source, its header and its unit test
NAME = "late-token"
TEXTS = ["--means", "a token is used after its phase, which is a text that is long enough to be wrapped in some of the files",
         "--why", "The token belongs to a phase that has ended, so that the wait returns at once.",
         "--fix", "wait for the phase before the next arrival", "--row", "M16"]
# What reads the tables at compile time: names in order, sentences for each.
UNITS = ("src/analysis/report/catalogue/catalogue.cpp", "src/analysis/report/explain/mistakes.cpp", "src/analysis/check/launch/findings.cpp")


def snapshot(root):
    found = {}
    for path in Tree(root).paths:
        with open(os.path.join(root, path), "rb") as file:
            found[path] = hashlib.sha256(file.read()).digest()
    return found


def new(root, *arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(root, "scripts", "new"), "finding", *arguments],
                          capture_output=True, text=True)


class NewFinding(unittest.TestCase):
    compiler = warpfiber = ""  # arguments of the program

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpfiber-new-")
        cls.root = os.path.join(cls.folder.name, "tree")
        for path in Tree(ROOT).paths:
            os.makedirs(os.path.dirname(os.path.join(cls.root, path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(cls.root, path))
        cls.before = snapshot(cls.root)
        cls.done = new(cls.root, NAME, *TEXTS)
        cls.after = snapshot(cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_in_tree(self, *command):
        ended = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def test_it_touches_few_files_and_names_them(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        touched = sorted(path for path in self.after if self.after[path] != self.before.get(path))
        self.assertEqual(self.done.stdout.split("\n")[:len(touched)], touched)
        self.assertLessEqual(len(touched), MOST_FILES - OF_DETECTOR, touched)

    def test_the_tree_obeys_its_rules(self):
        self.assertEqual(complaints(self.root), [])

    def test_the_pages_obey_theirs(self):
        self.run_in_tree(sys.executable, "-B", "tests/docs/run_docs.py", "--rules")

    def test_the_hazard_programs_are_of_the_suite(self):
        self.run_in_tree(sys.executable, "-B", "tests/hazards/judging_test.py")

    def test_the_sources_compile(self):
        for unit in UNITS:
            self.run_in_tree(self.compiler, "-std=c++20", "-fsyntax-only", "-DWARPFIBER_OWN_OBJECT", "-Iinclude",
                             *("-I" + os.path.relpath(folder, ROOT) for folder in source_folders(ROOT)), unit)

    def test_the_sources_are_formatted(self):
        if shutil.which("clang-format-14"):
            self.run_in_tree("clang-format-14", "--dry-run", "--Werror", "src/analysis/report/explain/mistakes.cpp", "src/foundation/record/mistake.hpp")

    def test_the_programs_run_and_have_no_other_finding(self):
        self.run_in_tree(sys.executable, "-B", "tests/hazards/run_hazards.py", "--warpfiber", self.warpfiber, "--compiler",
                         self.compiler, "--seeds", "0", "tests/hazards/own/ok_late_token.cu")
        self.run_in_tree(self.warpfiber, "check", "examples/findings/late_token.cu")
        self.run_in_tree(self.warpfiber, "check", "tests/hazards/own/haz_late_token.cu")

    def test_what_is_wrong_is_refused_and_nothing_is_written(self):
        for arguments in ([NAME, *TEXTS], ["Late-Token", *TEXTS], ["a-name-that-is-far-too-long", *TEXTS],
                          ["race", *TEXTS[:-1], "seventeen"], ["race", *TEXTS, "--term", 'a "term"']):
            with self.subTest(arguments=arguments):
                refused = new(self.root, *arguments)
                self.assertEqual((refused.returncode, refused.stdout), (1, ""))
                self.assertTrue(refused.stderr.startswith("new: "), refused.stderr)
        self.assertEqual(snapshot(self.root), self.after)


if __name__ == "__main__":
    NewFinding.compiler, NewFinding.warpfiber = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
