#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`warpfiber nvcc` with cuda_runtime.h precompiled, against `warpfiber nvcc` without: objects, messages, dependencies.

usage: precompiled_test.py <warpfiber> <class>...
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

WARPFIBER = CLANG = ""
HEADER = """#pragma once
__device__ inline int twice(int x) { int of_header; return 2 * x; }
"""
PROGRAM = """#include <cstdio>
#include "mine.h"
__global__ void k(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = twice(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int* out;
  int unused;
  cudaMalloc(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  int host[64];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\\n", host[0]);
}
"""


class Compiling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpfiber-precompiled-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cache = self.folder / "cache"
        (self.folder / "mine.h").write_text(HEADER)
        (self.folder / "a.cu").write_text(PROGRAM)

    def start(self, *options, cache=None, name="a.o"):
        command = [WARPFIBER, "nvcc", "-c", "a.cu", "-o", name, *options]
        environment = {**os.environ, "WARPFIBER_CACHE": str(cache or self.cache), "LC_ALL": "C.UTF-8"}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, stderr=subprocess.PIPE)

    def compile(self, *options, cache=None, status=0):
        """The object and what was said."""
        process = self.start(*options, cache=cache)
        said = process.communicate(timeout=100)[1]
        self.assertEqual(process.returncode, status, said)
        made = self.folder / "a.o"
        content = made.read_bytes() if status == 0 else b""
        made.unlink(missing_ok=True)
        return content, said

    def precompiled(self):
        return [file for file in self.cache.iterdir() if file.suffix in (".gch", ".pch")]

    def warm(self, *options):
        """The first compilation knows the header, the second one makes it."""
        self.compile(*options)
        self.assertEqual(self.precompiled(), [])
        self.compile(*options)
        self.assertEqual(len(self.precompiled()), 1)

    def assert_same(self, *options):
        whole = self.compile(*options, cache="off")
        self.warm(*options)
        used = self.precompiled()[0]
        os.utime(used, (0, 0))
        self.assertEqual(self.compile(*options), whole)
        self.assertNotEqual(used.stat().st_mtime, 0, "the precompiled header was not used")
        return whole[1]


class Same(Compiling):
    def test_objects_and_messages_of_gcc(self):
        said = self.assert_same("-O3", "-std=c++17", "-Xcompiler", "-Wall,-fPIC")
        self.assertIn("In file included from a.cu:2:\nmine.h", said)
        self.assertIn("a.cu:11:7: warning: unused variable", said)

    def test_objects_and_messages_of_a_checked_program(self):
        self.assertIn("-Wformat", self.assert_same("-fcheck", "-Xcompiler", "-Wall"))

    def test_objects_and_messages_of_clang(self):
        self.assertIn("In file included from a.cu:2:\n", self.assert_same("-ccbin", CLANG, "-Xcompiler", "-Wall"))

    def test_errors(self):
        self.warm()
        (self.folder / "a.cu").write_text(PROGRAM.replace("cudaMalloc(&out,", "cudaMalloc(1,"))
        whole = self.compile(cache="off", status=1)
        self.assertIn("cuda/api/memory.h", whole[1])
        self.assertEqual(self.compile(status=1), whole)

    def test_what_nvcc_refuses(self):
        self.warm()
        (self.folder / "mine.h").write_text("inline int twice(int x) { return 2 * x; }\n")
        whole = self.compile(cache="off", status=1)
        self.assertIn('calling a __host__ function("twice(int)") from a __global__ function("k")', whole[1])
        for _ in range(3):
            self.assertEqual(self.compile(status=1), whole)


class Caching(Compiling):
    def test_what_changes_the_header_has_one_of_its_own(self):
        self.warm()
        self.compile("-include", "limits.h", "-O1")
        self.compile("-DWARPFIBER_WIDE_WARPS", "-O1")
        self.compile("-O1")
        self.assertEqual(len(self.precompiled()), 1, "made of another text, or with other options")
        self.assertEqual(len(list(self.cache.glob("*.ii"))), 4)

    def test_options_that_do_more_than_compile_go_without(self):
        self.compile("-Xcompiler", "-ftime-report")
        self.assertFalse(self.cache.exists())

    def test_several_at_a_time_make_one_header(self):
        whole = self.compile()
        running = [self.start(name=f"{i}.o") for i in range(3)]
        for i, process in enumerate(running):
            said = process.communicate(timeout=100)[1]
            self.assertEqual(((self.folder / f"{i}.o").read_bytes(), said), whole)
        self.assertEqual(sorted(file.suffix for file in self.cache.iterdir()), [".gch", ".ii"])

    def test_a_damaged_header_is_made_anew(self):
        whole = self.compile()
        self.compile()
        damaged = self.precompiled()[0]
        os.truncate(damaged, 5000)
        for _ in range(2):  # once without, then with a new one
            self.assertEqual(self.compile(), whole)
        self.assertGreater(damaged.stat().st_size, 5000)

    def test_a_folder_that_cannot_be_written_is_no_matter(self):
        whole = self.compile(cache="off")
        (self.folder / "file").write_text("")
        for folder in ("file/cache", "/proc/self/cache"):
            self.assertEqual(self.compile(cache=folder), whole)

    def test_dependencies_are_those_of_the_text(self):
        dependencies = ("-MD", "-MF", "a.d")
        self.compile(*dependencies, cache="off")
        whole = (self.folder / "a.d").read_text()
        self.assertIn("cuda_runtime.h", whole)
        self.assertIn("mine.h", whole)
        for _ in range(3):
            (self.folder / "a.d").unlink()
            self.compile(*dependencies)
            self.assertEqual((self.folder / "a.d").read_text(), whole)


if __name__ == "__main__":
    WARPFIBER, CLANG = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
