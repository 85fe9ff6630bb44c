#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The command line of warpfiber from outside: what each subcommand returns, and what shells and man make of its manual.
#   command_test.py <warpfiber> <folder of the manual> <test class>...
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WARPFIBER, MANUAL = sys.argv[1:3]
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "CXX": "", "CUDA_PATH": "", "CUDA_HOME": ""}

# A host program is enough to be run, and is built in no time.
PROGRAM = """#include <cstdlib>
int main(int, char** arguments) {
  if (arguments[1][0] == 'a') std::abort();
  return std::atoi(arguments[1]);
}
"""

# What ends with which code. Files are those of the folder that the test makes.
CODES = [
    ("run program.cpp -- 7", 7, "other"),
    ("run program.cpp -- abort", 128 + 6, "128 + N"),
    ("run wrong.cpp", 1, "1"),
    ("run -ccbin ./no-g++ program.cpp", 1, "1"),
    ("run --frobnicate program.cpp", 2, "2"),
    ("run program.cpp 7", 2, "2"),
    ("run program.cpp input.txt", 2, "2"),
    ("check missing.cu", 2, "2"),
    ("check", 2, "2"),
    ("check /bin/true", 3, "3"),
    ("check true", 3, "3"),
    ("check wrong.cpp", 4, "4"),
    ("check false", 5, "5"),
    ("check ls missing", 5, "5"),
    ("merge", 2, "2"),
    ("merge missing.json", 2, "2"),
    ("profile wrong.cpp", 1, "1"),
    ("profile --frobnicate program.cpp", 2, "2"),
    ("profile program.cpp -- 0", 3, "3"),
    ("profile program.cpp -- 7", 7, "other"),
    ("profile program.cpp -- abort", 128 + 6, "128 + N"),
    ("gdb wrong.cpp", 1, "1"),
    ("gdb --frobnicate program.cpp", 2, "2"),
    ("gdb program.cpp", 0, "other"),
    ("step --script /dev/null program.cpp", 0, "0"),
    ("step wrong.cpp", 1, "1"),
    ("step --frobnicate program.cpp", 2, "2"),
    ("step --script input.txt program.cpp", 2, "2"),
    ("nvcc -c wrong.cpp", 1, "1"),
    ("nvcc --dryrun program.cpp", 0, "0"),
    ("nvcc --run /bin/true", 0, "0"),
    ('nvcc --run "/bin/true"', 0, "0"),
    ("nvcc --run --run-args missing /bin/ls", 2, "other"),
    ("nvcc .c -Xcompiler --version", 0, "0"),
    ("nvcc --frobnicate", 2, "2"),
    ("explain trap", 0, "0"),
    ("explain", 0, "0"),
    ("explain tarp", 1, "1"),
    ("explain trap assert", 2, "2"),
    ("crosscheck missing.cu", 2, "2"),
    ("crosscheck --frobnicate", 2, "2"),
    ("fuzz --count 1 --against model", 0, "0"),
    ("fuzz --count 0", 2, "2"),
    ("record missing.cu", 2, "2"),
    ("fidelity", 0, "0"),
    ("fidelity missing.cu", 2, "2"),
    ("doctor --json", 2, "2"),
    ("doctor now", 2, "2"),
    ("devices", 0, "0"),
    ("devices H2000", 1, "1"),
    ("devices a b", 2, "2"),
    ("occupancy --block 32", 0, "0"),
    ("occupancy --block 32 --device H2000", 1, "1"),
    ("occupancy", 2, "2"),
    ("completion bash", 0, "0"),
    ("completion tcsh", 2, "2"),
    ("help check", 0, "0"),
    ("help chekc", 2, "2"),
]

