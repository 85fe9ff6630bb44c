#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# packages_test.py CPACK BUILD FOLDER GLIBC GLIBCXX: what cpack makes of a build tree.
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
CPACK, BUILD, FOLDER, GLIBC, GLIBCXX = sys.argv[1:6]
FOLDER = pathlib.Path(FOLDER)
COMPRESSING = ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]  # xz takes longer than all that is tested here


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def make(name):
    done = run(CPACK, "--config", pathlib.Path(BUILD) / "CPackConfig.cmake", "-G", "DEB;TGZ", "-B", FOLDER / name, *COMPRESSING,
               env={**os.environ, "SOURCE_DATE_EPOCH": "1600000000"})
    assert done.returncode == 0, done.stdout
    return {path.suffix: path for path in (FOLDER / name).iterdir() if path.suffix in (".deb", ".gz")}


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    Packages.made = make("first")
    done = run("tar", "-xf", Packages.made[".gz"], "-C", FOLDER)
    assert done.returncode == 0, done.stdout
    (Packages.prefix,) = FOLDER.glob("warpfiber-*")


class Packages(unittest.TestCase):
    made, prefix = {}, None

    def test_the_same_tree_gives_the_same_bytes(self):
        again = make("second")
        for suffix, path in self.made.items():
            self.assertTrue(path.read_bytes() == again[suffix].read_bytes(), f"{path} and {again[suffix]} differ")

    def test_nothing_needs_a_newer_system_than_the_pages_say(self):
        done = run(SOURCES / "packaging/check_symbols", self.prefix, GLIBC, GLIBCXX)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_file_that_needs_a_newer_system_is_named(self):
        done = run(SOURCES / "packaging/check_symbols", self.prefix, "2.2.5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bin/warpfiber: needs ", done.stdout)

    def test_lintian_has_no_errors(self):
        done = run("lintian", "--allow-root", "--fail-on", "error", self.made[".deb"])
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_folder_runs_from_anywhere(self):
        done = run(self.prefix / "bin/warpfiber", "check", SOURCES / "examples/rotate.cu", cwd=FOLDER)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("rotate.cu:15", done.stdout)

    def test_the_libdw_that_is_brought_along_needs_nothing_else(self):
        done = run("ldd", self.prefix / "lib/warpfiber/elfutils/libdw.so.1")
        own = [line for line in done.stdout.splitlines() if "/elfutils/" in line]
        self.assertGreaterEqual(len(own), 2, done.stdout)
        self.assertNotIn("not found", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
