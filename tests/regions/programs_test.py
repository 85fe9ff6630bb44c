# SPDX-License-Identifier: Apache-2.0
"""Programs print the same with regions as with fibers, and mistakes are reported alike: programs_test.py WARPFIBER SOURCES
CLASS..."""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

import both_ways

WARPFIBER, SOURCES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
del sys.argv[1:3]

# Threads of these have to be fibers.
NEED_FIBERS = {"recursion", "spinning", "printing", "masks"}
# And in refused_kernels.cu, each with the reason that is given.
REFUSED = {
    "index_by_pointer": "it uses threadIdx in a way that is not known",
    "two_places": "lanes of a warp may meet at two places",
    "exchanged": "a loop may wait for what another thread does",
    "bit_lock": "a loop may wait for what another thread does",
    "semaphore": "a loop may wait for what another thread does",
    "turns": "a loop may wait for what another thread does",
    "plain_flag": "a loop may wait for what another thread does",
    "told_flag": "a loop may wait for what another thread does",
    "fenced_flag": "a loop may wait for what another thread does",
    "looks_back": "a loop may wait for what another thread does",
    "looks_for_others": "a loop may wait for what another thread does",
    "waiting_for_blocks": "a loop may wait for what another thread does",
    "ends_by_exit": "it ends threads by exit of PTX",
    "function_address": "it takes the address of a function",
    "weak_function": "it calls a weak function, which may be another when the program is linked",
}


