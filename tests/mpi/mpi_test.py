#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Programs of MPI and CUDA: built with MPI's compiler, and run in four processes.
#   mpi_test.py <warpfiber> <mpicxx> <mpirun>
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

WARPFIBER, MPICXX, MPIRUN = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
# Open MPI, 4 and 5: also as root, and with more processes than cores.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="mpi-")
        cls.folder = cls.scratch.name

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_command(self, words, expected=0, **variables):
        done = subprocess.run(words, cwd=self.folder, env={**ENVIRONMENT, **variables}, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def build(self, name, *options):
        sources = [os.path.join(HERE, source) for source in ("ranks.cu", "other_file.cu")]
        self.run_command([WARPFIBER, "nvcc", "-ccbin", MPICXX, *options, *sources, "-o", name])

    def ranks(self, *words, expected=0, **variables):
        return self.run_command([MPIRUN, "-n", "4", *words], expected, **variables)

    def test_in_one_step(self):
        self.build("ranks")
        self.assertIn("4 processes: scattered 1, copied 1, aware 1, linked 1: PASS", self.ranks("./ranks"))

    def test_object_by_object(self):
        """As makefiles do: objects of one compiler each, linked by the one that knows of both."""
        self.run_command([WARPFIBER, "nvcc", "-ccbin", MPICXX, "-c", os.path.join(HERE, "ranks.cu"), "-o", "ranks.o"])
        self.run_command([WARPFIBER, "nvcc", "-c", os.path.join(HERE, "other_file.cu"), "-o", "other_file.o"])
        with open(os.path.join(self.folder, "version.cpp"), "w", encoding="utf-8") as file:
            file.write("#include <mpi.h>\nint version() { return MPI_VERSION; }\n")
        self.run_command([MPICXX, "-c", "version.cpp", "-o", "version.o"])
        self.run_command([WARPFIBER, "nvcc", "-ccbin", MPICXX, "ranks.o", "other_file.o", "version.o", "-o", "linked"])
        self.assertIn("linked 1: PASS", self.ranks("./linked"))

    def test_each_process_checks_itself(self):
        self.build("checked", "-fcheck")
        self.assertIn("PASS", self.ranks("./checked", WARPFIBER_FINDINGS="well-%p.json"))
        self.assertEqual(self.found("well-*.json"), [[], [], [], []])
        said = self.ranks("./checked", "race", "2", expected=66, WARPFIBER_FINDINGS="race-%p.json")
        self.assertIn("ranks.cu:", said)
        self.assertEqual(sorted(self.found("race-*.json")), [[], [], [], ["race-shared"]])
        self.ranks(WARPFIBER, "check", "./checked", "race", "1", expected=1)

    def found(self, pattern):
        ids = []
        for name in glob.glob(os.path.join(self.folder, pattern)):
            with open(name, encoding="utf-8") as file:
                ids.append([finding["id"] for finding in json.load(file)["findings"]])
        return ids


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
