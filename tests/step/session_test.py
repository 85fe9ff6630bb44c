# SPDX-License-Identifier: Apache-2.0
"""Sessions of `warpfiber step`: session_test.py WARPFIBER COMPILER GDB SHARE [--update]

For each NAME.moves the text of NAME.txt is compared with what the script shows of NAME.cu; --update writes it."""
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

WARPFIBER, COMPILER, GDB, SHARE = (sys.argv.pop(1) for _ in range(4))
UPDATE = "--update" in sys.argv and sys.argv.remove("--update") is None
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, os.path.join(SHARE, "step"))

from warpfiber_step.debugger import Debugger  # noqa: E402
from warpfiber_step.errors import Refused  # noqa: E402
from warpfiber_step.script import Script, show  # noqa: E402
from warpfiber_step.session import Session  # noqa: E402
from warpfiber_step.source import Sources  # noqa: E402

ENVIRONMENT = {**os.environ, "GDB": GDB, "LC_ALL": "C.UTF-8"}


def step(*words, moves=None, stdin="", **environment):
    """Runs `warpfiber step` in the folder of the programs."""
    with tempfile.NamedTemporaryFile("w", suffix=".moves") as file:
        script = []
        if moves is not None:
            file.write("\n".join(moves) + "\n")
            file.flush()
            script = ["--script", file.name]
        done = subprocess.run([WARPFIBER, "step", "-ccbin", COMPILER, *script, *words], text=True, timeout=120, cwd=HERE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, input=stdin, check=False,
                              env={**ENVIRONMENT, **environment})
        done.stderr = done.stderr.replace(file.name, "FILE")
        return done


class Shown(unittest.TestCase):
    """What scripts show, letter by letter."""

    def compare(self, name, *words):
        done = step("--script", name + ".moves", *words, name + ".cu")
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        done.stdout = re.sub(r"(?m)^  again: .*", "  again: ...", done.stdout)
        expected = HERE / (name + ".txt")
        if UPDATE:
            expected.write_text(done.stdout)
        self.assertEqual(done.stdout, expected.read_text())

    def test_reduction_with_a_race(self):
        self.compare("reduce", "--watch", "i", "--watch", "sum[i]")

    def test_deadlock(self):
        self.compare("deadlock", "--watch", "value")

    def test_branch_in_a_wide_terminal(self):
        self.compare("branch", "--watch", "value", "--width", "140")

    def test_fault(self):
        self.compare("fault", "--watch", "place == 0")


