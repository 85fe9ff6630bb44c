#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Programs whose host does what hosts may do, built by each compiler.
#   host_test.py <warpfiber> <compiler>[,<compiler>...] <test class>...
import concurrent.futures
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import container

HERE = os.path.dirname(os.path.abspath(__file__))
WARPFIBER = sys.argv[1]
COMPILERS = sys.argv[2].split(",")
# One compiler with access hooks and one without: both with both would take twice as long.
VARIANTS = list(zip(COMPILERS * 2, ([], ["-fcheck"])))
# A test that hangs has failed.
LONGEST = 120


# Programs that mostly wait for a time to pass run side by side, more than there are processors.
AT_ONCE = 3 * (os.cpu_count() or 1)

folder = None
built = {}


def setUpModule():
    """What a test has built the others use, too."""
    global folder
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, **options)


def run_all(commands, **options):
    """Runs them side by side; yields each with how it has ended, in the order given."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        yield from zip(commands, pool.map(lambda command: run(*command, **options), commands))


class Host(unittest.TestCase):
    def build(self, source, compiler, *options):
        key = (source, compiler, options)
        if key not in built:
            to = os.path.join(folder.name, f"program{len(built)}")
            made = run(WARPFIBER, "nvcc", "-fno-nvcc-rules", "-ccbin", compiler, *options, os.path.join(HERE, source), "-o", to)
            self.assertEqual(made.returncode, 0, made.stderr)
            built[key] = to
        return built[key]

    def each(self, source, *options):
        """The program in each variant, as subtests."""
        for compiler, hooks in VARIANTS:
            with self.subTest(compiler=compiler, hooks=bool(hooks)):
                yield self.build(source, compiler, *hooks, *options)


class Forks(Host):
    REASON = "cudaErrorInitializationError: fork() made this process after its parent had used CUDA"

    def expect(self, mode, output, reasons):
        for program in self.each("forks.cu"):
            ran = run(program, mode)
            self.assertEqual(ran.stdout, output, ran.stderr)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(ran.stderr.count(self.REASON), reasons, ran.stderr)
            self.assertEqual(len(ran.stderr.splitlines()), reasons, ran.stderr)

    def test_child_gets_an_error_and_the_reason_once(self):
        for mode in ("use", "return", "thread", "bare"):
            self.expect(mode, "child 0\nparent: cudaSuccess\n", 1)

    def test_child_of_busy_threads(self):
        self.expect("threads", "child 0\n" * 40 + "parent: cudaSuccess\n", 40)

    def test_child_ends(self):
        self.expect("exit", "child 3\nparent: cudaSuccess\n", 0)
        self.expect("host-function", "child 0\nparent: cudaSuccess\n", 0)
        self.expect("terminate", "child 143\nparent: cudaSuccess\n", 0)

    def test_new_program_works(self):
        for mode in ("exec", "spawn"):
            self.expect(mode, "child 0\nparent: cudaSuccess\n", 0)

    def test_child_from_before_the_first_use_works(self):
        self.expect("before-use", "child 0\n" * 3, 1)

    def test_check_counts_no_finding_twice(self):
        program = self.build("forks.cu", COMPILERS[-1], "-fcheck")
        modes = ("use", "exit", "terminate", "before-use")
        for _, ran in run_all([(WARPFIBER, "check", program, "--", mode) for mode in modes]):
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_multiprocessing_of_python(self):
        works, fails = "[(0, 90), (0, 9900)]", "[(3, 45), (3, 4950)]"
        output = f"fork {works}\nspawn {works}\nparent (0, 9900)\nfork {fails}\nspawn {works}\nparent (0, 9900)\n"
        for library in self.each("library.cu", "-shared", "-Xcompiler", "-fPIC"):
            ran = run(sys.executable, os.path.join(HERE, "processes.py"), library)
            self.assertEqual(ran.stdout, output, ran.stderr)
            self.assertEqual(ran.returncode, 0, ran.stderr)


class Floats(Host):
    def test_kernels_compute_as_a_device_and_the_host_as_before(self):
        expected = (
            "nearest, kept\n" * 3
            + "inf, cudaSuccess, kept\n"
            + "0x1p-127, kept\n"
            + "host functions 0 0\n"
        )
        for program in self.each("floats.cu"):
            for workers in ("1", "2", "4"):
                ran = run(program, env={**os.environ, "WARPFIBER_WORKERS": workers})
                self.assertEqual(ran.stdout, expected, ran.stderr)
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_trap_that_a_kernel_enables_is_no_integer_division(self):
        for program in self.each("floats.cu"):
            ran = run(program, "trap")
            self.assertEqual(ran.stdout, "cudaErrorLaunchFailure, 0\n", ran.stderr)
            self.assertIn("raised an exception for which a thread of the block has enabled traps", ran.stderr)


class Limits(Host):
    """What the system refuses to give."""

    OUTPUT = "13120, called 1\ncalled 2\nrefused\n"

    def test_no_thread_is_to_be_had(self):
        for program in self.each("limits.cu"):
            for mode in ("finished", "unfinished"):
                ran = run(program, mode)
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, self.OUTPUT, ""))

    def test_findings_without_threads(self):
        ran = run(self.build("limits.cu", COMPILERS[-1], "-fcheck"), "fault")
        self.assertEqual((ran.returncode, ran.stdout), (66, self.OUTPUT), ran.stderr)
        self.assertIn("limits.cu:16  if (threadIdx.x == 3) values[blockDim.x * 4] = 0", ran.stderr)

    def test_little_address_space_ends_in_no_exception(self):
        for program in self.each("forks.cu"):
            for mebibytes in (*range(12, 72, 2), 100, 150, 300, 1000):
                limit = mebibytes << 20
                limited = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
                ran = run(program, "compute", preexec_fn=limited)
                self.assertIn(ran.returncode, (0, 1, 66, 127), ran.stderr)  # 127: not even loaded
                self.assertNotIn("terminate called", ran.stderr)

    def test_accesses_without_room_for_the_shadow_are_said_to_be_unchecked(self):
        """The shadow of device memory is larger; the program itself has room."""
        limit = 12 << 30
        limited = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        source = os.path.join(HERE, "race.cu")
        self.assertIn("race-global", run(WARPFIBER, "check", source).stderr)
        ran = run(WARPFIBER, "check", source, preexec_fn=limited)
        self.assertIn("too few addresses (ulimit -v)", ran.stderr)
        self.assertIn("memory accesses were not", ran.stderr)
        self.assertEqual(ran.returncode, 3, ran.stderr)

    def test_a_command_without_memory_says_so(self):
        """With 14 and 22 MiB its own memory ends, with less that of the loader, and with more that of the compiler."""
        for mebibytes in range(12, 32):
            limit = mebibytes << 20
            limited = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            ran = run(WARPFIBER, "nvcc", "-E", os.path.join(HERE, "limits.cu"), "-o", os.devnull, preexec_fn=limited)
            self.assertIn(ran.returncode, (1, 2, 127), ran.stderr)  # 127: not even loaded
            self.assertNotIn("terminate called", ran.stderr)
            self.assertTrue(ran.stderr)

    def test_a_command_without_files_says_so(self):
        limited = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        ran = run(WARPFIBER, "nvcc", "-E", os.path.join(HERE, "limits.cu"), "-o", os.devnull, preexec_fn=limited)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("toolchain.json: Too many open files", ran.stderr)


class Clocks(Host):
    def test_clock_is_where_it_is_read(self):
        for program in self.each("clocks.cu"):
            ran = run(program)
            self.assertEqual(ran.stdout, "1 1 1 1 1 512 64 64 1 1 1\n", ran.stderr)


class Handlers(Host):
    """The program's handlers have room, and are no kernel's doing."""

    def test_handlers_with_large_stacks(self):
        names, stacks = ("SEGV", "PROF", "ALRM", "URG"), ("own-stack", "no-stack")
        for program in self.each("handlers.cu"):
            for command, ran in run_all([(program, name, stack) for name in names for stack in stacks]):
                self.assertEqual(ran.stdout, "handled, same stack, same handler\n", (command, ran.stderr))
                self.assertEqual((ran.returncode, ran.stderr), (0, ""), command)


class Process(Host):
    """What belongs to the process is the host's, also while kernels run."""

    def expect(self, output, status, *arguments, **options):
        for program in self.each("process.cu"):
            ran = run(program, *arguments, **options)
            self.assertEqual((ran.stdout, ran.returncode), (output, status), ran.stderr)

    def test_handlers_of_exit_have_the_hosts_signals_rounding_and_room(self):
        for mode in ("exit", "quick-exit"):
            self.expect("1 blocked, SIGUSR1 1, handled 1, upward\n", 5, mode)

    def test_a_handler_of_signals_finds_the_kernel(self):
        for mode in ("profile", "profile-own-stack"):
            self.expect("in the kernel, 0 on another stack, SIGUSR2 1\n", 0, mode)

    def test_threads_of_the_runtime_take_no_signal(self):
        self.expect("500 signals\n", 0, "wait-for-signal")

    def test_jumps_and_exceptions_around_launches(self):
        self.expect("cudaSuccess 100\n", 0, "leave-calls")

    def test_an_exception_that_leaves_a_kernel_is_what_is_found(self):
        for program in self.each("process.cu"):
            ran = run(program, "throw-in-kernel")
            self.assertEqual(ran.stdout, "cudaErrorLaunchFailure, caught 5\n", ran.stderr)
            self.assertIn("exception  throws<<<(1,1,1), (32,1,1)>>>", ran.stderr)
            self.assertIn("1 thread throws  char  thread (3,0,0)", ran.stderr)
            self.assertNotIn("oob-global", ran.stderr)

    def test_an_exception_that_leaves_a_host_function_ends_the_process(self):
        for program in self.each("process.cu"):
            ran = run(program, "throw-out")
            self.assertEqual(ran.returncode, -signal.SIGABRT, ran.stderr)
            self.assertIn("out of a host function", ran.stderr)

    KERNEL_PRINTS = "1234567.50 2.5e-07\n"

    def test_a_locale_of_cxx_makes_no_difference(self):
        self.expect(self.KERNEL_PRINTS + "0.5 .\n", 0, "locale")

    def test_a_locale_of_c_makes_no_difference(self):
        name = "de_DE.UTF-8"
        made = run("localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder.name, name)) \
            if shutil.which("localedef") else None
        if made is None or made.returncode != 0:
            self.skipTest("no locale can be made here")
        environment = os.environ | {"LOCPATH": folder.name}
        self.expect(self.KERNEL_PRINTS + "0,5 ,\n", 0, "locale", name, env=environment)
        ran = run(self.build("process.cu", *VARIANTS[1][:1], *VARIANTS[1][1]), "locale-race", name, env=environment)
        self.assertIn("1234.5", ran.stderr)
        self.assertNotIn("1234,5", ran.stderr)


class Vectors(Host):
    def test_registers_survive_ticks(self):
        for program in self.each("vectors.cu"):
            ran = run(program)
            self.assertEqual((ran.stdout, ran.returncode), ("done\n", 0), ran.stderr)


class Container(Host):
    """What a container denies, nothing needs."""

    def test_programs_and_the_command(self):
        # The check builds as well.
        source = os.path.join(HERE, "waits.cu")
        probe = subprocess.run([sys.executable, "-c", "import container, sys; sys.exit(not container.enter())"], cwd=HERE)
        if probe.returncode != 0:
            self.skipTest("no filters of system calls here")
        ran = run(WARPFIBER, "check", source, "--", "blocked-fault", preexec_fn=container.enter)
        self.assertEqual(ran.stdout, "cudaErrorIllegalAddress\n1 1\n", ran.stderr)
        self.assertIn("1 error in 1 run", ran.stderr)
        self.assertIn("waits.cu:23", ran.stderr)
        program = self.build("waits.cu", COMPILERS[-1])
        ran = run(program, "blocked-spin", preexec_fn=container.enter)
        self.assertEqual(ran.stdout, "cudaErrorLaunchTimeout\n1 1\n", ran.stderr)


class Dead(Host):
    """Kernels that never end are reported: at once where threads do nothing but wait, by the watchdog where they do
    more."""
    AT_ONCE = ("fences sleeps delays tries clocks_between reads barriers counted_barriers warps texts blocks votes "
               "shuffles tiles sleeping_votes sleeping_tiles sleeping_sums sleeping_blocks counted_votes called_votes "
               "exits leaders copies any_of_block locks objects counted_objects calls backoffs nests "
               "counted_leaders").split()
    MODES = "clocks counters stores".split()
    SAMPLE = ("counters",)

    def expect_reports(self, commands):
        environment = os.environ | {"WARPFIBER_WATCHDOG": "1", "WARPFIBER_WORKERS": "1"}
        for (program, mode), ran in run_all(commands, env=environment):
            with self.subTest(mode=mode, program=os.path.basename(program)):
                self.assertTrue(ran.stdout.lstrip(".").startswith("cudaErrorLaunchTimeout\n"), ran.stdout[-200:])
                self.assertIn(f"livelock  {mode}<<<", ran.stderr)
                self.assertIn("WARPFIBER_WATCHDOG=0 removes this limit", " ".join(ran.stderr.split()))
                self.assertIn("dead.cu:", ran.stderr)

    def test_every_kernel_and_some_with_hooks(self):
        """With hooks by each compiler: what they keep on the stack differs."""
        checked = [self.build("dead.cu", compiler, "-fcheck") for compiler in COMPILERS]
        plain = self.build("dead.cu", COMPILERS[0])
        self.expect_reports([(program, mode) for program in checked for mode in self.SAMPLE]
                            + [(plain, mode) for mode in self.MODES])

    def test_pauses_and_counts_hide_no_hang(self):
        """The watchdog has no part in it, on one worker or two: nothing says that the kernel may only be slow."""
        programs = [self.build("dead.cu", compiler, *hooks) for compiler, hooks in VARIANTS]
        for workers in ("1", "2"):
            commands = [(program, mode) for program in programs for mode in self.AT_ONCE]
            for (_, mode), ran in run_all(commands, env=os.environ | {"WARPFIBER_WORKERS": workers}):
                with self.subTest(mode=mode, workers=workers):
                    self.assertTrue(ran.stdout.lstrip(".").startswith("cudaErrorLaunchTimeout\n"), ran.stdout[-200:])
                    self.assertRegex(ran.stderr, f"(live|dead)lock  {mode}<<<")
                    self.assertIn("No runnable thread changes the memory", ran.stderr)

    def test_a_latch_that_is_only_asked_is_awaited(self):
        programs = [self.build("dead.cu", compiler, *hooks) for compiler, hooks in VARIANTS]
        for _, ran in run_all([(program, "latches") for program in programs]):
            self.assertIn("deadlock  latches<<<", ran.stderr)
            self.assertIn("for 1 more arrival: 64 of 65 have arrived", ran.stderr)

    def test_a_policy_makes_no_difference(self):
        """The same where threads run in any order, and with hooks."""
        programs = [self.build("dead.cu", compiler, *hooks) for compiler, hooks in VARIANTS]
        modes = ("votes", "sleeping_votes", "sleeping_sums", "called_votes", "any_of_block", "barriers", "objects", "calls",
                 "counted_leaders")
        for policy in ("random", "pct", "delays"):
            commands = [(program, mode) for program in programs for mode in modes]
            environment = os.environ | {"WARPFIBER_POLICY": policy, "WARPFIBER_SEED": "3"}
            for (_, mode), ran in run_all(commands, env=environment):
                with self.subTest(mode=mode, policy=policy):
                    self.assertRegex(ran.stderr, f"(live|dead)lock  {mode}<<<")
                    self.assertIn("No runnable thread changes the memory", ran.stderr)

    def test_nobody_is_waited_for_without_need(self):
        """A thread of the runtime that has just been started is none of the host's."""
        program = self.build("dead.cu", COMPILERS[0], "-fcheck")
        for _, ran in run_all([(program, "missing")] * 60):
            self.assertIn("deadlock  missing<<<", ran.stderr)
            self.assertNotIn("has not happened", " ".join(ran.stderr.split()))


class Alive(Host):
    """Kernels that get on, or whose host may help them, are not."""

    def test_kernels_end(self):
        program = self.build("alive.cu", COMPILERS[0])
        modes = [(program, mode) for mode in ("relaxes", "adds", "rotates", "waits", "hands_over", "votes",
                                                     "computes", "counts", "counts_votes", "phases", "gives_up", "fences_between")]
        for (_, mode), ran in run_all(modes, env=os.environ | {"WARPFIBER_WATCHDOG": "1"}):
            with self.subTest(mode=mode):
                self.assertEqual(ran.stdout, "cudaSuccess\n", ran.stderr)

    def test_kernels_end_whatever_the_policy(self):
        for program in self.each("alive.cu"):
            # The watchdog has its usual time, so they need not run for longer than one of a second.
            modes = [(program, mode, "1") for mode in ("votes", "computes", "counts", "counts_votes", "phases", "gives_up",
                                                       "fences_between")]
            for policy in ("random", "pct", "delays"):
                environment = os.environ | {"WARPFIBER_POLICY": policy, "WARPFIBER_SEED": "3"}
                for (_, mode, _), ran in run_all(modes, env=environment):
                    with self.subTest(mode=mode, policy=policy):
                        self.assertIn("cudaSuccess\n", ran.stdout, ran.stderr)


class Turns(Host):
    """Threads that look at memory and work meanwhile let those run that they look for."""
    MODES = ("solves", "asks", "passes")

    def test_threads_that_work_while_they_wait(self):
        for program in self.each("turns.cu"):
            for mode in self.MODES:
                for policy in ("in-order", "random"):
                    ran = run(program, mode, env=os.environ | {"WARPFIBER_POLICY": policy})
                    self.assertEqual(ran.stdout, "cudaSuccess 0\n", (mode, policy, ran.stderr))


class Waits(Host):
    """Only what nobody outside can change is decided at once."""

    def test_another_process_or_thread_may_write(self):
        programs = list(self.each("waits.cu"))
        ends = [(program, mode) for program in programs for mode in ("process", "file")]
        for command, ran in run_all(ends):
            self.assertEqual(ran.stdout, "cudaSuccess\n", (command, ran.stderr))
        waits = [(programs[-1], "dead-process")] + [(programs[0], mode) for mode in ("thread", "cuda-thread", "join")]
        writers = ["another process, through a shared mapping"] + ["a thread of the host"] * 3
        for writer, (_, ran) in zip(writers, run_all(waits, env=os.environ | {"WARPFIBER_WATCHDOG": "2"})):
            self.assertEqual(ran.stdout, "cudaErrorLaunchTimeout\n", ran.stderr)
            self.assertIn(f"{writer}, which has not happened for 2 seconds", " ".join(ran.stderr.split()))

    def test_a_thread_that_wakes_up_is_waited_for(self):
        """It runs for less than a tick of the system's clock each time."""
        ran = run(self.build("waits.cu", COMPILERS[0]), "poller", env=os.environ | {"WARPFIBER_WATCHDOG": "2"})
        self.assertEqual(ran.stdout, "cudaSuccess\n", ran.stderr)

    def test_blocked_signals_make_no_difference(self):
        for program in self.each("waits.cu"):
            for mode, error in (("spin", "cudaErrorLaunchTimeout"), ("fault", "cudaErrorIllegalAddress")):
                ran = run(program, f"blocked-{mode}")
                self.assertEqual(ran.stdout, f"{error}\n1 1\n", ran.stderr)


class HostFunctions(Host):
    """Host functions that no thread will wake end the process, with a report; others are waited for."""

    WATCHDOG = os.environ | {"WARPFIBER_WATCHDOG": "1"}

    def test_a_program_that_sleeps_for_ever_ends(self):
        programs = list(self.each("host_functions.cu"))
        cases = (
            ("host", ["cudaLaunchHostFunc(one, wait_for_first", "cudaStreamSynchronize(one)"]),
            ("each-other", ["cudaLaunchHostFunc(one, wait_and_post", "cudaLaunchHostFunc(other, wait_and_post"]),
            ("later", ["cudaLaunchHostFunc(one, wait_for_first", "cudaStreamSynchronize(one)"]),
            ("behind", ["cudaLaunchHostFunc(one, wait_for_first"]),
        )
        runs = run_all([(program, mode) for program in programs for mode, _ in cases], env=self.WATCHDOG)
        for (_, lines), (command, ran) in zip(cases * len(programs), runs):
            self.assertEqual(ran.stdout, "", (command, ran.stderr))
            self.assertIn(ran.returncode, (1, 66), (command, ran.stderr))  # 66: of a checked program
            self.assertIn("deadlock", ran.stderr, command)
            for line in lines:
                self.assertIn(line, ran.stderr, command)

    def test_checked(self):
        source = os.path.join(HERE, "host_functions.cu")
        ran = run(WARPFIBER, "check", source, "--", "later", env=self.WATCHDOG)
        self.assertIn("1 error in 1 run", ran.stderr)
        self.assertEqual(ran.returncode, 1, ran.stderr)

    def test_kernel_that_a_sleeping_host_function_could_help(self):
        for program in self.each("host_functions.cu"):
            ran = run(program, "kernel", env=self.WATCHDOG)
            self.assertEqual(ran.stdout, "cudaErrorLaunchTimeout\nreturned\n", ran.stderr)
            self.assertIn("a thread of the host, which has not happened for 1 second", " ".join(ran.stderr.split()))

    def test_a_thread_or_a_timer_wakes_it(self):
        waits = [(program, mode) for program in self.each("host_functions.cu") for mode in ("slow", "timer")]
        for command, ran in run_all(waits, env=self.WATCHDOG):
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "returned\n", ""), command)


class NoProc(Host):
    """Reports have their lines where /proc is not mounted."""

    def test_reports_and_checks(self):
        library = os.path.join(folder.name, "no_proc.so")
        made = run(COMPILERS[0], "-shared", "-fPIC", os.path.join(HERE, "no_proc.cpp"), "-o", library, "-ldl")
        self.assertEqual(made.returncode, 0, made.stderr)
        environment = os.environ | {"LD_PRELOAD": library}
        self.assertNotEqual(run("cat", "/proc/self/status", env=environment).returncode, 0)
        ran = run(self.build("waits.cu", COMPILERS[0]), "blocked-fault", env=environment)
        self.assertIn("waits.cu:23  memory[threadIdx.x + (1LL << 40)] = 1", ran.stderr)
        checked = run(WARPFIBER, "check", os.path.join(HERE, "waits.cu"), "--", "blocked-fault", env=environment)
        self.assertIn("waits.cu:23", checked.stderr)
        self.assertIn("1 error in 1 run", checked.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
