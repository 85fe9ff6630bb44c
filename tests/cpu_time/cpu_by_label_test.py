#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Tests of cpu_by_label.py, and of the program cpu_time, whose path is the first argument.
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import cpu_by_label

CPU_TIME = ""


def document(**labels):
    tests = [{"name": name, "properties": [{"name": "LABELS", "value": [label]}]} for name, label in labels.items()]
    return {"tests": tests + [{"name": "bare", "properties": []}]}


class Labels(unittest.TestCase):
    def test_seconds_of_a_label_are_those_of_its_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, seconds in (("one", "1.5"), ("two", "2.5"), ("bare", "4")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(seconds)
            found = cpu_by_label.seconds_by_label(document(one="check", two="check", absent="docs"), folder)
        self.assertEqual(found, ({"check": 4.0, "(none)": 4.0}, ["absent"]))

    def test_table_is_read_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table")
            with open(path, "w", encoding="utf-8") as file:
                file.write(cpu_by_label.text_of({"docs": 7.2, "check": 100.0}))
            self.assertEqual(list(cpu_by_label.read_table(path).items()), [("check", 100.0), ("docs", 7.0)])

    def test_slower_machine_makes_no_label_grow(self):
        lines = list(cpu_by_label.report_of({"check": 300.0, "docs": 150.0}, {"check": 100.0, "docs": 50.0}))
        self.assertFalse([line for line in lines if "grown" in line])

    def test_label_that_takes_a_larger_share_has_grown(self):
        table = {"check": 100.0, "docs": 50.0, "unit": 100.0}
        lines = list(cpu_by_label.report_of({"check": 100.0, "docs": 75.0, "unit": 100.0}, table))
        self.assertEqual([line.split()[0] for line in lines if "has grown" in line], ["docs", "WARNING:"])
        self.assertIn("WARNING: CPU time of label docs has grown by 36 %, beside the others", lines)
        self.assertIn("CONTRIBUTING.md", lines[-1])

    def test_nothing_is_said_behind_the_table_where_no_label_has_grown(self):
        lines = list(cpu_by_label.report_of({"check": 100.0}, {"check": 100.0}))
        self.assertEqual(lines[-1].split(), ["all", "100", "100"])

    def test_few_seconds_are_no_growth(self):
        lines = list(cpu_by_label.report_of({"check": 100.0, "docs": 6.0}, {"check": 100.0, "docs": 2.0}))
        self.assertFalse([line for line in lines if "grown" in line])

    def test_new_label_is_named_and_does_not_shift_the_others(self):
        lines = list(cpu_by_label.report_of({"check": 100.0, "new": 900.0}, {"check": 100.0}))
        self.assertEqual([line.split()[0] for line in lines if "not in the table" in line], ["new", "WARNING:"])
        self.assertFalse([line for line in lines if "grown" in line])


class CpuTime(unittest.TestCase):
    def run_measured(self, command):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "WARPFIBER_CPU_TIMES": folder}
            ended = subprocess.run([CPU_TIME, "name", *command], env=environment, capture_output=True, text=True)
            with open(os.path.join(folder, "name"), encoding="utf-8") as file:
                return ended, float(file.read())

    def test_time_of_processes_that_the_command_starts_is_counted(self):
        work = "import time\nwhile time.process_time() < 0.3: pass"
        ended, seconds = self.run_measured(["sh", "-c", f'"{sys.executable}" -c "{work}"; echo done'])
        self.assertEqual((ended.returncode, ended.stdout), (0, "done\n"))
        self.assertGreaterEqual(seconds, 0.3)

    def test_ends_as_the_command_does(self):
        self.assertEqual(self.run_measured(["sh", "-c", "exit 5"])[0].returncode, 5)
        self.assertEqual(self.run_measured(["sh", "-c", "kill -SEGV $$"])[0].returncode, -signal.SIGSEGV)
        self.assertEqual(self.run_measured(["/nowhere/program"])[0].returncode, 127)

    def test_becomes_the_command_where_nothing_is_measured(self):
        environment = {key: value for key, value in os.environ.items() if key != "WARPFIBER_CPU_TIMES"}
        with subprocess.Popen([CPU_TIME, "name", "sh", "-c", "echo $$"], env=environment, stdout=subprocess.PIPE,
                              text=True) as process:
            self.assertEqual(process.communicate()[0], f"{process.pid}\n")


if __name__ == "__main__":
    CPU_TIME = sys.argv.pop(1)
    unittest.main()
