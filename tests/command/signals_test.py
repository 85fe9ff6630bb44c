#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# A command that builds or runs, ended by a signal: whatever it has started ends, and no temporary file stays. What runs
# is told by a pipe: everything that was started holds its other end until it has ended.
#   signals_test.py <warpfiber>
#   CLANG=clang++ signals_test.py <warpfiber> Regions [Developers]    (where -fregions has its plugin, which fits CLANG)
import os
import signal
import subprocess
import sys
import tempfile
import unittest

WARPFIBER = sys.argv[1]
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PATIENCE = 60  # seconds; what takes longer does not end

# A compiler with a child of its own, both of which would run for longer than anybody waits. SAYS may name a pipe where
# what it prints is not seen.
COMPILER = """#!/bin/sh
case "$*" in
  *source.cu*|*/regions_*.cu*) touch "$TMPDIR/ccfile"; trap 'rm -f "$TMPDIR/ccfile"; exit 1' TERM INT HUP
     (trap - TERM INT HUP; test -z "$SAYS" || exec >"$SAYS"; echo compiling; exec sleep 1000) & wait; exit 1 ;;
esac
exec %s "$@"
"""

# Starts a child, and does as its argument says with a signal.
PROGRAM = r"""#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <unistd.h>
volatile std::sig_atomic_t got = 0;
int main(int, char** arguments) {
  const bool answers = std::strcmp(arguments[1], "answer") == 0;
  if (answers) {
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, [](int number) { got = number; });
  }
  // No signal comes between the look at `got` and the wait for one.
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  if (fork() == 0) {
    std::signal(SIGUSR1, SIG_IGN);
    if (std::strcmp(arguments[1], "stubborn") == 0) {
      for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    } else {
      for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::puts("running");
    std::fflush(stdout);
    for (;;) pause();
  }
  while (got == 0) sigsuspend(&none);
  const int first = got;
  if (first == SIGUSR1) kill(0, SIGTERM);  // its child as well
  std::printf("got %d\n", first);
  return 40 + first;
}
"""


class Started:
    """A command in a folder of its own, which is also the one for temporary files."""

    def __init__(self, test, arguments, environment=None, program=WARPFIBER, **options):
        self.test = test
        self.folder = tempfile.mkdtemp(prefix="signals-")
        test.addCleanup(subprocess.run, ["rm", "-rf", self.folder])
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)
        for name, text in (("source.cu", "__global__ void k() {}\nint main() {}\n"), ("program.cpp", PROGRAM),
                           ("compiler-g++", COMPILER % os.environ.get("CXX", "g++")),
                           ("compiler-clang++", COMPILER % os.environ.get("CLANG", "clang++"))):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for compiler in ("compiler-g++", "compiler-clang++"):
            os.chmod(os.path.join(self.folder, compiler), 0o755)
        self.process = subprocess.Popen([program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env={**os.environ, "TMPDIR": self.temporary, "LC_ALL": "C.UTF-8", **(environment or {})}, **options)

    def wait_for(self, line):
        for text in self.process.stdout:
            if text.strip() == line:
                return
        self.test.fail("no line: " + line)

    def end(self, number):
        self.process.send_signal(number)
        return self.ended()

    def ended(self):
        """The exit status and the output. The output ends when everything that was started has ended."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        self.test.assertEqual(os.listdir(self.temporary), [])
        return self.process.returncode, output


class Compiling(unittest.TestCase):
    def test_all_ends(self):
        for words in (["nvcc", "-c"], ["run"], ["check"]):
            for number in ENDING:
                with self.subTest(words[0], signal=number):
                    started = Started(self, [*words, "-ccbin", "./compiler-g++", "source.cu"])
                    started.wait_for("compiling")
                    self.assertEqual(started.end(number)[0], 128 + number)

    def test_at_any_time(self):
        """Also where no compiler runs: before the first, or while the source is translated."""
        for step in range(12):
            started = Started(self, ["nvcc", "source.cu"])
            try:
                started.process.wait(timeout=0.03 * step)
            except subprocess.TimeoutExpired:
                pass
            self.assertIn(started.end(signal.SIGTERM)[0], (0, 128 + signal.SIGTERM, -signal.SIGTERM))

    def test_ignored_signals_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        started = Started(self, ["run", "program.cpp", "--", "wait"], preexec_fn=ignore)
        started.wait_for("running")
        started.process.send_signal(signal.SIGHUP)
        self.assertEqual(started.end(signal.SIGTERM)[0], 128 + signal.SIGTERM)


class Regions(unittest.TestCase):
    """Two compilers at the same time; the host's own may have ended before."""

    def test_all_ends(self):
        for compilers in ([], ["-ccbin", "./compiler-g++"]):
            for number in ENDING:
                with self.subTest(compilers, signal=number):
                    started = Started(self, ["nvcc", "-fregions", *compilers, "-c", "source.cu"],
                                      {"WARPFIBER_CLANG": "./compiler-clang++"})
                    for _ in range(1 + len(compilers) // 2):
                        started.wait_for("compiling")
                    self.assertEqual(started.end(number)[0], 128 + number)


class Developers(unittest.TestCase):
    """Of warpfiber-dev, which lies next to the users' command."""

    def test_fuzz(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            started = Started(self, ["fuzz", "--regions", "--count", "2"],
                              {"WARPFIBER_CLANG": "./compiler-clang++", "SAYS": pipe}, WARPFIBER + "-dev")
            with open(pipe, encoding="utf-8") as says:
                self.assertEqual(says.readline(), "compiling\n")
                self.assertEqual(started.end(signal.SIGTERM), (128 + signal.SIGTERM, ""))
                self.assertEqual(says.read(), "")


class Running(unittest.TestCase):
    def run_program(self, how, *words):
        started = Started(self, [*(words or ["run"]), "program.cpp", "--", how])
        started.wait_for("running")
        return started

    def test_status_is_the_programs(self):
        for number in ENDING:
            with self.subTest(signal=number):
                self.assertEqual(self.run_program("wait").end(number)[0], 128 + number)
                status, output = self.run_program("answer").end(number)
                self.assertEqual((status, output), (40 + number, f"got {int(number)}\n"))

    def test_other_signals_are_handed_on(self):
        self.assertEqual(self.run_program("answer").end(signal.SIGUSR1)[0], 40 + signal.SIGUSR1)

    def test_what_ignores_the_signal_ends(self):
        self.assertEqual(self.run_program("stubborn").end(signal.SIGTERM)[0], 128 + signal.SIGTERM)

    def test_check(self):
        for number in ENDING:
            with self.subTest(signal=number):
                status, output = self.run_program("wait", "check").end(number)
                self.assertEqual(status, 5)
                self.assertIn(f"was ended by signal {int(number)}", output)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
