# SPDX-License-Identifier: Apache-2.0
"""Drives gdb with the commands of share/gdb: gdb_test.py WARPFIBER COMPILER GDB SCRIPT"""
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WARPFIBER, COMPILER, GDB, SCRIPT = (sys.argv.pop(1) for _ in range(4))
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "threads.cu"
folder = None


def setUpModule():
    global folder
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)


@functools.lru_cache(maxsize=None)
def built(source, *flags):
    """The program of a source with these options, which is built once for all tests."""
    program = str(pathlib.Path(folder.name) / "".join([source.stem, *flags]))
    subprocess.run([WARPFIBER, "nvcc", "-ccbin", COMPILER, *flags, str(source), "-o", program], check=True, timeout=200)
    return program


def line(comment):
    """The line of threads.cu with this comment."""
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if text.endswith("// " + comment):
            return number
    raise LookupError(comment)


def place(comment):
    return "threads.cu:%d" % line(comment)


class Debugged(unittest.TestCase):
    FLAGS = ("-G",)

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.program = built(SOURCE, *cls.FLAGS)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def gdb(self, *commands, program=None, workers=1, core=None):
        """What each command prints."""
        script = ["set pagination off", "set confirm off", "set width 0", "source " + SCRIPT]
        if core is None:
            script += ["set disable-randomization off", "set environment WARPFIBER_WORKERS=%d" % workers]
        for command in commands:
            script += ["echo \\n@@@\\n", "python run(%r)" % command]
        # A command that fails does not end the script.
        script.insert(0, "python\ndef run(command):\n  try:\n    gdb.execute(command)\n  except gdb.error as error:\n"
                         "    print('error:', error)\nend")
        path = pathlib.Path(self.scratch.name) / "script.gdb"
        path.write_text("\n".join(script) + "\n")
        # Of the C library gdb would read debug information that no test looks at: 0.15 s a start.
        done = subprocess.run([GDB, "-nx", "-batch", "-iex", "set debug-file-directory /nowhere", "-x", str(path),
                               program or self.program, *([str(core)] if core else [])], text=True, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        parts = [part.strip("\n") for part in done.stdout.split("\n@@@\n")]
        self.assertEqual(len(parts), len(commands) + 1, done.stdout)
        self.output = done.stdout
        return parts[1:]

    def assert_rows(self, table, *rows):
        """The rows of a table, whatever the distance of columns."""
        found = [re.sub(r"  +", "  ", row).strip() for row in table.splitlines()]
        for row in rows:
            self.assertIn(row, found, self.output)


class Information(Debugged):
    """`info cuda …`."""

    def at_first_barrier(self, *commands):
        return self.gdb("break %s if threadIdx.x == 5 && threadIdx.y == 1" % place("before the barrier"), "run",
                        *commands)[2:]

    def test_kernels_and_blocks(self):
        kernels, blocks = self.at_first_barrier("info cuda kernels", "info cuda blocks")
        self.assert_rows(kernels, "Kernel  Dev  Stream  GridDim  BlockDim  Workers  Name",
                         "* 1  0  1  (2,2,1)  (16,4,1)  1  sum")
        self.assert_rows(blocks, "Kernel 1: sum<<<(2,2,1), (16,4,1)>>>",
                         "BlockIdx  Running  Ready  Waiting  Done  Not started", "* (0,0,0)  1  0  21  0  42")

    def test_threads(self):
        threads, = self.at_first_barrier("info cuda threads")
        self.assert_rows(threads,
                         "(0,0,0)  (0,0,0)  (4,1,0)  21  waiting  %s  __syncthreads()" % place("first barrier"),
                         "* (0,0,0)  (5,1,0)  (5,1,0)  1  running  %s" % place("before the barrier"),
                         "(0,0,0)  (6,1,0)  (15,3,0)  42  not started  -")

    def test_filters(self):
        threads, one, warps, lanes, blocks, beyond, gone = self.at_first_barrier(
            "info cuda threads block (0,0,0) warp 1", "info cuda threads thread (3,1,0) kernel 1", "info cuda warps block (0,0,0)",
            "info cuda lanes warp 1", "info cuda blocks kernel 1", "info cuda threads thread (16,0,0)",
            "info cuda threads block (1,1,0)")
        self.assert_rows(threads, "(0,0,0)  (0,2,0)  (15,3,0)  32  not started  -")
        self.assertNotIn("waiting", threads)
        self.assert_rows(one, "(0,0,0)  (3,1,0)  (3,1,0)  1  waiting  %s  __syncthreads()" % place("first barrier"))
        self.assertEqual(one.count("\n"), 2)
        self.assertIn("* 0", warps)
        self.assertIn("block (0,0,0), warp 1", lanes)
        self.assert_rows(lanes, "31  (15,3,0)  not started  -")
        self.assertNotIn("*", lanes)
        self.assert_rows(blocks, "* (0,0,0)  1  0  21  0  42")
        self.assertEqual(beyond, "error: There is no thread (16,0,0): they go up to (15,3,0).")
        self.assertIn("Block (1,1,0) is not resident", gone)

    def test_devices_and_what_there_is_none_of(self):
        devices, sms, contexts, trace, managed = self.at_first_barrier(
            "info cuda devices", "info cuda sms", "info cuda contexts", "info cuda launch trace", "info cuda managed")
        self.assert_rows(devices, "Dev  Name  Kernels  Resident blocks  Workers", "* 0  H200  1  1  1")
        self.assertEqual(sms, "Blocks are not assigned to SMs here; see `info cuda blocks'.")
        self.assertIn("Each device has one context", contexts)
        self.assertIn("launched by the host only", trace)
        self.assertIn("ordinary variables", managed)

    def test_variables_of_cuda_gdb(self):
        names = ("cuda_focus_thread_x", "cuda_focus_thread_y", "cuda_focus_block_x", "cuda_focus_lane", "laneid", "warpid",
                 "cuda_focus_kernel_id", "cuda_focus_device", "cuda_num_present_kernels")
        shown = self.at_first_barrier(*("output $" + name for name in names), "cuda thread (2,0,0)", "output $laneid",
                                      "output $cuda_focus_thread_x", "delete", "continue", "output $laneid",
                                      "output $nkernelid")
        self.assertEqual(shown[:9], ["5", "1", "0", "21", "21", "0", "1", "0", "1"])
        self.assertEqual(shown[10:12], ["2", "2"])
        self.assertEqual(shown[14:], ["void", "0"])

    def test_warps_lanes_and_barriers(self):
        warps, lanes, barriers = self.at_first_barrier("info cuda warps", "info cuda lanes", "info cuda barriers")
        self.assert_rows(warps, "* 0  (0,0,0)  0x00200000  0x00000000  0x001fffff  0x00000000  %s, %s" %
                         (place("before the barrier"), place("first barrier")),
                         "1  (0,2,0)  0x00000000  0x00000000  0x00000000  0x00000000")
        self.assert_rows(lanes, "20  (4,1,0)  waiting  %s  __syncthreads()" % place("first barrier"),
                         "* 21  (5,1,0)  running  %s" % place("before the barrier"), "22  (6,1,0)  not started  -")
        self.assert_rows(barriers, "BlockIdx  Waits at  Where  Arrived  Missing  Threads",
                         "(0,0,0)  __syncthreads()  %s  21  43  (0,0,0)-(4,1,0)" % place("first barrier"))

    def test_lanes_at_a_shuffle(self):
        _, _, threads, barriers = self.gdb("break %s if threadIdx.x == 31" % place("shuffle"), "run",
                                           "info cuda threads", "info cuda barriers")
        self.assert_rows(threads, "(0,0,0)  (0,0,0)  (30,0,0)  31  waiting  %s  __shfl_down_sync()" % place("shuffle"),
                         "* (0,0,0)  (31,0,0)  (31,0,0)  1  running  %s" % place("shuffle"),
                         "(0,0,0)  (32,0,0)  (127,0,0)  96  not started  -")
        self.assert_rows(barriers, "(0,0,0)  __shfl_down_sync()  %s  31  1  (0,0,0)-(30,0,0)" % place("shuffle"))

    def test_divergent_threads(self):
        _, _, threads, barriers, _, frames, lane = self.gdb(
            "break %s if threadIdx.x == 127" % place("flag"), "run", "info cuda threads", "info cuda barriers",
            "cuda thread 50", "backtrace", "print lane")
        self.assert_rows(threads, "(0,0,0)  (0,0,0)  (47,0,0)  48  done  -",
                         "(0,0,0)  (48,0,0)  (63,0,0)  16  waiting  %s  changes of memory" % place("spins"),
                         "(0,0,0)  (64,0,0)  (126,0,0)  63  waiting  %s  tile.sync()" % place("group"),
                         "* (0,0,0)  (127,0,0)  (127,0,0)  1  running  %s" % place("flag"))
        self.assert_rows(barriers, "(0,0,0)  tile.sync()  %s  63  1  (64,0,0)-(126,0,0)" % place("group"))
        self.assertRegex(frames, r"^#\d+ .*mix \(.*%s$" % place("spins"))
        self.assertEqual(lane, "$1 = 18")

    def test_nothing_runs(self):
        before, _, _, after = self.gdb("info cuda threads", "break " + place("end"), "run", "info cuda kernels")
        self.assertIn("No kernel runs.", before)
        self.assertEqual(after, "No kernel runs.")

    def test_several_workers(self):
        _, _, threads = self.gdb("break %s if threadIdx.x == 5" % place("after both"), "run", "info cuda threads",
                                 workers=2)
        self.assertRegex(threads, r"\* \(\d,\d,0\) +\(5,0,0\) +\(5,0,0\) +1 +running")

    def test_mistakes(self):
        nothing, which = self.at_first_barrier("info cuda", "cuda")
        self.assertIn("Which?", nothing)
        self.assertIn("Which thread?", which)


class Switching(Debugged):
    """`cuda thread …`."""

    def at_second_barrier(self, *commands):
        return self.gdb("break %s if threadIdx.x == 3 && threadIdx.y == 0" % place("second barrier"), "run",
                        *commands)[2:]

    def test_waiting_thread(self):
        switched, backtrace, at, mine, index, block, lane = self.at_second_barrier(
            "cuda thread (5,1,0)", "backtrace", "print at", "print mine", "print threadIdx", "print blockIdx",
            "print $cuda_lane")
        self.assertIn("[Switching focus to CUDA kernel 1, block (0,0,0), thread (5,1,0), warp 0, lane 21]", switched)
        self.assertIn("%d\t" % line("first barrier"), switched)
        self.assertRegex(backtrace, r"^#\d+ .*sum \(out=0x[0-9a-f]+, scale=3\) at .*%s$" % place("first barrier"))
        self.assertEqual(at, "$1 = 5")
        self.assertEqual(mine, "$2 = 10")
        self.assertEqual(index, "$3 = {x = 5, y = 1, z = 0}")
        self.assertEqual(block, "$4 = {x = 0, y = 0, z = 0}")
        self.assertEqual(lane, "$5 = 21")

    def test_back_to_the_running_thread(self):
        _, shown, index, backtrace = self.at_second_barrier("cuda thread (7,0,0)", "cuda thread (3,0,0)",
                                                            "print threadIdx", "backtrace")
        self.assertRegex(shown, r"\n#0 ")
        self.assertEqual(index, "$1 = {x = 3, y = 0, z = 0}")
        self.assertRegex(backtrace, r"^#0 +sum ")

    def test_program_goes_on_unchanged(self):
        """Whatever was looked at, the results are those of a run without a debugger."""
        alone = subprocess.run([self.program], text=True, stdout=subprocess.PIPE, check=True).stdout
        outputs = self.at_second_barrier("cuda thread (5,1,0)", "delete", "stepi", "cuda thread 9", "continue")
        self.assertIn(alone.strip(), outputs[-1])
        self.assertIn("exited normally", outputs[-1])

    def test_by_warp_and_lane(self):
        switched, asked = self.at_second_barrier("cuda warp 1 lane 3", "cuda kernel block thread")
        self.assertIn("thread (3,2,0), warp 1, lane 3]", switched)
        self.assertEqual(asked, "kernel 1, block (0,0,0), thread (3,2,0), warp 1, lane 3")

    def test_mistakes(self):
        beyond, block, kernel, word = self.at_second_barrier("cuda thread (5,9,0)", "cuda block (1,0,0)",
                                                             "cuda kernel 7", "cuda three")
        self.assertEqual(beyond, "error: There is no thread (5,9,0): they go up to (15,3,0).")
        self.assertIn("Block (1,0,0) is not resident", block)
        self.assertIn("No kernel 7 runs", kernel)
        self.assertIn("`three' is none of kernel, block, thread, warp and lane", word)

    def test_not_started(self):
        _, _, unstarted = self.gdb("break %s if threadIdx.x == 5 && threadIdx.y == 1" % place("before the barrier"),
                                   "run", "cuda thread (9,3,0)")
        self.assertEqual(unstarted, "error: Thread (9,3,0) of block (0,0,0) has not started.")


class Breakpoints(Debugged):
    """`break kernel`."""

    def test_kernel_by_name(self):
        made, listed, stopped, frame = self.gdb("break sum", "info breakpoints", "run", "backtrace")
        self.assertIn("(2 locations)", made)
        self.assertRegex(listed, r"1\.\d +y .* in sum\(int\*, int\)")
        self.assertRegex(listed, r"1\.\d +n .* in sum\(int\*, int\)")
        self.assertRegex(stopped, r"hit Breakpoint 1\.\d, sum \(out=0x[0-9a-f]+, scale=3\)")
        self.assertRegex(frame, r"^#0 +sum \(out=0x[0-9a-f]+, scale=3\) at [^\n]*threads\.cu:\d+$")

    def test_launches(self):
        _, first, index, second, third, _, rest, again = self.gdb(
            "set cuda break_on_launch application", "run", "print threadIdx.x", "continue", "continue",
            "set cuda break_on_launch none", "continue", "show cuda break_on_launch")
        self.assertRegex(first, r"\[CUDA launch: Kernel \d+: sum<<<\(2,2,1\), \(16,4,1\)>>>\]\n#0 +sum \(")
        self.assertEqual(index, "$1 = 0")
        self.assertRegex(second, r"\[CUDA launch: Kernel \d+: mix<<<\(1,1,1\), \(128,1,1\)>>>\]\n#0 +mix \(")
        self.assertRegex(third, r"\[CUDA launch: Kernel \d+: scale<int><<<[^\n]*\n#0 .*scale")
        self.assertIn("exited normally", rest)
        self.assertEqual(again, "The program stops in the first thread of launches: none.")

    def test_kernel_with_the_name_of_functions_of_the_library(self):
        # Of the shared library gdb knows nothing before the program runs.
        program = built(HERE / "release.cu", "-G", "-cudart", "static")
        _, listed, stopped, index = self.gdb("break release if threadIdx.x == 2", "info breakpoints", "run",
                                             "print threadIdx.x", program=program)
        places = [row for row in listed.splitlines() if row.startswith("1.")]
        self.assertEqual(len([row for row in places if re.search(r"^1\.\d+ +y ", row)]), 1, listed)
        self.assertGreater(len([row for row in places if "warpfiber::" in row]), 1, listed)
        self.assertRegex(stopped, r"hit Breakpoint 1\.\d+, [^\n]*release")
        self.assertEqual(index, "$1 = 2")

    def test_template(self):
        _, stopped, by = self.gdb("break scale", "run", "print by")
        self.assertRegex(stopped, r"hit Breakpoint 1\.\d, [^\n]*scale")
        self.assertEqual(by, "$1 = 5")

    def test_condition(self):
        _, _, _, thread, block = self.gdb("break sum", "condition 1 threadIdx.y == 2 && blockIdx.x == 1 && blockDim.x == 16",
                                          "run", "print threadIdx", "print gridDim")
        self.assertEqual(thread, "$1 = {x = 0, y = 2, z = 0}")
        self.assertEqual(block, "$2 = {x = 2, y = 2, z = 1}")

    def test_device_function(self):
        _, _, frames = self.gdb("break twice if threadIdx.x == 7", "run", "backtrace")
        self.assertRegex(frames, r"^#0 +twice \(value=7\) at [^\n]*\n#1 +(0x[0-9a-f]+ in )?sum \(")


class Stepping(Debugged):
    """`next` and `step` stay on the thread."""

    def at(self, comment, condition, *commands, workers=1):
        return self.gdb("break %s if %s" % (place(comment), condition), "run", "delete", *commands, workers=workers)[3:]

    def test_over_barriers(self):
        for workers in (1, 2):
            outputs = self.at("before the barrier", "threadIdx.x == 5 && threadIdx.y == 1 && blockIdx.y == 1", "next",
                              "next", "next", "next", "print threadIdx", "print blockIdx.y", "print at", workers=workers)
            for shown, comment in zip(outputs[::2], ("first barrier", "second barrier")):
                self.assertTrue(shown.startswith("%d\t" % line(comment)), self.output)
            self.assertTrue(outputs[3].startswith("%d\t" % line("after both")), self.output)
            self.assertEqual(outputs[4:], ["$1 = {x = 5, y = 1, z = 0}", "$2 = 1", "$3 = 5"])

    def test_over_a_shuffle(self):
        shown, lane = self.at("shuffle", "threadIdx.x == 7", "next", "print value")
        # clang++ gives the jump behind the branch to the line of the next condition.
        self.assertIn(int(shown.split("\t")[0]), (line("shuffle") + 1, line("group") + 2), self.output)
        self.assertEqual(lane, "$1 = 8")

    def test_over_a_group(self):
        shown, index = self.at("group", "threadIdx.x == 70", "next", "print threadIdx.x")
        self.assertTrue(shown.startswith("%d\t" % (line("group") + 2)), self.output)
        self.assertEqual(index, "$1 = 70")

    def test_step_into_a_device_function_and_over_a_barrier(self):
        into, _, _, over = self.at("calls", "threadIdx.x == 3", "step", "finish", "next", "step")
        self.assertIn("twice (value=3)", into)
        self.assertTrue(over.startswith("%d\t" % line("first barrier")), self.output)

    def test_thread_that_waits(self):
        _, shown, index, mine = self.at("second barrier", "threadIdx.x == 3", "cuda thread (9,2,0)", "next",
                                        "print threadIdx", "print mine")
        self.assertIn("%d\t" % (line("first barrier") + 1), shown)
        self.assertEqual(index, "$1 = {x = 9, y = 2, z = 0}")
        self.assertEqual(mine, "$2 = 18")

    def test_another_breakpoint_comes_first(self):
        outputs = self.at("second barrier", "threadIdx.x == 3", "cuda thread (9,2,0)",
                          "break %s if threadIdx.x == 4" % place("second barrier"), "next", "print threadIdx.x")
        self.assertRegex(outputs[2], "hit Breakpoint 2, .*sum")
        self.assertIn("error: The program has stopped before thread (9,2,0) went on.", outputs[2])
        self.assertEqual(outputs[3], "$1 = 4")

    def test_end_of_a_kernel(self):
        outputs = self.at("after both", "threadIdx.x == 3 && threadIdx.y == 0", "next", "next")
        self.assertIn("[CUDA thread has returned: kernel 1, block (0,0,0), thread (3,0,0), warp 0, lane 3]", outputs[1])


class Watching(Debugged):
    """`cuda watch` and `set cuda break_on_finding`."""

    def test_values_by_lane(self):
        _, _, watched, stopped, wrong, _, after = self.gdb(
            "break %s if threadIdx.x == 3 && threadIdx.y == 0" % place("second barrier"), "run", "cuda watch mine",
            "next", "cuda unwatch other", "cuda unwatch", "next")
        self.assert_rows(watched, "Lane  ThreadIdx  mine", "0  (0,0,0)  0", "* 3  (3,0,0)  6", "31  (15,1,0)  30")
        self.assert_rows(stopped, "* 3  (3,0,0)  6")
        self.assertIn("`other' is not watched", wrong)
        self.assertNotIn("Lane", after)

    def test_focus_stays(self):
        outputs = self.gdb("break %s if threadIdx.x == 3 && threadIdx.y == 0" % place("second barrier"), "run",
                           "cuda thread (9,2,0)", "cuda watch threadIdx.x", "print threadIdx", "print mine")
        self.assert_rows(outputs[3], "* 9  (9,2,0)  9", "8  (8,2,0)  8")
        self.assertEqual(outputs[4:], ["$1 = {x = 9, y = 2, z = 0}", "$2 = 18"])

    def test_finding_that_ends_the_launch(self):
        program = built(HERE / "findings.cu", "-G")
        shown, _, stopped, index, frames = self.gdb("show cuda break_on_finding", "set cuda break_on_finding on", "run",
                                                    "print threadIdx.x", "backtrace", program=program)
        self.assertEqual(shown, "The program stops where a finding is made: off.")
        self.assertIn("[CUDA finding]", stopped)
        self.assertIn("// traps", stopped)
        self.assertEqual(index, "$1 = 7")
        self.assertRegex(frames, r"ends \(")

    def test_finding_of_the_checker(self):
        program = built(HERE / "findings.cu", "-G", "-fcheck")
        _, stopped, index, second = self.gdb("set cuda break_on_finding on", "run", "print threadIdx.x", "continue",
                                             program=program)
        self.assertIn("[CUDA finding]", stopped)
        self.assertIn("// races", stopped)
        self.assertRegex(index, r"^\$1 = [1-9]")
        self.assertIn("// traps", second)


class Loading(Debugged):
    """gdb loads the commands with the program."""

    def run_gdb(self, *words):
        done = subprocess.run([GDB, "-nx", "-batch", *words, "-ex", "info cuda kernels", self.program], text=True, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        return done.stdout

    def test_from_a_safe_path(self):
        folder = str(pathlib.Path(SCRIPT).parent)
        self.assertEqual(self.run_gdb("-iex", "add-auto-load-safe-path " + folder), "No kernel runs.\n")

    def test_from_elsewhere_is_declined(self):
        output = self.run_gdb()
        self.assertIn("warpfiber-gdb.py\" auto-loading has been declined", output)
        self.assertIn("add-auto-load-safe-path", output)


class MachineInterface(Debugged):
    """gdb's machine interface, by which editors drive it. Commands and options are those of Visual Studio Code's C/C++
    extension."""

    def setUp(self):
        self.process = subprocess.Popen([GDB, "-nx", "--interpreter=mi3", self.program], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env={**os.environ, "LC_ALL": "C.UTF-8", "WARPFIBER_WORKERS": "1"})
        self.number = 0
        for command in ("-gdb-set confirm off", "-gdb-set disable-randomization off", "-gdb-set mi-async on",
                        '-interpreter-exec console "source %s"' % SCRIPT, "-file-exec-and-symbols " + self.program):
            self.send(command)

    def tearDown(self):
        self.process.stdin.write("-gdb-exit\n")
        self.process.stdin.flush()
        self.process.communicate()

    def lines_until(self, begin):
        """What gdb says up to a line that begins so, with that line last."""
        lines = []
        for text in self.process.stdout:
            lines.append(text.strip())
            if text.startswith(begin):
                return lines
        raise EOFError("gdb has ended: " + "\n".join(lines))

    def send(self, command, result="done"):
        """The answer to a command: its result, and what it prints on the console."""
        self.number += 1
        self.process.stdin.write("%d%s\n" % (self.number, command))
        self.process.stdin.flush()
        lines = self.lines_until("%d^" % self.number)
        self.assertTrue(lines[-1].startswith("%d^%s" % (self.number, result)), "\n".join(lines))
        console = "".join(text[2:-1] for text in lines if text.startswith('~"'))
        return lines[-1], console.replace("\\n", "\n").replace('\\"', '"')

    def run_to_stop(self, command):
        self.send(command, "running")
        return self.lines_until("*stopped")[-1]

    def stop_at_first_barrier(self):
        made, _ = self.send('-break-insert -f -c "threadIdx.x == 5 && threadIdx.y == 1" %s' % place("before the barrier"))
        self.assertIn('cond="threadIdx.x == 5 && threadIdx.y == 1"', made)
        return self.run_to_stop("-exec-run")

    def test_breakpoint_stack_and_locals(self):
        stopped = self.stop_at_first_barrier()
        self.assertIn('reason="breakpoint-hit"', stopped)
        self.assertIn('func="sum"', stopped)
        self.assertIn('line="%d"' % line("before the barrier"), stopped)
        frames, _ = self.send("-stack-list-frames 0 1000")
        self.assertRegex(frames, r'frame=\{level="0",addr="0x[0-9a-f]+",func="sum",')
        thread = re.search(r'thread-id="(\d+)"', stopped).group(1)
        local, _ = self.send("-stack-list-variables --thread %s --frame 0 --simple-values" % thread)
        self.assertIn('{name="mine",type="int",value="10"}', local)
        self.assertIn('{name="scale",arg="1",type="int",value="3"}', local)
        made, _ = self.send('-var-create - * "threadIdx"')
        self.assertIn('type="uint3"', made)

    def test_step_and_commands_of_the_console(self):
        self.stop_at_first_barrier()
        for comment in ("first barrier", None, "second barrier"):
            stopped = self.run_to_stop("-exec-next")
            self.assertIn('reason="end-stepping-range"', stopped)
            if comment:
                self.assertIn('line="%d"' % line(comment), stopped)
        self.assertIn('value="5"', self.send('-data-evaluate-expression "threadIdx.x"')[0])
        _, threads = self.send('-interpreter-exec console "info cuda threads"')
        self.assertIn(place("second barrier"), threads)
        _, switched = self.send('-interpreter-exec console "cuda thread (3,0,0)"')
        self.assertIn("[Switching focus to CUDA kernel 1, block (0,0,0), thread (3,0,0), warp 0, lane 3]", switched)
        self.assertIn('value="3"', self.send('-data-evaluate-expression "threadIdx.x"')[0])
        self.send("-enable-frame-filters")
        frames, _ = self.send("-stack-list-frames 0 1000")
        self.assertRegex(frames, r'^\d+\^done,stack=\[frame=\{level="\d+",addr="[^"]*",func="sum"')
        self.send("-break-delete")
        self.assertIn('reason="exited-normally"', self.run_to_stop("-exec-continue"))


class CoreFile(Debugged):
    """Commands that look, in a core file. gdb's own have no stacks where stacks have guard pages of Linux 6.13."""

    def test_kernels_blocks_and_barriers(self):
        core = pathlib.Path(self.scratch.name) / "core"
        self.gdb("break %s if threadIdx.x == 5 && threadIdx.y == 1" % place("before the barrier"), "run",
                 "generate-core-file %s" % core)
        self.assertLess(core.stat().st_size, 1 << 30)
        kernels, threads, barriers, switched = self.gdb("info cuda kernels", "info cuda threads", "info cuda barriers",
                                                        "cuda thread (2,0,0)", core=core)
        self.assert_rows(kernels, "* 1  0  1  (2,2,1)  (16,4,1)  1  sum")
        self.assertRegex(threads, r"\(0,0,0\) +\(0,0,0\) +\(4,1,0\) +21 +waiting .*__syncthreads\(\)")
        self.assert_rows(barriers, "(0,0,0)  __syncthreads()  %s  21  43  (0,0,0)-(4,1,0)" % place("first barrier"))
        self.assertIn("[threadIdx cannot be set here and remains that of the thread that ran]", switched)
        self.assertIn("[Switching focus to CUDA kernel 1, block (0,0,0), thread (2,0,0), warp 0, lane 2]", switched)


class Command(unittest.TestCase):
    """`warpfiber gdb`."""

    def run_gdb(self, *words, commands="", gdb=GDB):
        return subprocess.run([WARPFIBER, "gdb", *words], input=commands, text=True, timeout=60, env={
            **os.environ, "GDB": gdb, "LC_ALL": "C.UTF-8"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def test_builds_and_starts(self):
        with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
            file.write("set confirm off\nbreak sum if threadIdx.x == 4\n")
            file.flush()
            done = self.run_gdb("-ccbin", COMPILER, "--commands", file.name, str(SOURCE), "--", "1", "two words",
                                commands="show args\nrun\ninfo cuda kernels\nquit 7\n")
        self.assertIn('"1 two\\ words"', done.stdout)
        self.assertRegex(done.stdout, r"hit Breakpoint 1\.\d, .*sum")
        self.assertRegex(done.stdout, r"\* +1 +0 +1 +\(2,2,1\) +\(16,4,1\) +1 +sum")
        self.assertEqual(done.returncode, 7)

    def test_no_gdb(self):
        done = self.run_gdb(str(SOURCE), gdb="no-gdb")
        self.assertIn("needs gdb 13 or later", done.stdout)
        self.assertEqual(done.returncode, 2)


class WithoutOption(Debugged):
    """Programs that are built without -G: threads, lines and names of kernels."""

    FLAGS = ("-O0", "-g")

    def test_frames(self):
        _, _, threads, _, frames = self.gdb("break %s if threadIdx.x == 5" % place("before the barrier"), "run",
                                            "info cuda threads", "cuda thread 2", "backtrace")
        self.assertRegex(threads, r"waiting +%s +__syncthreads\(\)" % place("first barrier"))
        self.assertRegex(frames, r"^#\d+ .*sum \([^\n]*%s$" % place("first barrier"))

    def test_breakpoint_at_a_kernel(self):
        made, = self.gdb("break sum")
        self.assertIn("Note: breakpoint 1 is where the kernel is launched.", made)


if __name__ == "__main__":
    unittest.main()
