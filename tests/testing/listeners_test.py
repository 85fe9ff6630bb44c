#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What is found is a failure of the test in which it was found: programs with GoogleTest and Catch2.
#   listeners_test.py <warpfiber> <options for GoogleTest> <options for Catch2> <test class>...
# Options are those for the compiler and the linker, separated by blanks.
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
WARPFIBER, GOOGLE_TEST, CATCH2 = sys.argv[1:4]
KERNELS = os.path.join(HERE, "listeners", "kernels.cuh")

folder = None


def setUpModule():
    global folder
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)


def line_of(mark):
    with open(KERNELS, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith("// @" + mark))


def run(*command, **variables):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder.name, env={**os.environ, **variables})


class Program(unittest.TestCase):
    """A program that is built once for all tests of its class."""

    source = options = None
    flags = []

    @classmethod
    def setUpClass(cls):
        if cls.source is None:
            raise unittest.SkipTest("the base of other classes")
        cls.program = os.path.join(folder.name, cls.__name__)
        source = os.path.join(HERE, "listeners", cls.source)
        built = run(WARPFIBER, "nvcc", "-O1", *cls.flags, source, "-o", cls.program, *shlex.split(cls.options))
        assert built.returncode == 0, built.stderr

    def run_program(self, *arguments, **variables):
        return run(self.program, *arguments, **variables)

    def document(self, *arguments):
        path = os.path.join(folder.name, "findings.json")
        self.run_program(*arguments, WARPFIBER_FINDINGS=path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def failures(self, path):
        """The test cases of a file of results: each with the texts of its failures."""
        cases = {}
        for case in xml.etree.ElementTree.parse(path).iter("testcase"):
            texts = [(failure.get("message") or "") + (failure.text or "") for failure in case.iter("failure")]
            cases[f"{case.get('classname')}.{case.get('name')}"] = texts
        return cases

    def check_failures(self, cases, expected):
        """`expected`: for each test case that fails, the id of the finding and the mark of its line."""
        self.assertEqual({name for name, texts in cases.items() if texts}, set(expected))
        for name, (finding, mark) in expected.items():
            self.assertEqual(len(cases[name]), 1, name)
            if finding is not None:
                self.assertIn(finding, cases[name][0])
                self.assertIn(f"kernels.cuh:{line_of(mark)}", cases[name][0])


class GoogleTest(Program):
    source, options, flags = "gtest_tests.cu", GOOGLE_TEST, ["-fcheck"]
    expected = {
        "Rotate.Wrong": ("race-shared", "rotate"),
        "Rotate.WrongAgain": ("race-shared", "rotate"),
        "Launches.Unawaited": ("race-global", "one"),
        "Calls.RefusedAndIgnored": ("refused-call", "ignored"),
        "Others.FailByThemselves": (None, None),
    }

    def test_the_results_name_the_tests(self):
        ran = self.run_program("--gtest_output=xml:gtest.xml")
        self.assertEqual(ran.returncode, 1)
        cases = self.failures(os.path.join(folder.name, "gtest.xml"))
        self.assertEqual(len(cases), 12)
        self.check_failures(cases, self.expected)

    def test_the_printed_failure_is_at_the_line_of_the_finding(self):
        printed = self.run_program("--gtest_filter=Rotate.Wrong").stdout
        self.assertRegex(printed, re.escape(KERNELS) + rf":{line_of('rotate')}: Failure\n(Failed\n)?race-shared  s\[")
        self.assertIn("[  FAILED  ] Rotate.Wrong (", printed)

    def test_the_report_is_printed_once(self):
        ran = self.run_program("--gtest_filter=Rotate.Wrong")
        self.assertEqual((ran.stdout + ran.stderr).count("unordered: "), 1)
        lines = f"kernels.cuh:{line_of('rotate')}, kernels.cuh:{line_of('stored')}"
        self.assertIn(f" at {lines} (a failure of the test Rotate.Wrong)\n", ran.stderr)

    def test_a_repeated_test_fails_each_time(self):
        printed = self.run_program("--gtest_filter=Rotate.*", "--gtest_repeat=2").stdout
        self.assertEqual(printed.count("[  FAILED  ] Rotate.Wrong ("), 2)
        self.assertEqual(printed.count("[       OK ] Rotate.Right ("), 2)

    def test_checks_that_are_off_make_no_failures(self):
        ran = self.run_program("--gtest_filter=Rotate.*:Calls.*", WARPFIBER_CHECK="0")
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_the_document_has_the_tests(self):
        document = self.document()
        outcomes = {f"{test['suite']}.{test['name']}": test["outcome"] for test in document["tests"]}
        self.assertEqual(len(outcomes), 11)
        self.assertEqual({name for name, outcome in outcomes.items() if outcome == "failed"}, set(self.expected))
        self.assertEqual(outcomes["Others.AreSkipped"], "skipped")
        race = next(finding for finding in document["findings"] if finding["id"] == "race-shared")
        self.assertEqual([test["name"] for test in race["tests"]], ["Wrong", "WrongAgain"])


    def test_check_knows_the_tests(self):
        ran = run(WARPFIBER, "check", "--junit", "check.xml", self.program)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        path = os.path.join(folder.name, "check.xml")
        cases = self.failures(path)
        self.check_failures(cases, self.expected)
        self.assertEqual(len(cases), 12)  # and the program
        self.assertEqual(xml.etree.ElementTree.parse(path).getroot().get("errors"), "0")

    def test_check_reports_what_a_crash_has_left(self):
        ran = run(WARPFIBER, "check", "--junit", "crash.xml", self.program, "--gtest_filter=*Crash", "--gtest_also_run_disabled_tests")
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stderr.count("unordered: "), 1)
        cases = self.failures(os.path.join(folder.name, "crash.xml"))
        self.check_failures(cases, {"Others.DISABLED_Crash": ("race-shared", "rotate")})

    def test_check_passes_where_all_tests_do(self):
        ran = run(WARPFIBER, "check", "--junit", "check.xml", self.program, "--gtest_filter=Rotate.Right*")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(set(self.failures(os.path.join(folder.name, "check.xml"))), {f"program.{self.program}", "Rotate.Right", "Rotate.RightAgain"})


