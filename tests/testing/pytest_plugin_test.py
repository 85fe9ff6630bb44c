#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What is found in a library with kernels is a failure of the test that called it: the plugin for pytest.
#   pytest_plugin_test.py <warpfiber> <a Python that has pytest> <folder of the plugin's package>
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
WARPFIBER, PYTHON, PACKAGE = sys.argv[1:4]
TESTS = os.path.join(HERE, "listeners", "python_tests.py")

folder = None


def run(*command, **variables):
    # So that the plugin is the one of this package, whatever is installed.
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder.name, env=environment)


def setUpModule():
    global folder
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    source = os.path.join(HERE, "listeners", "library.cu")
    built = run(WARPFIBER, "nvcc", "-fcheck", "-O1", "-shared", "-Xcompiler", "-fPIC", source, "-o", "kernels.so")
    assert built.returncode == 0, built.stderr


def pytest_command(*options):
    return [PYTHON, "-m", "pytest", "-p", "warpfiber.pytest_plugin", "-p", "no:cacheprovider", "-q", *options, TESTS]


def run_tests(*options, before=(), **variables):
    return run(*before, *pytest_command(*options), KERNELS=os.path.join(folder.name, "kernels.so"), **variables)


def cases_of(path):
    """Each test case of a file of results, by its name: the elements in it, and their texts."""
    cases = {}
    for case in xml.etree.ElementTree.parse(os.path.join(folder.name, path)).iter("testcase"):
        parts = [(part.tag, (part.get("message") or "") + (part.text or "")) for part in case if part.tag in ("failure", "error", "skipped")]
        cases.setdefault(case.get("name"), []).extend(parts)
    return cases


class Plugin(unittest.TestCase):
    failed = {"test_that_loads_is_wrong", "test_parameters[True]", "test_fails_by_itself", "test_fails_both_ways", "test_unawaited", "test_wrong"}
    with_errors = {"test_with_a_wrong_setup", "test_with_a_wrong_teardown"}
    expected = {"test_is_expected_to_fail", "test_is_expected_to_fail_both_ways"}

    def test_the_results_name_the_tests(self):
        ran = run_tests("--junitxml=results.xml")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        cases = cases_of("results.xml")
        self.assertEqual({name for name, parts in cases.items() if "failure" in dict(parts)}, self.failed)
        self.assertEqual({name for name, parts in cases.items() if "error" in dict(parts)}, self.with_errors)
        self.assertEqual({name for name, parts in cases.items() if "skipped" in dict(parts)}, self.expected | {"test_skipped"})
        for name in self.failed - {"test_fails_by_itself", "test_unawaited"}:
            self.assertTrue(all("race-shared  s[" in text and "kernels.cuh:" in text for _, text in cases[name]), cases[name])
        self.assertIn("race-global", cases["test_unawaited"][0][1])
        self.assertNotIn("race", cases["test_fails_by_itself"][0][1])
        self.assertIn("assert (1 + 1) == 3", cases["test_fails_both_ways"][0][1])
        self.assertRegex(ran.stdout, r"7 failed, 5 passed, 1 skipped, 2 xfailed, 2 errors")

    def test_a_run_in_which_failures_are_expected_succeeds(self):
        ran = run_tests("-k", "expected or test_right")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_without_the_plugin_only_the_exit_code_says_it(self):
        ran = run_tests("-p", "no:warpfiber.pytest_plugin", "-k", "test_parameters")
        self.assertIn("2 passed", ran.stdout)
        self.assertEqual(ran.returncode, 66)

    def test_checks_that_are_off_make_no_failures(self):
        ran = run_tests("-k", "test_parameters", WARPFIBER_CHECK="0")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_tests_without_kernels_are_left_alone(self):
        ran = run_tests("-k", "test_skipped")
        self.assertIn("1 skipped", ran.stdout)
        self.assertEqual(ran.returncode, 0)

    def test_the_document_has_the_tests(self):
        path = os.path.join(folder.name, "findings.json")
        run_tests("-k", "test_that_loads or test_right", WARPFIBER_FINDINGS=path)
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        outcomes = {test["suite"].split(".")[-1] + "." + test["name"]: test["outcome"] for test in document["tests"]}
        self.assertEqual(outcomes, {"python_tests.test_that_loads_is_wrong": "failed", "python_tests.test_right": "passed",
                                    "OfUnittest.test_right": "passed"})
        self.assertEqual([test["name"] for test in document["findings"][0]["tests"]], ["test_that_loads_is_wrong"])

    def test_check_knows_the_tests(self):
        ran = run_tests("-k", "test_parameters", before=[WARPFIBER, "check", "--junit", "check.xml"])
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        cases = cases_of("check.xml")
        self.assertEqual({name for name, parts in cases.items() if parts}, {"test_parameters[True]"})
        self.assertTrue(re.match("race-shared", cases["test_parameters[True]"][0][1]))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
