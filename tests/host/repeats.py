#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Runs repeats.cu again and again and compares what it prints and the schedules that were recorded: with and without
# address space randomisation, while other processes take the processors.
#   repeats.py <warpfiber> <compiler>[,<compiler>...] <runs> [kernel...]
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = "barriers shuffles busy locks polls tiles clusters prints heap clocks streams".split()
# So many atomics that turns end by them. Where schedules are recorded each of them is a decision.
LONG = ["counting"]
WAYS = {
    "in order": {"WARPFIBER_WORKERS": "1"},
    "in order, recorded": {"WARPFIBER_POLICY": "in-order"},
    "random, recorded": {"WARPFIBER_SEED": "5", "WARPFIBER_POLICY": "random"},
}
# Of the lines of a difference that are shown.
SHOWN = 3
LONGEST = 300


def fixed_addresses():
    """What a command begins with that keeps addresses the same; empty where the system does not allow that."""
    setarch = shutil.which("setarch")
    if setarch and subprocess.run([setarch, "-R", "true"], capture_output=True).returncode == 0:
        return [setarch, "-R"]
    return []


def run(program, kernels, way, schedule, prefix):
    environment = {name: text for name, text in os.environ.items() if not name.startswith("WARPFIBER_")}
    environment.update(WAYS[way])
    if "recorded" in way:
        environment["WARPFIBER_SCHEDULE"] = schedule
    ran = subprocess.run(prefix + [program, *kernels], capture_output=True, text=True, env=environment, timeout=LONGEST)
    decisions = ""
    if "recorded" in way:
        with open(schedule) as file:
            decisions = file.read()
        os.remove(schedule)
    errors = re.sub(r"0x[0-9a-f]+", "0x…", ran.stderr)
    return f"exit {ran.returncode}\n{ran.stdout}{errors}{decisions}"


def first_difference(first, second):
    a, b = first.splitlines(), second.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return "\n".join(f"  {sign} {line}" for sign, lines in (("-", a), ("+", b)) for line in lines[at : at + SHOWN])


def compare(name, program, kernels, way, runs, folder):
    """Whether all runs are the same."""
    prefixes = [[], fixed_addresses()]
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(run, program, kernels, way, os.path.join(folder, f"{i}.schedule"), prefixes[i % 2])
            for i in range(runs)
        ]
        seen = collections.Counter(job.result() for job in jobs)
    ended = time.monotonic() - begin
    print(f"{name}, {way}: {runs} runs, {len(seen)} different, {ended:.1f} s", flush=True)
    (most, _), *others = seen.most_common()
    for other, count in others[:SHOWN]:
        print(f" {count} runs:\n{first_difference(most, other)}", flush=True)
    return not others


def main():
    warpfiber, compilers, runs, *kernels = sys.argv[1:]
    compilers = compilers.split(",")
    same = True
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for compiler, hooks in zip(compilers * 2, ([], ["-fcheck"])):
            program = os.path.join(folder, "program" + "".join(hooks))
            source = os.path.join(HERE, "repeats.cu")
            subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, *hooks, source, "-o", program], check=True)
            programs[" ".join([os.path.basename(compiler), *hooks])] = program
        load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
        try:
            for name, program in programs.items():
                for way in WAYS:
                    usual = KERNELS if "recorded" in way else KERNELS + LONG
                    same = compare(name, program, kernels or usual, way, int(runs), folder) and same
        finally:
            for one in load:
                one.kill()
                one.wait()
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
