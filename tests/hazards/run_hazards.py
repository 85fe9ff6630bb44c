#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Builds hazard programs with the checker, runs each on the default settings and under seeds, and holds what was found
# to what the programs expect. Prints a table, a line for every miss, and fails if there is one.
#     run_hazards.py --warpfiber build/ci/bin/warpfiber --seeds 2 tests/hazards/given tests/hazards/own
# A program or a folder of programs may be named; --part 2/8 takes every eighth program from the second on, so that
# CTest can run the parts side by side. --together 20 builds up to twenty programs as one translation unit (batches.py),
# which takes a fifth of the time. Each is still run, judged and reported by itself.
import argparse
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from batches import batches_of, part_of, unit_of
from expectations import TIERS, BadHeader, Expectation, read_expectation
from judging import Run, judge

BUILD_SECONDS = 300
RUN_SECONDS = 120


@dataclass
class Result:
    expectation: Expectation
    passed: int     # runs
    seconds: float  # to build, or its share of a unit's time, and to run
    misses: list    # a line for each


def parse_arguments():
    parser = argparse.ArgumentParser(description="Runs hazard programs under the checker and judges its findings.")
    parser.add_argument("--warpfiber", required=True, help="the command 'warpfiber'")
    parser.add_argument("--compiler", default="g++", help="host compiler, for -ccbin")
    parser.add_argument("--flags", default="-O1 -std=c++17 -arch=sm_90", help="options of nvcc")
    parser.add_argument("--without-rules", action="store_true", help="do not hold programs to nvcc's rules: a fifth of the time")
    parser.add_argument("--seeds", type=int, default=2, help="runs under policy random, with seeds 1 to this number")
    parser.add_argument("--tier", choices=TIERS, help="only programs of this tier")
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N parts of the programs")
    parser.add_argument("--alike", action="store_true", help="parts of programs with the same headers")
    parser.add_argument("--together", type=int, default=1, help="up to so many programs in one translation unit")
    parser.add_argument("--jobs", type=int, default=1, help="translation units built and run at a time")
    parser.add_argument("--scratch", help="folder for the built programs; else one that is removed")
    parser.add_argument("programs", nargs="+", help="programs, or folders of them")
    return parser.parse_args()


def chosen_programs(arguments):
    paths = []
    for path in arguments.programs:
        paths += sorted(glob.glob(os.path.join(path, "*.cu"))) if os.path.isdir(path) else [path]
    part, parts = (int(word) for word in arguments.part.split("/"))
    found = [read_expectation(os.path.abspath(path)) for path in paths]
    wanted = [one for one in found if arguments.tier in (None, one.tier)]
    return part_of(wanted, part, parts) if arguments.alike else wanted[part - 1::parts]


def settings(seeds):
    """(name, environment) of every run: the defaults, then policy random under each seed."""
    yield "default", {}
    for seed in range(1, seeds + 1):
        yield f"seed {seed}", {"WARPFIBER_POLICY": "random", "WARPFIBER_SEED": str(seed)}


def build(arguments, source, binary):
    """The compiler's complaint, or nothing."""
    rules = ["-fno-nvcc-rules"] if arguments.without_rules else []
    command = [arguments.warpfiber, "nvcc", "-fcheck", "-ccbin", arguments.compiler, *arguments.flags.split(), *rules,
               source, "-o", binary]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS)
    if ended.returncode != 0:
        return f"building ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[:600]}"
    return ""


def run(command, extra):
    findings = command[0] + ".findings.json"
    if os.path.exists(findings):
        os.remove(findings)
    environment = {**os.environ, **extra, "WARPFIBER_FINDINGS": findings, "WARPFIBER_COLOUR": "0",
                   "WARPFIBER_EXITCODE": "0"}  # the program's own exit code is judged
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment,
                               timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return Run(status=None), ""
    return Run(ended.returncode, ended.stdout, read_findings(findings)), ended.stderr


def read_findings(path):
    """The list of findings, or None where there is no JSON of the right shape."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)["findings"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, list) else None


def check(arguments, scratch, batch):
    """The results of the programs of one translation unit."""
    if len(batch) == 1:
        return [check_alone(arguments, scratch, batch[0])]
    started = time.monotonic()
    binary = os.path.join(scratch, f"{batch[0].name}_and_others")
    with open(binary + ".cu", "w", encoding="utf-8") as file:
        file.write(unit_of(batch))
    complaint = build(arguments, binary + ".cu", binary)
    if complaint:
        return blamed(complaint, [check_alone(arguments, scratch, each) for each in batch])
    share = (time.monotonic() - started) / len(batch)
    return [judge_runs(arguments, each, [binary, each.name], share) for each in batch]


def check_alone(arguments, scratch, expectation):
    started = time.monotonic()
    binary = os.path.join(scratch, expectation.name)
    complaint = build(arguments, expectation.path, binary)
    seconds = time.monotonic() - started
    if complaint:
        return Result(expectation, 0, seconds, [complaint])
    return judge_runs(arguments, expectation, [binary], seconds)


def judge_runs(arguments, expectation, command, seconds):
    """The result of a program that took so many seconds to build."""
    started = time.monotonic()
    passed, misses = 0, []
    watchdog = {"WARPFIBER_WATCHDOG": expectation.watchdog} if expectation.watchdog else {}
    for name, extra in settings(arguments.seeds):
        ended, errors = run(command, {**extra, **watchdog})
        complaints = judge(expectation, ended)
        passed += not complaints
        misses += [f"{name}: {each}" for each in complaints]
        if complaints and errors:
            misses += ["    | " + line for line in errors.strip().split("\n")[:12]]
    return Result(expectation, passed, seconds + time.monotonic() - started, misses)


def blamed(complaint, results):
    """The results of programs that were built alone since their unit has an error. One of them at least has to fail."""
    if any(each.misses for each in results):
        return results
    named = [each for each in results if each.expectation.path in complaint]
    for each in named or results:
        each.misses.append(f"builds by itself, but not in one unit with others (README.md, alone): {complaint}")
    return results


def folded(misses):
    """Equal misses of several runs in one line."""
    by_text = {}
    for miss in misses:
        if miss.startswith("    |"):
            continue
        name, _, text = miss.partition(": ")
        by_text.setdefault(text, []).append(name)
    for text, names in by_text.items():
        yield f"{', '.join(names[:4])}{f' and {len(names) - 4} more' if len(names) > 4 else ''}: {text}"
    yield from dict.fromkeys(miss for miss in misses if miss.startswith("    |"))


def report(result, runs):
    print(f"{result.expectation.name:<48} {result.expectation.expect:<20} {result.passed:>3} of {runs:<3} "
          f"{result.seconds:6.1f} s", flush=True)
    for line in folded(result.misses):
        print(f"  {result.expectation.path}: {line}" if not line.startswith("    |") else f"  {line}", flush=True)


def main():
    arguments = parse_arguments()
    try:
        programs = chosen_programs(arguments)
    except BadHeader as error:
        print(error)
        return 1
    if not programs:
        print("no program to run")
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        scratch = arguments.scratch or temporary
        os.makedirs(scratch, exist_ok=True)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = [pool.submit(check, arguments, scratch, each) for each in batches_of(programs, arguments.together)]
            for job in concurrent.futures.as_completed(jobs):
                for result in job.result():
                    report(result, arguments.seeds + 1)
                    failed += bool(result.misses)
    print(f"{len(programs) - failed} of {len(programs)} programs passed, on the default settings and "
          f"{arguments.seeds} seeds, with {arguments.compiler}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