# Where the others are tested: they need a kernel, a GPU or a difference.
ELSEWHERE = {
    ("run", "66"): ("tests/check/CMakeLists.txt", "run_at_end.cmake"),
    ("check", "0"): ("tests/check/CMakeLists.txt", "warpfiber_add_check(clean 0 "),
    ("check", "1"): ("tests/check/CMakeLists.txt", "warpfiber_add_check(finding 1 "),
    ("merge", "0"): ("tests/check/shards_test.py", "3 of 3 shards, 6 of 6 seeds"),
    ("merge", "1"): ("tests/check/shards_test.py", "self.assertEqual(status, FOUND)"),
    ("merge", "3"): ("tests/check/shards_test.py", "self.assertEqual(status, UNCHECKED)"),
    ("merge", "4"): ("tests/check/shards_test.py", "self.assertEqual(status, NOT_BUILT)"),
    ("merge", "5"): ("tests/check/shards_test.py", "FAILED, \"in 12 of 12 runs"),
    ("profile", "66"): ("tests/counters/command_test.py", "done.returncode, 66)"),
    ("step", "128 + N"): ("tests/step/session_test.py", "done.returncode, 143)"),
    ("nvcc", "other"): ("tests/package/check.cmake", "-run)"),
    ("crosscheck", "0"): ("tests/crosscheck/run_crosscheck.cmake", "crosscheck(0 "),
    ("crosscheck", "1"): ("tests/crosscheck/run_crosscheck.cmake", "crosscheck(1 "),
    ("crosscheck", "3"): ("tests/crosscheck/run_crosscheck.cmake", "crosscheck(3 "),
    ("record", "0"): ("tests/crosscheck/run_crosscheck.cmake", "record(0 "),
    ("record", "3"): ("tests/crosscheck/run_crosscheck.cmake", "record(3 "),
    ("doctor", "0"): ("tests/command/doctor_test.py", "doctor(0, "),
    ("doctor", "1"): ("tests/command/doctor_test.py", "doctor(1, "),
    ("fuzz", "1"): ("tests/fuzz/command_test.cpp", "CHECK(reply.status == 1)"),
    ("fuzz", "3"): ("tests/fuzz/command_test.cpp", "CHECK(gpu.status == 3)"),
    ("fuzz", "128 + N"): ("tests/command/signals_test.py", "started.end(signal.SIGTERM), (128 + signal.SIGTERM, "),
}


# Where there is one; it lies next to the users' command.
DEVELOPERS = WARPFIBER + "-dev" if os.path.exists(WARPFIBER + "-dev") else None


