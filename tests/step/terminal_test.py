# SPDX-License-Identifier: Apache-2.0
"""`warpfiber step` in a terminal, driven by tmux: terminal_test.py WARPFIBER COMPILER GDB SHARE TMUX [--update]"""
import os
import pathlib
import pty
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WARPFIBER, COMPILER, GDB, SHARE, TMUX = (sys.argv.pop(1) for _ in range(5))
UPDATE = "--update" in sys.argv and sys.argv.remove("--update") is None
HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60


class Terminal:
    """A terminal with a shell in it."""

    def __init__(self, folder, width, height, kind="screen-256color"):
        self.socket = str(pathlib.Path(folder) / "tmux")
        environment = {**os.environ, "GDB": GDB, "LC_ALL": "C.UTF-8", "PS1": "$ ", "WARPFIBER_WORKERS": "1"}
        environment.pop("TMUX", None)
        configuration = pathlib.Path(folder) / "tmux.conf"
        configuration.write_text("set -g default-terminal %s\nset -g escape-time 0\nset -g status off\n" % kind)
        subprocess.run([TMUX, "-S", self.socket, "-f", str(configuration), "new-session", "-d", "-x", str(width), "-y",
                        str(height), "-c", str(HERE), "bash --norc --noprofile"], check=True, env=environment, cwd=HERE)

    def tmux(self, *words):
        return subprocess.run([TMUX, "-S", self.socket, *words], check=True, text=True, stdout=subprocess.PIPE).stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def text(self):
        return "\n".join(line.rstrip() for line in self.tmux("capture-pane", "-p").splitlines())

    def wait(self, *texts):
        """Until all of them are on the screen; what is on it then."""
        end = time.monotonic() + SECONDS
        while True:
            shown = self.text()
            if all(text in shown for text in texts):
                return shown
            if time.monotonic() > end:
                raise AssertionError("%r does not appear on\n%s" % (texts, shown))

    def close(self):
        self.tmux("kill-server")