class Moves(unittest.TestCase):
    """A session without a front end."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def begin(self, name, *arguments, watches=()):
        program = pathlib.Path(self.scratch.name) / pathlib.Path(name).name
        if not program.exists():
            subprocess.run([WARPFIBER, "nvcc", "-ccbin", COMPILER, "-G", "-fstatements", name + ".cu", "-o", program],
                           check=True, timeout=120, cwd=HERE)
        os.chdir(HERE)
        os.environ["WARPFIBER_WORKERS"] = "1"
        debugger = Debugger(GDB, os.path.join(SHARE, "gdb", "warpfiber-gdb.py"), [str(program), *arguments], False)
        self.addCleanup(debugger.close)
        self.session = Session(debugger, watches)
        self.script = Script(self.session, Sources(), 80, None)
        return self.session.start()

    def do(self, move):
        return self.script.perform(move)

    def frame(self):
        return show(self.session, Sources(), 80)

    def assert_back_leads_to_same_frames(self, *moves):
        frames = [self.frame()]
        for move in moves:
            self.do(move)
            frames.append(self.frame())
        self.assertEqual(len(set(frames)), len(frames))
        for frame in reversed(frames[:-1]):
            self.do("back")
            self.assertEqual(self.frame(), frame)
        with self.assertRaisesRegex(Refused, "first stop"):
            self.do("back")

    def test_back(self):
        self.begin("reduce", watches=["threadIdx.x"])
        self.assert_back_leads_to_same_frames("epoch", "line 3", "finding", "warp", "lane 2", "goto 500", "block",
                                              "goto 99999")

    def test_back_from_a_deadlock(self):
        self.begin("deadlock", watches=["value"])
        self.assert_back_leads_to_same_frames("lane 6", "finding", "goto 99999")

    def test_back_from_a_fault(self):
        self.begin("fault", watches=["place"])
        self.assert_back_leads_to_same_frames("lane", "finding", "line")

    def test_back_by_several(self):
        first = self.begin("branch")
        self.do("line"), self.do("line"), self.do("line")
        self.assertIn("position 2:", self.do("back 2"))
        self.assertEqual(self.do("back 10"), first)

    def test_back_to_a_chosen_thread(self):
        self.begin("branch")
        self.do("lane 5")
        self.do("thread 3")
        frame = self.frame()
        self.do("line")
        self.assertIn("thread 3,", self.do("back"))
        self.assertEqual(self.frame(), frame)

    def test_moves_of_one_thread(self):
        self.begin("reduce")
        self.assertIn("thread 0, epoch 0, at reduce.cu:8", self.do("line"))
        self.assertIn("thread 0, epoch 1, at reduce.cu:10", self.do("line 2"))
        self.assertIn("thread 9, epoch 1, at reduce.cu:9", self.do("thread 9"))
        self.assertIn("thread 9, epoch 1, at reduce.cu:10", self.do("line"))

    def test_position_is_the_same_in_both_directions(self):
        self.begin("reduce")
        there = self.do("goto 300")
        self.do("goto 900")
        self.assertEqual(self.do("goto 300"), there)
        self.assertEqual(self.do("goto 300"), there)

    def test_kernels_in_streams_run_one_after_the_other(self):
        self.begin("streams")
        there = self.do("goto 3000")
        self.assertIn("the program has ended with exit code 0", self.do("goto 99999"))
        for _ in range(3):
            self.assertEqual(self.do("back"), there)
            self.do("goto 99999")

    def test_counts_are_exact(self):
        self.begin("branch")
        self.do("goto 99999")
        counts = dict(self.session.state["counts"]["branch.cu"])
        odd = range(1, 32, 2)
        self.assertEqual(counts, {11: 32, 12: 32, 13: 32, 14: 16, 7: 16, 16: sum(i + 1 for i in odd), 17: sum(odd),
                                  19: 32, 20: 32})
        self.assertEqual(self.session.state["position"], sum(counts.values()))

    def test_threads_that_return(self):
        self.begin("fault")
        self.do("line 2")
        self.assertRegex(self.do("line"), "^thread 0 has returned; position 4: block 0, thread 1,")

    def test_findings_of_large_launches(self):
        """The engine's signals come while the program stops at findings, of many threads or on the last of a stack."""
        for name, what, count in (("persistent", "deadlock", 1), ("findings/stack_overflow", "stack-overflow", 1),
                                  ("findings/oob_index", "index out of bounds", 3)):
            with self.subTest(name=name):
                self.begin("../../examples/" + name)
                self.assertIn("finding 1, " + what, self.do("finding"))
                for _ in range(count):
                    last = self.do("finding")
                self.assertRegex(last, "has ended with exit code 66 after position [0-9]+; %d finding" % count)

    def test_watches(self):
        self.begin("branch")
        self.assertEqual(self.do("watch i + 1"), "watched: i + 1")
        self.do("watch nothing")
        self.do("line")
        self.assertRegex(self.frame(), r"\ni \+ 1 +1 +- +-")
        self.assertIn('nothing: No symbol "nothing" in current context.', self.frame())
        self.assertEqual(self.do("unwatch nothing"), "watched: i + 1")
        for wrong, why in (("watch i + 1", "watched already"), ("unwatch j", "is not watched")):
            with self.assertRaisesRegex(Refused, why):
                self.do(wrong)

    def test_what_makes_no_sense(self):
        self.begin("branch")
        for wrong, why in (("thread 32", "There is no thread 32: they go up to 31."),
                           ("thread (3,1,0)", "There is no thread \\(3,1,0\\): they go up to \\(31,0,0\\)."),
                           ("thread 1 block 1", "There is no block"), ("focus warp 1", "There is no warp 1 with lane 0"),
                           ("focus", "Which thread?"), ("thread five", "`thread five' is none of")):
            with self.assertRaisesRegex(Refused, why):
                self.do(wrong)
        self.do("goto 99999")
        for move in ("line", "thread 1", "finding"):
            with self.assertRaisesRegex(Refused, "The program has ended."):
                self.do(move)

    def test_output_and_arguments(self):
        self.begin("branch", "two words")
        self.assertEqual(self.do("output"), "")
        self.do("goto 99999")
        self.assertEqual(self.do("output"), "two words 10")
        self.do("back")
        self.assertEqual(self.do("output"), "")

    def test_program_without_a_kernel(self):
        self.assertEqual(self.begin("branch", "--nothing"),
                         "the program has ended with exit code 4, and no kernel has run a statement")
        self.assertIn("no statement of a kernel has been executed", self.frame())


