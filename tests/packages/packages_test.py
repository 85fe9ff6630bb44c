#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# packages_test.py CPACK BUILD FOLDER GLIBC GLIBCXX [ELFUTILS]: what cpack makes of a build tree. ELFUTILS is a folder that
# packaging/elfutils has filled; without it the .tar.gz has this system's libdw, which may need a newer glibc than the rest.
import ctypes
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
CPACK, BUILD, FOLDER, GLIBC, GLIBCXX, *ELFUTILS = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
SETTINGS = ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]  # xz takes longer than all that is tested here
SETTINGS += [word for folder in ELFUTILS for word in ("-D", f"CPACK_WARPFIBER_ELFUTILS={folder}")]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def make(name):
    done = run(CPACK, "--config", pathlib.Path(BUILD) / "CPackConfig.cmake", "-G", "DEB;TGZ", "-B", FOLDER / name, *SETTINGS,
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
        left_out = [] if ELFUTILS else ["elfutils"]
        done = run(SOURCES / "packaging/check_symbols", self.prefix, GLIBC, GLIBCXX, *left_out)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_libdw_that_is_brought_along_has_all_functions(self):
        names = re.findall(r"^  X\((\w+)\)", (SOURCES / "src/foundation/symbols/libdw.hpp").read_text(), re.MULTILINE)
        self.assertGreater(len(names), 20)
        library = ctypes.CDLL(self.prefix / "lib/warpfiber/elfutils/libdw.so.1")
        self.assertEqual([name for name in names if not hasattr(library, name)], [])

    def test_the_installed_size_is_that_of_the_files(self):
        said = int(run("dpkg-deb", "--field", self.made[".deb"], "Installed-Size").stdout)
        listed = run("dpkg-deb", "--contents", self.made[".deb"]).stdout.splitlines()
        files = [int(line.split()[2]) for line in listed if line.startswith("-")]
        self.assertEqual(said, sum((size + 1023) // 1024 for size in files) + len(listed) - len(files))
        sums = self.made[".deb"].with_suffix(".deb.sha256").read_text()
        self.assertIn(hashlib.sha256(self.made[".deb"].read_bytes()).hexdigest(), sums)

    def test_a_file_that_names_a_folder_is_named(self):
        check = SOURCES / "packaging/check_folders"
        (FOLDER / "other").mkdir()
        (FOLDER / "other/text").write_text(f"in {SOURCES}/src/a.cpp, {SOURCES}er")
        done = run(check, FOLDER / "other", SOURCES)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (1, f"text: contains {SOURCES}/src/a.cpp,"))
        self.assertEqual(run(check, FOLDER / "other", "/usr/src/warpfiber").returncode, 0)
        done = run(check, self.prefix, FOLDER)
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