class GoogleTestByHeader(Program):
    """The header in a program without hooks, in which what ends a launch is found."""

    source, options = "gtest_header_tests.cu", GOOGLE_TEST

    def test_a_hang_is_a_failure_once(self):
        ran = self.run_program("--gtest_output=xml:header.xml")
        cases = self.failures(os.path.join(folder.name, "header.xml"))
        self.check_failures(cases, {"Barrier.Hangs": ("barrier-divergence", "half")})
        self.assertEqual(ran.returncode, 1)


class GoogleTestByBoth(GoogleTestByHeader):
    """The header and hooks: there is one listener."""

    flags = ["-fcheck"]


class GoogleTestOfLibrary(Program):
    """Only a library has kernels and hooks."""

    source, options = "library_tests.cpp", GOOGLE_TEST

    @classmethod
    def setUpClass(cls):
        library = os.path.join(folder.name, "libkernels.so")
        source = os.path.join(HERE, "listeners", "library.cu")
        built = run(WARPFIBER, "nvcc", "-fcheck", "-O1", "-shared", "-Xcompiler", "-fPIC", source, "-o", library)
        assert built.returncode == 0, built.stderr
        cls.program = os.path.join(folder.name, cls.__name__)
        tests = os.path.join(HERE, "listeners", cls.source)
        built = run("c++", "-std=c++17", tests, "-o", cls.program, library, *shlex.split(cls.options), "-pthread")
        assert built.returncode == 0, built.stderr

    def test_the_results_name_the_test(self):
        ran = self.run_program("--gtest_output=xml:library.xml")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.check_failures(self.failures(os.path.join(folder.name, "library.xml")), {"Library.Wrong": ("race-shared", "rotate")})


class Catch2(Program):
    source, options, flags = "catch2_tests.cu", CATCH2, ["-fcheck"]
    expected = {
        "rotate wrong in the second section": ("race-shared", "rotate"),
        "rotate wrong again": ("race-shared", "rotate"),
        "rotate wrong as expected": ("race-shared", "rotate"),
        "launch without waiting": ("race-global", "one"),
        "a call that is refused and ignored": ("refused-call", "ignored"),
        "fails by itself": (None, None),
    }

    def test_the_results_name_the_tests(self):
        ran = self.run_program("-r", "junit", "-o", "catch2.xml")
        self.assertNotEqual(ran.returncode, 0)
        cases = self.failures(os.path.join(folder.name, "catch2.xml"))
        group = f"{type(self).__name__}.global."
        self.check_failures({name.removeprefix(group): texts for name, texts in cases.items()}, self.expected)

    def test_the_printed_failure_is_at_the_line_of_the_finding(self):
        printed = self.run_program("rotate wrong again").stdout
        self.assertIn(f"{KERNELS}:{line_of('rotate')}: FAILED:\nexplicitly with message:\n  race-shared  s[", printed)
        self.assertIn("test cases: 1 | 1 failed", printed)

    def test_a_failure_that_is_expected_is_none(self):
        self.assertEqual(self.run_program("rotate wrong as expected").returncode, 0)

    def test_the_first_failure_can_end_the_run(self):
        printed = self.run_program("--abort", "rotate*").stdout
        self.assertRegex(printed, r"test cases: \d \| 1 passed \| 1 failed")

    def test_the_document_has_the_tests(self):
        failed = {test["name"] for test in self.document()["tests"] if test["outcome"] == "failed"}
        self.assertEqual(failed, set(self.expected) - {"rotate wrong as expected"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
