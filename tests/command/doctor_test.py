#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# `warpfiber doctor` where all is well, and where something is not: no compiler, one that fails, libraries that cannot be
# linked, an installation without its files. And what the commands that build say without a compiler.
#   doctor_test.py <warpfiber>
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

WARPFIBER = sys.argv[1]
# Without settings of the one who runs the tests.
USER = {key: value for key, value in os.environ.items()
        if key not in ("CXX", "CUDA_PATH", "CUDA_HOME", "GDB") and not key.startswith(("WARPFIBER_", "CUDA_VISIBLE_"))}
# What g++ starts by name, and what scripts are run by.
NEEDED = ["as", "bash", "cat", "env", "grep", "ld", "nm", "objcopy", "sh"]

KERNEL = "__global__ void nothing() {}\nint main() { nothing<<<1, 1>>>(); }\n"


class Machine:
    """A folder of programs that is all of PATH, and what the command says there."""

    def __init__(self, folder):
        self.folder, self.path = folder, os.path.join(folder, "bin")
        os.mkdir(self.path)
        for name in NEEDED:
            self.link(name)

    def link(self, name):
        program = shutil.which(name)
        if program is not None:
            os.symlink(program, os.path.join(self.path, name))

    def script(self, name, text):
        path = os.path.join(self.path, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)

    def run(self, *words, program=WARPFIBER, **variables):
        done = subprocess.run([program, *words], cwd=self.folder, env={**USER, "PATH": self.path, **variables},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = Machine(folder.name)

    def doctor(self, code, program=WARPFIBER, **variables):
        """Its output, and the checks of its document by name; it ends with the code."""
        file = os.path.join(self.machine.folder, "doctor.json")
        status, said, complained = self.machine.run("doctor", "--json", file, program=program, **variables)
        self.assertEqual((status, complained), (code, ""), said)
        with open(file, encoding="utf-8") as text:
            document = json.load(text)
        self.assertEqual(document["schema"], "warpfiber-doctor-1")
        self.assertEqual(document["ok"], code == 0)
        checks = {check["name"]: check for check in document["checks"]}
        for check in checks.values():
            self.assertIn(f"  {check['state']:<8} {check['name']:<20} {check['detail']}".rstrip() + "\n", said)
            if check["mend"]:
                self.assertIn(f"\n           mend: {check['mend']}\n", said)
        return said, checks

    def states(self, checks, *names):
        return [checks[name]["state"] for name in names]

    def test_all_that_is_required_works_with_a_compiler(self):
        self.machine.link("g++")
        said, checks = self.doctor(0, CUDA_PATH="/nowhere")
        self.assertTrue(said.endswith("\nall that is required works\n"), said)
        self.assertEqual(self.states(checks, "headers", "libraries", "toolkit folder", "assembler", "g++", "build by g++",
                                     "check"), ["ok"] * 7)
        # What need not be there, and what another command needs.
        self.assertEqual(self.states(checks, "clang++", "gdb", "python3"), ["none", "missing", "missing"])
        self.assertEqual([name for name, check in checks.items() if check["required"] and check["state"] != "ok"], [])
        self.assertRegex(checks["g++"]["detail"], r"^\d+\.\d+\.\d+, .*/g\+\+, the default$")
        self.assertRegex(checks["build by g++"]["detail"], "ran on a simulated NVIDIA H200$")

    def test_a_missing_compiler_comes_with_what_installs_it(self):
        said, checks = self.doctor(1)
        self.assertEqual(self.states(checks, "g++", "build", "check"), ["missing"] * 3)
        self.assertIn("g++ ", checks["g++"]["mend"].replace("gcc-c++", "g++") + " ")
        self.assertTrue(said.endswith("\nrequired, and not working: g++, build, check\n"), said)

    def test_commands_that_build_say_the_same_in_short(self):
        with open(os.path.join(self.machine.folder, "a.cu"), "w", encoding="utf-8") as file:
            file.write(KERNEL)
        mend = self.doctor(1)[1]["g++"]["mend"]
        expected = ("warpfiber nvcc: there is no g++ on the path, which is to compile the program\n"
                    f"warpfiber nvcc: to install one: {mend}\n"
                    f"warpfiber nvcc: {WARPFIBER} doctor tries all that is needed\n")
        for words, code in (("run a.cu", 1), ("nvcc -c a.cu", 1), ("nvcc -E a.cu", 1)):
            self.assertEqual(self.machine.run(*words.split()), (code, "", expected), words)
        code, _, complained = self.machine.run("check", "a.cu")
        self.assertEqual((code, complained.startswith(expected)), (4, True), complained)

    def test_a_compiler_that_is_named_and_not_there_is_called_by_its_name(self):
        with open(os.path.join(self.machine.folder, "a.cu"), "w", encoding="utf-8") as file:
            file.write(KERNEL)
        for has_other in (False, True):
            if has_other:
                self.machine.link("g++")
            self.says_which_is_missing(has_other)

    def says_which_is_missing(self, has_other):
        for words, named in ((("-ccbin", "g++-99"), "g++-99 on the path"), (("-ccbin", "./no/g++"), "./no/g++")):
            code, _, complained = self.machine.run("nvcc", "-c", "a.cu", *words)
            self.assertEqual(code, 1)
            self.assertIn(f"warpfiber nvcc: there is no {named}, which is to compile the program\n", complained)
            self.assertEqual("warpfiber nvcc: to use g++: -ccbin g++, or CXX=g++\n" in complained, has_other, complained)
            self.assertEqual("warpfiber nvcc: to install one: " in complained, not has_other, complained)

    def test_nothing_is_missed_where_nothing_is_compiled(self):
        self.assertEqual(self.machine.run("nvcc", "--version")[0], 0)
        with open(os.path.join(self.machine.folder, "a.cu"), "w", encoding="utf-8") as file:
            file.write(KERNEL)
        self.assertEqual(self.machine.run("nvcc", "--dryrun", "a.cu")[0], 0)

    def test_a_compiler_that_fails_is_shown_with_what_it_says(self):
        self.machine.script("g++", "echo 'g++: fatal error: cannot execute cc1plus' >&2\nexit 1\n")
        said, checks = self.doctor(1)
        self.assertEqual(self.states(checks, "g++", "build", "check"), ["fails", "missing", "missing"])
        self.assertEqual(checks["g++"]["said"], "g++: fatal error: cannot execute cc1plus\n")
        self.assertIn("\n           | g++: fatal error: cannot execute cc1plus\n", said)

    def test_a_compiler_whose_programs_do_not_run_is_none(self):
        self.machine.script("g++", """while [ $# -gt 1 ]; do shift; done; printf '#!/bin/sh\\nexit 7\\n' > "$1"; chmod +x "$1"\n""")
        self.machine.link("chmod")
        _, checks = self.doctor(1)
        self.assertEqual(checks["g++"]["state"], "fails")
        self.assertIn("a program that", checks["g++"]["detail"])
        self.assertEqual(checks["g++"]["said"], "it ended with 7 and has printed nothing\n")

    def test_a_library_that_cannot_be_linked_fails_the_build_and_not_the_compiler(self):
        real = shutil.which("g++")
        self.machine.script("g++", 'case "$*" in *libwarpfiber*) echo "ld: cannot find -lneeded" >&2; exit 1;; esac\n'
                                   f'exec {real} "$@"\n')
        said, checks = self.doctor(1)
        self.assertEqual(self.states(checks, "g++", "build by g++", "check"), ["ok", "fails", "fails"])
        self.assertIn("\n           | ld: cannot find -lneeded\n", said)
        self.assertTrue(said.endswith("\nrequired, and not working: build by g++, check\n"), said)

    def test_another_compiler_may_take_the_place_of_one_that_is_missing(self):
        self.machine.link("g++")
        _, checks = self.doctor(1, CXX="g++-99")
        self.assertEqual(self.states(checks, "g++-99", "g++", "build by g++", "check"), ["missing", "ok", "ok", "ok"])
        self.assertEqual(checks["g++-99"]["detail"], "not on the path, which CXX names")
        self.assertIn("build by g++: -ccbin g++, or CXX=g++", checks["g++-99"]["mend"])
        os.symlink(shutil.which("g++"), os.path.join(self.machine.path, "own-g++"))
        _, checks = self.doctor(0, CXX="ccache own-g++")
        self.assertEqual(self.states(checks, "own-g++", "build by own-g++"), ["ok", "ok"])
        self.assertEqual(checks["g++"]["required"], False)

    def test_an_installation_without_its_files_is_said_to_be_one(self):
        self.machine.link("g++")
        bare = os.path.join(self.machine.folder, "prefix", "bin")
        os.makedirs(bare)
        shutil.copy(WARPFIBER, bare)
        said, checks = self.doctor(1, program=os.path.join(bare, "warpfiber"))
        self.assertEqual(checks["installation"]["state"], "fails")
        self.assertIn("no warpfiber/toolchain.json below ", checks["installation"]["detail"])
        self.assertTrue(said.endswith("\nrequired, and not working: installation\n"), said)

    def test_files_that_are_gone_are_named(self):
        self.machine.link("g++")
        prefix = os.path.join(self.machine.folder, "prefix")
        os.makedirs(os.path.join(prefix, "bin"))
        os.makedirs(os.path.join(prefix, "lib", "warpfiber"))
        shutil.copy(WARPFIBER, os.path.join(prefix, "bin"))
        origin = os.path.join(os.path.dirname(os.path.dirname(WARPFIBER)), "lib", "warpfiber", "toolchain.json")
        shutil.copy(origin, os.path.join(prefix, "lib", "warpfiber"))
        said, checks = self.doctor(1, program=os.path.join(prefix, "bin", "warpfiber"))
        self.assertEqual(self.states(checks, "libraries", "build by g++"), ["missing", "fails"])
        self.assertIn("lib/libwarpfiber", checks["libraries"]["detail"])
        self.assertEqual(checks["libraries"]["mend"], "install Warpfiber again")

    def test_an_nvcc_of_ours_is_no_gpus(self):
        os.symlink(WARPFIBER, os.path.join(self.machine.path, "nvcc"))
        _, checks = self.doctor(1)
        self.assertEqual(checks["GPU"]["state"], "none")
        self.assertIn("is Warpfiber's", checks["GPU"]["detail"])

    def test_a_gpu_is_tried_by_the_nvcc_that_is_there(self):
        self.machine.link("chmod")
        write = """while [ $# -gt 1 ]; do shift; done; printf '#!/bin/sh\\n%s\\n' > "$1"; chmod +x "$1"\n"""
        for program, state, detail in (("echo a GPU", "ok", "a GPU, with "), ("echo nothing here; exit 3", "none",
                                       "there is no GPU: nothing here"), ("exit 9", "fails", "does not run")):
            self.machine.script("nvcc", '[ "$1" = --version ] && echo release 13.0 && exit\n' + write % program)
            _, checks = self.doctor(1)
            self.assertEqual(checks["GPU"]["state"], state, program)
            self.assertIn(detail, checks["GPU"]["detail"])

    def test_a_document_that_cannot_be_written_is_an_error(self):
        code, _, complained = self.machine.run("doctor", "--json", "no/such/folder/doctor.json")
        self.assertEqual(code, 2)
        self.assertIn("warpfiber doctor: no/such/folder/doctor.json: the file cannot be written", complained)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