class Screen(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.programs = {}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def program(cls, name):
        if name not in cls.programs:
            cls.programs[name] = str(pathlib.Path(cls.scratch.name) / name)
            subprocess.run([WARPFIBER, "nvcc", "-ccbin", COMPILER, "-G", "-fstatements", name + ".cu", "-o",
                            cls.programs[name]], check=True, timeout=120, cwd=HERE)
        return cls.programs[name]

    def shell(self, width=80, height=24, **more):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.terminal = Terminal(folder.name, width, height, **more)
        self.addCleanup(self.terminal.close)
        return self.terminal

    def begin(self, name, *options, **shape):
        """The stepper with a program, at its first stop."""
        terminal = self.shell(**shape)
        command = ["python3", "-B", os.path.join(SHARE, "step", "warpfiber-step.py"), "--gdb", GDB, "--commands",
                   os.path.join(SHARE, "gdb", "warpfiber-gdb.py"), *options, "--", self.program(name)]
        terminal.type("clear; " + shlex.join(command) + "; echo code $?\n")
        terminal.wait("position 1: block 0, thread 0", "q quit")
        return terminal

    def after(self, key, *texts):
        """What is on the screen once a key has led there."""
        self.terminal.press(key)
        return self.terminal.wait(*texts)

    def answer(self, key, question, text, *texts):
        self.after(key, question)
        self.terminal.type(text + "\n")
        return self.terminal.wait(*texts)

    def assert_restored(self, code):
        """The terminal is as it was: it shows what is typed, by lines, and has the cursor."""
        self.terminal.wait("code %d" % code)
        self.terminal.type("stty -a | tr ' ;' '\\n\\n' | grep -cx -e icanon -e echo -e isig -e icrnl -e opost\n")
        self.terminal.wait("\n5\n")
        self.assertEqual(self.terminal.tmux("display-message", "-p", "#{cursor_flag}#{alternate_on}"), "10\n")


class Looks(Screen):
    """All of the screen, letter by letter."""

    def compare(self, name, shown):
        expected = HERE / name
        if UPDATE:
            expected.write_text(shown + "\n")
        self.assertEqual(shown + "\n", expected.read_text())

    def at_race(self, **shape):
        self.begin("reduce", "--watch=i", "--watch=sum[i]", **shape)
        self.after("e", "position 193:")
        self.after("f", "finding 1, race; position 229")
        return self.terminal.text()

    def test_small(self):
        self.compare("small.screen", self.at_race())

    def test_wide(self):
        self.compare("wide.screen", self.at_race(width=140, height=40))

    def test_without_colours(self):
        self.compare("small.screen", self.at_race(kind="vt100"))

    def test_help(self):
        self.begin("branch")
        self.after("?", "the next statement of this thread", "+ could go on", "any key returns")
        self.after("x", "n line  l lane")


class Keys(Screen):
    def test_moves(self):
        self.begin("reduce")
        self.after("n", "position 2: block 0, thread 0")
        self.after("Enter", "position 3: block 0, thread 0")
        self.after("l", "position 4: block 0, thread 1")
        self.after("w", "position 97: block 0, thread 32")
        self.after("e", "position 193: block 0, thread 63, epoch 1")
        self.after("k", "block 1, thread 0, epoch 0")
        self.after("L", "the program has ended with exit code 66")
        self.after("n", "The program has ended.\nn line")
        self.after("b", "block 1, thread 0, epoch 0")
        self.after("Home", "position 1: block 0")
        self.after("b", "This is the first stop.")

    def test_moves_are_repeated(self):
        self.begin("branch")
        for key in "12l":
            self.terminal.press(key)
        self.terminal.wait("block 0, thread 12, epoch 0")
        self.after("b", "position 1:")

    def test_ten_back(self):
        self.begin("branch")
        for number in range(2, 14):
            self.after("l", "block 0, thread %d," % (number - 1))
        self.after("B", "block 0, thread 2,")

    def test_typed_ahead(self):
        """Keys that come while the program runs are not lost."""
        self.begin("reduce")
        self.terminal.type("efb")
        self.terminal.wait("position 193: block 0, thread 63, epoch 1")
        self.terminal.type("nn")
        self.terminal.wait("position 195:")

    def test_positions_threads_and_expressions(self):
        self.begin("branch")
        self.answer("g", "go to position:", "300", "position 300:")
        self.answer("g", "go to position:", "somewhere", "`somewhere' is no position")
        self.answer("t", "\nthread:", "3", "thread 3,")
        self.answer("t", "\nthread:", "lane 40", "There is no warp 0 with lane 40")
        self.answer("a", "\nwatch:", "value * 1000", "watched: value * 1000", "3000")
        self.answer("a", "\nwatch:", "i\bthreadIdx.x", "watched: value * 1000, threadIdx.x")
        self.answer("d", "watch no longer:", "threadIdx.x", "watched: value * 1000\n")
        self.after("d", "watched: nothing")
        self.after("g", "go to position:")
        self.terminal.press("Escape")
        self.assertNotIn("go to", self.after("n", "thread 3,").splitlines()[-2])

    def test_output(self):
        self.begin("reduce", height=16)
        self.after("o", "-- output of the program", "launching")
        self.after("o", "warp lanes")
        self.answer("g", "go to position:", "99999", "the program has ended with exit code 66")
        self.after("o", "sums 63 511")
        self.after("PPage", "-- output, up to row", "launching")

    def test_source_is_scrolled(self):
        self.begin("reduce")
        self.assertNotIn("int main()", self.terminal.text())
        self.after("NPage", "int main() {")
        self.after("Right", "  threads();")
        self.after("n", "> ")
        self.assertNotIn("main", self.terminal.text())

    def test_deadlock(self):
        self.begin("deadlock")
        self.after("f", "finding 1, deadlock, ends the launch", "31 missing: threads 0-4, 6-31 waiting at __syncthreads(), line 8",
                   "1 missing: thread 5 waiting at __syncwarp(), line 6")
        self.after("b", "position 1:")


class Ends(Screen):
    """However it ends, the terminal is as it was."""

    def test_quit(self):
        self.begin("branch")
        self.terminal.press("q")
        self.assert_restored(0)

    def test_end_of_input(self):
        self.begin("branch")
        self.after("g", "go to position:")
        self.terminal.press("C-d")
        self.assertNotIn("go to", self.after("n", "position 2:").splitlines()[-2])
        self.terminal.press("C-d")
        self.assert_restored(0)

    def test_terminal_that_is_gone(self):
        """Also where no signal says so: the terminal is not that of the session."""
        for keys in (b"", b"f"):
            with self.subTest(keys=keys):
                front, terminal = self.without_session("spin")
                self.read(terminal, b"position 1:")
                os.write(terminal, keys)
                os.close(terminal)
                self.assertEqual(front.wait(SECONDS), 129)

    def test_terminal_without_a_size(self):
        """Its 0 lines of 0 columns are not taken for its size."""
        front, terminal = self.without_session("branch")
        self.read(terminal, b"position 1:")
        front.send_signal(signal.SIGWINCH)
        os.write(terminal, b"n")
        self.read(terminal, b"position 2:")
        os.write(terminal, b"q")
        self.read(terminal, None)
        self.assertEqual(front.wait(SECONDS), 0)
        os.close(terminal)

    def without_session(self, name):
        """The stepper in a terminal that is not its session's and has no size: the process, and the terminal's other end."""
        ours, its = pty.openpty()
        command = [sys.executable, "-B", os.path.join(SHARE, "step", "warpfiber-step.py"), "--gdb", GDB, "--commands",
                   os.path.join(SHARE, "gdb", "warpfiber-gdb.py"), "--", self.program(name)]
        front = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True,
                                 env={**os.environ, "TERM": "xterm"})
        self.addCleanup(front.kill)
        os.close(its)
        return front, ours

    @staticmethod
    def read(terminal, text):
        """What comes from a terminal, up to a text; None: to its end."""
        shown = b""
        while text is None or text not in shown:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                data = b""
            if not data:
                return
            shown += data

    def test_interrupts(self):
        self.begin("spin", "--watch=count")
        self.after("f", "running; Ctrl-C stops it")
        self.after("C-c", "interrupted; position", "block 0, thread 0, epoch 0, at spin.cu:")
        self.assertNotIn("No symbol", self.terminal.text())
        self.after("b", "position 1:")
        self.terminal.press("C-c")
        self.assert_restored(130)

    def test_command_and_signal(self):
        terminal = self.shell()
        terminal.type("%s step -ccbin %s branch.cu; echo code $?\n" % (shlex.quote(WARPFIBER), shlex.quote(COMPILER)))
        terminal.wait("position 1:", "q quit")
        shell = int(terminal.tmux("display-message", "-p", "#{pane_pid}"))
        command = int(pathlib.Path("/proc/%d/task/%d/children" % (shell, shell)).read_text().split()[0])
        os.kill(command, signal.SIGTERM)
        self.assert_restored(143)

    def test_debugger_is_killed(self):
        self.begin("branch")
        shell = self.terminal.tmux("display-message", "-p", "#{pane_pid}").strip()
        front, = pathlib.Path("/proc/%s/task/%s/children" % (shell, shell)).read_text().split()
        debugger, = pathlib.Path("/proc/%s/task/%s/children" % (front, front)).read_text().split()
        os.kill(int(debugger), signal.SIGKILL)
        self.terminal.press("n")
        self.terminal.wait("warpfiber step: gdb has ended")
        self.assert_restored(2)

    def test_sizes(self):
        self.begin("branch")
        self.terminal.tmux("resize-window", "-x", "130", "-y", "30")
        self.terminal.wait("line:lanes", "t thread  a watch")
        self.terminal.tmux("resize-window", "-x", "50", "-y", "12")
        self.terminal.wait("The terminal is smaller than 60 x 16.")
        self.terminal.tmux("resize-window", "-x", "80", "-y", "24")
        self.terminal.wait("warp lanes", "a watch  ? help  q quit")

    def test_terminal_that_cannot_show_it(self):
        terminal = self.shell()
        terminal.type("TERM=no-such python3 -B %s --gdb %s --commands x -- %s; echo code $?\n" % (
            os.path.join(SHARE, "step", "warpfiber-step.py"), GDB, self.program("branch")))
        terminal.wait("TERM names the kind of terminal", "code 2")


if __name__ == "__main__":
    unittest.main()
