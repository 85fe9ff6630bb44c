# SPDX-License-Identifier: Apache-2.0
"""Builds a recorded program and compares what it prints with what a GPU printed (README.md):
golden_test.py WARPFIBER CXX SOURCE GOLDEN"""
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pending import Pending, golden  # noqa: E402


def built_and_run(warpfiber, compiler, source):
    """What the program prints. WARPFIBER_BLAS is cuBLAS's, and changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O0", "-std=c++17", source, "-o", program, "-lcusolver"], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              env={**os.environ, "WARPFIBER_BLAS": "off"}).stdout


def agree(gpu, here, bound):
    if " -> " in gpu or ":" not in gpu or ":" not in here:
        return gpu == here
    (name, values), (other, others) = gpu.split(":"), here.split(":")
    expected, got = [float(word) for word in values.split()], [float(word) for word in others.split()]
    return name == other and len(expected) == len(got) and all(near(a, b, bound) for a, b in zip(expected, got))


def near(a, b, bound):
    return a == b or (a != a and b != b) or abs(a - b) <= bound * max(1, abs(a))


def differences(gpu, here, pending):
    wrong, bound, call = [], 1e-12, ""
    for a, b in zip(gpu, here):
        if a.startswith("type "):
            bound = 2e-5 if a.startswith(("type S", "type C")) else 1e-12
        if "(" in a:
            call = a
        if not pending.agrees(a, b, functools.partial(agree, bound=bound)):
            wrong.append(f"after {call}\nGPU  {a}\nhere {b}")
    if len(gpu) != len(here):
        wrong.append(f"{len(gpu)} lines of the GPU, {len(here)} here")
    return wrong


def main():
    pending = Pending()
    gpu, here = golden(pathlib.Path(sys.argv[4]), pending).splitlines(), built_and_run(*sys.argv[1:4]).splitlines()
    wrong = differences(gpu, here, pending) if gpu else []
    return pending.result(wrong, len(gpu) or len(pending.reasons))


if __name__ == "__main__":
    sys.exit(main())
