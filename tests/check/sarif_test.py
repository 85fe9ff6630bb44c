#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What readers of SARIF 2.1.0 rely on, for logs of programs that end in every way. Section numbers are those of the
# standard, whose schema asks for the types of all this.
#   sarif_test.py <warpfiber> <program of ends.cu> <program of calls.cu>
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from urllib.parse import unquote, urlsplit

WARPFIBER, ENDS, CALLS = sys.argv[1:4]
LEVELS = {"none", "note", "warning", "error"}


def log_of(*words, folder):
    path = os.path.join(folder, "log.sarif")
    subprocess.run([WARPFIBER, "check", "--sarif", path, *words], cwd=folder, capture_output=True, timeout=300)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def locations_in(value):
    """All objects that have a place in a file, however deep."""
    if isinstance(value, dict):
        if "physicalLocation" in value:
            yield value["physicalLocation"]
        for part in value.values():
            yield from locations_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from locations_in(part)


class Sarif(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def log(self, *words):
        made = log_of(*words, folder=self.folder.name)
        self.check(made)
        return made["runs"][0]

    def check(self, log):
        self.assertEqual(log["version"], "2.1.0")  # 3.13.2
        self.assertTrue(log["$schema"].startswith("https://"))
        self.assertEqual(len(log["runs"]), 1)
        run = log["runs"][0]
        self.assertTrue(run["tool"]["driver"]["name"])  # 3.19.8
        self.check_rules(run["tool"]["driver"]["rules"])
        self.check_bases(run)
        for result in run["results"]:
            self.check_result(result, run["tool"]["driver"]["rules"])
        prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
        self.assertEqual(len(prints), len(set(prints)))
        for invocation in run["invocations"]:  # 3.20.14
            self.assertIsInstance(invocation["executionSuccessful"], bool)
            self.assertFalse("exitCode" in invocation and "exitSignalNumber" in invocation)

    def check_rules(self, rules):
        ids = [rule["id"] for rule in rules]
        self.assertEqual(len(ids), len(set(ids)))
        for rule in rules:  # 3.49
            self.assertRegex(rule["name"], r"^[A-Z][A-Za-z]*$")
            self.assertTrue(rule["shortDescription"]["text"])
            self.assertGreater(len(rule["help"]["text"]), 200)  # its page
            self.assertIn("# " + rule["id"], rule["help"]["markdown"])
            self.assertNotIn(".md", rule["help"]["markdown"])
            self.assertIn(rule["defaultConfiguration"]["level"], LEVELS)

    def check_bases(self, run):
        bases = run["originalUriBaseIds"]
        for base in bases.values():  # 3.14.14: absolute, and a folder
            self.assertEqual(urlsplit(base["uri"]).scheme, "file")
            self.assertTrue(base["uri"].endswith("/"))
        for place in locations_in(run):
            artifact = place["artifactLocation"]
            if urlsplit(artifact["uri"]).scheme:  # 3.4.4
                self.assertNotIn("uriBaseId", artifact)
            else:
                self.assertFalse(artifact["uri"].startswith("/"))
                path = unquote(urlsplit(bases[artifact["uriBaseId"]]["uri"] + artifact["uri"]).path)
                self.assertTrue(os.path.exists(path), path)
            self.assertGreaterEqual(place["region"]["startLine"], 1)  # 3.30.5

    def check_result(self, result, rules):
        self.assertIn(result["level"], LEVELS)
        self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])  # 3.27.6
        self.assertTrue(result["message"]["text"])
        self.assertGreaterEqual(result["occurrenceCount"], 1)
        self.assertTrue(re.fullmatch(r"[0-9a-f]{16}:\d+", result["partialFingerprints"]["primaryLocationLineHash"]))
        for stack in result.get("stacks", []):
            self.assertTrue(stack["frames"])

    def test_a_finding(self):
        run = self.log(ENDS, "trap")
        self.assertEqual([result["ruleId"] for result in run["results"]], ["trap"])
        self.assertEqual(run["invocations"][0]["exitCode"], 0)

    def test_a_finding_and_a_signal(self):
        run = self.log(ENDS, "trap", "crash")
        self.assertEqual(run["invocations"][0]["exitSignalNumber"], 11)

    def test_nothing_found(self):
        self.assertEqual(self.log(ENDS, "well")["results"], [])

    def test_nothing_checked(self):
        run = self.log("true")
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "error")

    def test_calls(self):
        run = self.log(CALLS, "pointer")
        self.assertTrue(any("stacks" in result for result in run["results"]))

    def test_files_below_the_folder_are_relative(self):
        source = os.path.join(self.folder.name, "folder of sources", "wrong.cu")
        os.makedirs(os.path.dirname(source))
        with open(source, "w", encoding="utf-8") as file:
            file.write("__global__ void wrong() {\n  __trap();\n}\nint main() {\n  wrong<<<1, 1>>>();\n  cudaDeviceSynchronize();\n}\n")
        run = self.log(source)
        artifacts = [place["artifactLocation"] for place in locations_in(run["results"])]
        self.assertEqual(artifacts, [{"uri": "folder%20of%20sources/wrong.cu", "uriBaseId": "%SRCROOT%"}])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