def run(*words, folder=None, shell=None, program=WARPFIBER):
    command = [shell, "-c", words[0]] if shell else [program, *words]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def commands(program=WARPFIBER):
    listed = run("--help", program=program)[1].split("commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def documented_codes(command):
    part = run("help", command)[1].split("\nexit code:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S.*?)  ", part, re.MULTILINE)


class ExitCodes(unittest.TestCase):
    def test_each_command_ends_as_its_help_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("program.cpp", PROGRAM), ("wrong.cpp", "int main() { return no; }\n"), ("input.txt", "7")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            for line, expected, listed in CODES:
                words = line.split()
                program = WARPFIBER if words[0] in commands() else DEVELOPERS
                if program is None:
                    continue
                with self.subTest(line):
                    code, said, complained = run(*words, folder=folder, program=program)
                    self.assertEqual(code, expected, said + complained)
                    self.assertIn(listed, documented_codes(words[0]))

    def test_each_code_of_the_help_is_tested(self):
        tested = {(line.split()[0], listed) for line, _, listed in CODES} | set(ELSEWHERE)
        for command in commands() + (commands(DEVELOPERS) if DEVELOPERS else []):
            for code in documented_codes(command):
                self.assertIn((command, code), tested)

    def test_each_command_names_the_other_one_for_what_it_lacks(self):
        self.assertEqual(run("fuzz", "--count", "1"), (2, "", "warpfiber: 'fuzz' is a command of warpfiber-dev\n"))
        if DEVELOPERS:
            self.assertEqual(run("check", "a.cu", program=DEVELOPERS),
                             (2, "", "warpfiber-dev: 'check' is a command of warpfiber\n"))
            self.assertEqual(run("help", "fuzz", program=DEVELOPERS), run("help", "fuzz"))
            self.assertEqual(run(program=DEVELOPERS)[:2], run("--help", program=DEVELOPERS)[:2])

    def test_what_is_tested_elsewhere_is_there(self):
        for path, text in ELSEWHERE.values():
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                self.assertIn(text, file.read(), path)


class Libraries(unittest.TestCase):
    def test_a_missing_one_is_told_before_the_compilers_error(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, header, library in (("a.cu", "cudnn.h", "cuDNN"), ("b.cpp", "nccl.h", "NCCL")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("#include <%s>\n" % header)
                code, _, complained = run("nvcc", "-c", name, folder=folder)
                ours, _, rest = complained.partition("\n")
                self.assertEqual(ours, "warpfiber nvcc: <%s> is not there: Warpfiber has no %s; `warpfiber fidelity` lists "
                                       "what the program needs" % (header, library))
                self.assertIn(name + ":1:10: fatal error: ", rest)
                self.assertEqual(code, 1)

    def test_a_missing_function_is_told_before_the_compilers_error(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.cu"), "w", encoding="utf-8") as file:
                file.write("int main() { return cudnnFrobnicate(); }\n")
            code, _, complained = run("nvcc", "-c", "a.cu", folder=folder)
            self.assertIn("warpfiber nvcc: cudnnFrobnicate is not there: either a header of cuDNN is not included, or "
                          "Warpfiber does not have it; `warpfiber fidelity` lists what the program needs\na.cu:",
                          complained)
            self.assertEqual(code, 1)


class Names(unittest.TestCase):
    NAME = "na\033[31mme"

    def test_messages_show_control_characters_of_names(self):
        with tempfile.TemporaryDirectory() as folder:
            commands = [["run", f"{self.NAME}.cpp"], ["check", f"{self.NAME}.cpp"], ["nvcc", f"{self.NAME}.cpp"],
                        ["check", "--" + self.NAME], ["run", "--" + self.NAME], [self.NAME], ["help", self.NAME],
                        ["nvcc", "-ccbin", self.NAME, "program.cpp"], ["check", self.NAME]]
            with open(os.path.join(folder, "program.cpp"), "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            for words in commands:
                with self.subTest(words):
                    code, said, complained = run(*words, folder=folder)
                    self.assertNotEqual(code, 0)
                    self.assertNotIn("\033", said + complained)
                    self.assertIn("na\\x1b[31mme", said + complained)

    def test_an_empty_tmpdir_is_as_good_as_none(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "program.cpp"), "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            for words in ("run program.cpp -- 0", "nvcc program.cpp -o program"):
                line = f"TMPDIR= TMP= '{WARPFIBER}' {words}"
                code, _, complained = run(line, folder=folder, shell="sh")
                self.assertEqual(code, 0, complained)
            self.assertEqual(sorted(os.listdir(folder)), ["program", "program.cpp"])


class Help(unittest.TestCase):
    def test_arguments_of_the_program_before_the_dashes_are_named(self):
        for words, named in ((("a.cu", "1000"), "... -- 1000"), (("a.cu", __file__), f"... -- {__file__}"),
                             (("a.cu", "--size", "5"), "unknown option '--size'")):
            for command in ("run", "check"):
                code, _, complained = run(command, *words)
                self.assertEqual(code, 2)
                self.assertIn(named, complained)
                self.assertIn('of the program after "--"' if "--size" not in words else 'of the program after "--"',
                              complained)

    def test_every_way_to_ask_gives_the_same_help(self):
        for command in commands():
            code, text, _ = run("help", command)
            self.assertEqual(code, 0)
            for option in ("--help", "-h"):
                self.assertEqual(run(command, option), (0, text, ""), command)

    def test_every_command_has_a_version(self):
        version = run("--version")[1]
        self.assertRegex(version, r"^warpfiber \d+\.\d+\.\d+\n$")
        for command in commands():
            for option in ("--version", "-V"):
                code, text, _ = run(command, option)
                self.assertEqual(code, 0, command)
                # Build systems read what nvcc prints.
                self.assertIn(version.split()[1] if command == "nvcc" else version, text)


class Files(unittest.TestCase):
    def test_the_build_has_a_page_for_each_command_and_the_scripts(self):
        pages = {os.path.basename(path) for path in glob.glob(MANUAL + "/man/man1/*")}
        expected = {"warpfiber.1"} | {f"warpfiber-{command}.1" for command in commands()}
        if DEVELOPERS:
            expected |= {"warpfiber-dev.1"} | {f"warpfiber-dev-{command}.1" for command in commands(DEVELOPERS)}
        self.assertEqual(pages, expected)
        for shell, path in (("bash", "bash-completion/completions/warpfiber"), ("zsh", "zsh/site-functions/_warpfiber"),
                            ("fish", "fish/vendor_completions.d/warpfiber.fish")):
            with open(os.path.join(MANUAL, path), encoding="utf-8") as file:
                self.assertEqual(file.read(), run("completion", shell)[1])


class Bash(unittest.TestCase):
    SCRIPT = os.path.join(MANUAL, "bash-completion/completions/warpfiber")

    def complete(self, line, folder=None):
        """What bash offers for the last word of the line, split as readline does."""
        words = [word for part in line.split(" ") for word in re.findall(r"=|[^=]+", part) or [""]]
        quoted = " ".join("'" + word + "'" for word in words)
        script = (f"source '{self.SCRIPT}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _warpfiber;"
                  " printf '%s\\n' \"${COMPREPLY[@]}\"")
        code, offered, complained = run(script, folder=folder, shell="bash")
        self.assertEqual((code, complained), (0, ""))
        return [word for word in offered.split("\n") if word]

    def test_commands(self):
        self.assertEqual(self.complete("warpfiber che"), ["check"])
        self.assertEqual(set(commands()) - set(self.complete("warpfiber ")), set())
        self.assertEqual(self.complete("warpfiber help fid"), ["fidelity"])

    def test_options(self):
        self.assertEqual(self.complete("warpfiber check --see"), ["--seeds", "--seed"])
        self.assertEqual(self.complete("warpfiber run --see"), [])
        self.assertEqual(self.complete("warpfiber nvcc -ccb"), ["-ccbin"])
        self.assertIn("-fno-nvcc-rules", self.complete("warpfiber check -f"))

    def test_values(self):
        self.assertEqual(self.complete("warpfiber check --colour a"), ["auto", "always"])
        self.assertEqual(self.complete("warpfiber check --colour=n"), ["never"])
        self.assertEqual(self.complete("warpfiber check --colour="), ["auto", "always", "never"])
        self.assertEqual(self.complete("warpfiber check --col"), ["--colour"])
        self.assertEqual(self.complete("warpfiber check --color n"), ["never"])
        self.assertEqual(self.complete("warpfiber nvcc -std=c++2"), ["c++20", "c++23"])
        self.assertEqual(self.complete("warpfiber check --seeds "), [])
        self.assertEqual(self.complete("warpfiber occupancy --device H20"), ["H200"])
        self.assertEqual(self.complete("warpfiber explain race-s"), ["race-shared"])
        self.assertIn("checking", self.complete("warpfiber explain "))
        self.assertEqual(self.complete("warpfiber completion "), ["bash", "zsh", "fish"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "recordings"))
            with open(os.path.join(folder, "reduce two.cu"), "w", encoding="utf-8"):
                pass
            self.assertEqual(sorted(self.complete("warpfiber check re", folder)), ["recordings", "reduce two.cu"])
            self.assertEqual(self.complete("warpfiber crosscheck --replay re", folder), ["recordings"])
            self.assertEqual(sorted(self.complete("warpfiber check a.cu -- re", folder)), ["recordings", "reduce two.cu"])

    def test_every_option_of_a_help_is_offered(self):
        for command in commands():
            offered = self.complete(f"warpfiber {command} -")
            for option in re.findall(r"^  (?:-\w, )?(--?[\w-]+)", run("help", command)[1], re.MULTILINE):
                self.assertIn(option, offered, command)

    def test_the_script_is_registered(self):
        self.assertIn("_warpfiber", run(f"source '{self.SCRIPT}'; complete -p warpfiber", shell="bash")[1])


class Zsh(unittest.TestCase):
    SCRIPT = os.path.join(MANUAL, "zsh/site-functions/_warpfiber")

    def test_syntax(self):
        self.assertEqual(run(f"setopt no_exec; source '{self.SCRIPT}'", shell="zsh"), (0, "", ""))

    def test_it_is_found_for_the_command(self):
        folder = os.path.dirname(self.SCRIPT)
        line = f"fpath=('{folder}' $fpath); autoload -Uz compinit; compinit -D -u; print -r -- $_comps[warpfiber]"
        self.assertEqual(run(line, shell="zsh"), (0, "_warpfiber\n", ""))


class Fish(unittest.TestCase):
    SCRIPT = os.path.join(MANUAL, "fish/vendor_completions.d/warpfiber.fish")

    def complete(self, line):
        code, offered, complained = run(f"source '{self.SCRIPT}'; complete -C '{line}'", shell="fish")
        self.assertEqual((code, complained), (0, ""))
        return [each.split("\t")[0] for each in offered.split("\n") if each]

    def test_words(self):
        self.assertEqual(self.complete("warpfiber che"), ["check"])
        self.assertEqual(sorted(self.complete("warpfiber check --see")), ["--seed", "--seeds"])
        self.assertEqual(sorted(self.complete("warpfiber check --colour a")), ["always", "auto"])
        self.assertEqual(self.complete("warpfiber explain race-s"), ["race-shared"])
        self.assertEqual(self.complete("warpfiber nvcc -ccb"), ["-ccbin"])


class Pages(unittest.TestCase):
    """The man pages, read by each program that is at hand."""

    def assert_silent(self, *command):
        pages = sorted(glob.glob(MANUAL + "/man/man1/*.1"))
        done = subprocess.run([*command, *pages], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Groff(Pages):
    def test_pages(self):
        self.assert_silent("groff", "-man", "-ww", "-z", "-Tutf8")


class Mandoc(Pages):
    def test_pages(self):
        self.assert_silent("mandoc", "-T", "lint", "-W", "error")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