class Command(unittest.TestCase):
    """The command line."""

    def assert_fails(self, done, code, *texts):
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertEqual(done.returncode, code)

    def test_lines_that_are_no_moves(self):
        for line, why in (("jump 7", "FILE:2: `jump' is no move; there are back, block, epoch,"),
                          ("line two", "FILE:2: `line' is followed by a number, and not by `two'"),
                          ("goto", "FILE:2: `goto' is followed by a position"),
                          ("show all", "FILE:2: nothing follows `show'"),
                          ("watch", "FILE:2: `watch' is followed by an expression")):
            with self.subTest(line=line):
                done = step("branch.cu", moves=["lane  # another", line, "lane"])
                self.assert_fails(done, 2, why)
                self.assertEqual(len(done.stdout.splitlines()), 2)

    def test_script_of_standard_input(self):
        done = step("--script", "-", "branch.cu", stdin="# nothing\n\nlane\nback\nback\nquit\njump\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[1:], ["position 7: block 0, thread 1, epoch 0, at branch.cu:11",
                                                        "position 1: block 0, thread 0, epoch 0, at branch.cu:11",
                                                        "This is the first stop."])

    def test_signal(self):
        done = subprocess.Popen([WARPFIBER, "step", "-ccbin", COMPILER, "--script", "-", "branch.cu"], cwd=HERE, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
        self.assertIn("position 1:", done.stdout.readline())
        done.send_signal(signal.SIGTERM)
        done.communicate(timeout=60)
        self.assertEqual(done.returncode, 143)

    def test_wrong_usage(self):
        self.assert_fails(step("--frobnicate", "branch.cu"), 2, "--frobnicate")
        self.assert_fails(step(), 2, "nothing to step through: name CUDA files")
        self.assert_fails(step("--width", "20", "branch.cu"), 2, "--width 20: needs a number from 60 to 1000")
        self.assert_fails(step("--script", "missing.moves", "branch.cu"), 2, "cannot read missing.moves")

    def test_no_terminal(self):
        self.assert_fails(step("branch.cu"), 2, "warpfiber step: needs a terminal; without one use --script")

    def test_no_debugger(self):
        self.assert_fails(step("branch.cu", moves=[], GDB="no-gdb"), 2, "cannot start no-gdb", "needs gdb 13 or later")

    def test_debuggers_that_do_not_serve(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, does, why in (("plain", "echo Python scripting is not supported in this copy of GDB. >&2; exit 1",
                                     "has no Python in it; it needs gdb 13 or later with Python"),
                                    ("broken", "echo cannot go on; exit 1", "ended at once: cannot go on"),
                                    ("old", "while ! expr \"$1\" : 'python.*serve' >/dev/null; do shift; done\n"
                                     "fd=$(expr \"$1\" : '.*serve([0-9]*, \\([0-9]*\\),')\n"
                                     "eval \"echo '{\\\"gdb\\\": \\\"12.1\\\"}' >&$fd\"", "is gdb 12.1; it needs gdb 13")):
                fake = pathlib.Path(folder) / name
                fake.write_text("#!/bin/bash\n" + does + "\n")
                fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
                with self.subTest(name=name):
                    self.assert_fails(step("branch.cu", moves=[], GDB=str(fake)), 2, why)

    def test_no_python(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in pathlib.Path("/usr/bin").iterdir():
                if not program.name.startswith("python"):
                    (pathlib.Path(folder) / program.name).symlink_to(program)
            self.assert_fails(step("branch.cu", moves=[], PATH=folder), 2, "needs Python 3.9 or later as python3")


if __name__ == "__main__":
    unittest.main()