def seconds_of_children():
    """Of CPU time, so that what else the machine does makes no difference."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Programs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.kernels = {}  # of each program that is built

    def build(self, name, *options):
        """Builds a program, once for all tests of the class, and returns what became of its kernels."""
        key = (name, *options)
        number = list(self.kernels).index(key) if key in self.kernels else len(self.kernels)
        self.binary = self.folder / f"program{number}"
        if key not in self.kernels:
            kernels, said = both_ways.build(WARPFIBER, SOURCES / name, self.binary,
                                            ["-O2", "-arch=sm_90", "-lineinfo", *options])
            self.assertTrue(kernels, said)
            self.assertNotIn("without regions", said)
            self.kernels[key] = kernels
        return self.kernels[key]

    def compare(self, *arguments):
        fibers = both_ways.run(self.binary, arguments, regions=False)
        regions = both_ways.run(self.binary, arguments)
        self.assertEqual(*[(code, out, re.sub("0x[0-9a-f]{12}", "ADDRESS", said)) for code, out, said in (fibers, regions)])
        return fibers


class Results(Programs):
    """Kernels with barriers and with collectives."""

    def check_results(self, name, *options):
        kernels = self.build(name, *options)
        status, printed, report = self.compare()
        self.assertEqual((status, report), (0, ""))
        self.assertGreater(len(printed.splitlines()), 20)
        by_fibers = {kernel: said for kernel, said in kernels.items() if "fibers" in " ".join(said)}
        self.assertEqual(set(by_fibers) - NEED_FIBERS, set(), by_fibers)
        return kernels

    def test_results_of_kernels_with_barriers_are_the_same(self):
        self.check_results("block_kernels.cu")

    def test_results_of_barriers_anywhere_in_a_program_are_the_same(self):
        kernels = self.check_results("flow_kernels.cu")
        array_and_value = 256 * 4 + 4
        self.assertIn(f", {array_and_value} bytes kept for each thread", kernels["large_private_array"][0])
        # Where all threads go on together, none has to keep where it is.
        kept = {kernel: both_ways.kept_bytes(said[0]) for kernel, said in kernels.items() if "kept" in said[0]}
        self.assertLess(kept["constant_bounds"], kept["constants_by_thread"])
        self.assertLess(kept["asserted"], kept["constants_by_thread"])

    def test_results_of_collectives_of_warps_are_the_same(self):
        self.check_results("warp_kernels.cu")

    def test_numbers_and_forms_of_the_language_are_the_same(self):
        self.check_results("numbers_kernels.cu", "-O3")


class RandomNumbers(Programs):
    """cuRAND in kernels."""

    def test_random_numbers_of_every_distribution_are_the_same(self):
        kernels = self.build("random_kernels.cu")
        for kernel, said in kernels.items():
            self.assertNotIn("fibers", " ".join(said), kernel)
        status, printed, report = self.compare()
        self.assertEqual((status, report), (0, ""))
        self.assertEqual(len(printed.splitlines()), 10)


class Operations(Programs):
    """Formulas, and what regions refuse."""

    def test_each_operation_gives_what_its_formula_says(self):
        kernels = self.build("operation_kernels.cu", "-O0")  # by g++: half the time to compile
        self.assertEqual({"runs as" in line for said in kernels.values() for line in said}, {True}, kernels)
        status, printed, report = self.compare()
        self.assertEqual((status, report), (0, ""), printed)
        self.assertRegex(printed, r"^\d+ operations, 0 wrong$")
        checked = subprocess.run([WARPFIBER, "check", "-O0", SOURCES / "operation_kernels.cu", "-arch=sm_90"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn(printed, checked.stdout)
        self.assertIn("nothing found in 1 run", checked.stdout + checked.stderr)

    def test_kernels_at_the_limits_of_regions_are_the_same(self):
        kernels = self.build("refused_kernels.cu")
        status, _, report = self.compare()
        self.assertEqual((status, report), (0, ""))
        for kernel, said in kernels.items():
            with self.subTest(kernel=kernel):
                expected = REFUSED.get(kernel.split("<")[0].split()[-1], "runs as")
                self.assertIn(expected, " ".join(said))

    def test_variables_have_one_name_in_both_compilations(self):
        for compiler in ("g++", os.environ["CLANG"]):
            with self.subTest(compiler=compiler):
                kernels = self.build("named_kernels.cu", SOURCES / "other_kernels.cu", "-rdc=true", "-ccbin", compiler)
                for kernel in ("elsewhere", "unnamed_variables"):
                    self.assertIn("runs as 2 regions", kernels[kernel][0])
                self.assertEqual(self.compare()[0], 0)

    def size_with_barriers(self, count):
        """Of the object of a kernel with so many barriers, each of which may be left out."""
        source, binary = self.folder / "barriers.cu", self.folder / "barriers.o"
        steps = "".join(f"if (b[{i}] > n) {{ s[threadIdx.x] = x * {i}.5f; __syncthreads(); x += s[{i}]; }}\n"
                        for i in range(count))
        source.write_text("__global__ void kernel(float* a, int* b, int n) {\n"
                          f"__shared__ float s[256]; float x = a[threadIdx.x];\n{steps}a[threadIdx.x] = x;\n}}\n"
                          "int main() { kernel<<<1, 256>>>(nullptr, nullptr, 1); }\n")
        kernels, said = both_ways.build(WARPFIBER, source, binary, ["-O2", "-c"])
        self.assertIn("runs as", " ".join(kernels["kernel"]), said)
        return binary.stat().st_size

    def test_code_grows_with_the_barriers_and_not_with_their_square(self):
        self.assertLess(self.size_with_barriers(80), 2.5 * self.size_with_barriers(40))

    def test_mistakes_are_reported_alike(self):
        kernels = self.build("mistakes.cu")
        for name in ("matrices_of_a_part", "rows_of_matrices", "place_of_matrices", "other_matrices", "matrices_and_fault"):
            self.assertIn("runs as", kernels[name][0], name)
        for mistake in both_ways.run(self.binary)[1].split():
            with self.subTest(mistake=mistake):
                self.compare(mistake)


class Watchdog(Programs):
    """Blocks that take long, and those that never end."""

    def test_blocks_that_take_longer_than_the_watchdog_are_live(self):
        kernels = self.build("live_kernels.cu")
        self.assertEqual({"runs as" in " ".join(said) for said in kernels.values()}, {True}, kernels)
        for number in ("0", "1", "2"):
            with self.subTest(kernel=number):
                watched = both_ways.run(self.binary, [number, "30000"], variables={"WARPFIBER_WATCHDOG": "1"})
                self.assertEqual(watched, both_ways.run(self.binary, [number, "30000"], regions=False))
                self.assertEqual(watched[0], 0)

    def test_blocks_that_meet_often_for_long_are_live(self):
        self.build("live_kernels.cu")
        for number, steps in (("3", "150000"), ("4", "1000"), ("5", "10000"), ("6", "4000"), ("7", "20000")):
            with self.subTest(kernel=number):
                watched = both_ways.run(self.binary, [number, steps], variables={"WARPFIBER_WATCHDOG": "1"})
                self.assertEqual(watched, both_ways.run(self.binary, [number, steps],
                                                        variables={"WARPFIBER_WATCHDOG": "0"}))
                self.assertEqual((watched[0], watched[2]), (0, ""))

    def test_blocks_that_meet_for_ever_end_within_twice_the_watchdog(self):
        kernels = self.build("dead_kernels.cu")
        self.assertEqual({"runs as" in " ".join(said) for said in kernels.values()}, {True}, kernels)
        seconds = 1
        for number, kernel in enumerate(kernels):
            with self.subTest(kernel=kernel):
                begin = seconds_of_children()
                status, _, report = both_ways.run(self.binary, [str(number)],
                                                  variables={"WARPFIBER_WATCHDOG": str(seconds)})
                self.assertLess(seconds_of_children() - begin, 2 * seconds)
                self.assertNotEqual(status, 0)
                self.assertIn(f"livelock  {kernel}<<<", report)


if __name__ == "__main__":
    unittest.main()
