# SPDX-License-Identifier: Apache-2.0
"""Builds programs with -fregions and runs them both ways: with fibers only, and with regions. Used by the tests here."""
import os
import re
import subprocess

MADE = r"runs as \d+ regions?, \d+ bytes? kept for each thread"
LINE = re.compile(r":\d+: kernel (?:.*[ :])?(\w+)(?:<[^(]*>)?\(.*\) (" + MADE + "|runs on fibers: .*)")


class BuildError(Exception):
    """The drop-in could not build a program."""


def build(warpfiber, source, binary, options=()):
    """Builds a program. What became of its kernels, by name without template arguments: "runs as 3 regions, …", …"""
    command = [warpfiber, "nvcc", "-fregions=report", "-fno-nvcc-rules", *options, source, "-o", binary]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{source}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    kernels = {}
    for line in done.stderr.splitlines():
        found = LINE.search(line)
        if found:
            kernels.setdefault(found.group(1), []).append(found.group(2))
    return kernels, done.stderr


def kept_bytes(said):
    """12 of "runs as 3 regions, 12 bytes kept for each thread"."""
    return int(re.search(r"(\d+) bytes? kept", said).group(1))


def run(binary, arguments=(), regions=True, timeout=120, variables=None):
    """Exit code, standard output and standard error of a run with one worker, so that reports are repeatable."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPFIBER_")}
    environment["WARPFIBER_WORKERS"] = "1"
    environment.update(variables or {})
    if not regions:
        environment["WARPFIBER_REGIONS"] = "off"
    done = subprocess.run([str(binary), *arguments], capture_output=True, text=True, check=False, env=environment,
                          timeout=timeout)
    return done.returncode, done.stdout, done.stderr
