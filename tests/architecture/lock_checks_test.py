#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Whether clang++, with the options that the preset clang gives it, refuses an access without its lock:
# lock_checks_test.py <clang++> <root of the sources>.
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from tree import source_folders

HERE = os.path.dirname(os.path.abspath(__file__))
REFUSED = re.compile(r"// refused: (.*)$")
ERROR = re.compile(r"^.*?:(\d+):\d+: error: (.*?) \[-Werror,-Wthread-safety[\w-]*\]$", re.MULTILINE)
OTHER_ERROR = re.compile(r"^.*: (?:fatal )?error: (?!.*\[-Werror,-Wthread-safety).*$", re.MULTILINE)
LOCK = re.compile(r"^ *const (?:base::)?Lock lock\(.*\n", re.MULTILINE)


def options():
    """Those that the preset clang has for every compilation."""
    with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
        presets = {preset["name"]: preset for preset in json.load(file)["configurePresets"]}
    return presets["clang"]["cacheVariables"]["CMAKE_CXX_FLAGS"].split()


def refusals(text):
    """The lines of C++ that clang++ refuses for their locks, with the complaints."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "source.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [CLANG, "-fsyntax-only", "-ferror-limit=0", "-std=c++20", "-DWARPFIBER_OWN_OBJECT", *options(),
             *("-I" + folder for folder in source_folders(ROOT)), "-I" + os.path.join(ROOT, "include"), path],
            capture_output=True, text=True, check=False)
    unexpected = OTHER_ERROR.findall(done.stderr)
    if unexpected:
        raise AssertionError("\n".join(unexpected))
    return [(int(line), complaint) for line, complaint in ERROR.findall(done.stderr)]


class LockChecks(unittest.TestCase):
    def test_what_is_wrong_is_refused_and_nothing_else(self):
        with open(os.path.join(HERE, "locks.cpp"), encoding="utf-8") as file:
            text = file.read()
        wanted = [(number, found[1]) for number, line in enumerate(text.split("\n"), 1)
                  if (found := REFUSED.search(line))]
        self.assertEqual(sorted(refusals(text)), wanted)

    def test_a_file_of_the_library_needs_each_of_its_locks(self):
        for path in ("src/analysis/profile/profile.cpp", "src/foundation/base/contract.cpp"):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(refusals(text), [], path)
            locks = list(LOCK.finditer(text))
            self.assertNotEqual(locks, [], path)
            with self.subTest(path=path):
                for lock in locks:
                    self.assertNotEqual(refusals(text[:lock.start()] + text[lock.end():]), [], lock[0])


if __name__ == "__main__":
    CLANG, ROOT = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
