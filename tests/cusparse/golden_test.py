# SPDX-License-Identifier: Apache-2.0
"""Builds a recorded program and compares what it prints with what a GPU printed (README.md):
golden_test.py WARPFIBER CXX SOURCE GOLDEN"""
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pending import Pending, golden  # noqa: E402


def built_and_run(warpfiber, compiler, source):
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O1", "-std=c++17", source, "-o", program, "-lcusparse"], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def near(gpu, here):
    if not math.isfinite(gpu):
        return gpu == here or (math.isnan(gpu) and math.isnan(here))
    return abs(gpu - here) <= 1e-6 * max(1, abs(gpu))


def agree(gpu, here):
    if " -> " in gpu or ":" not in gpu or ":" not in here:
        return gpu == here
    (name, values), (other, others) = gpu.split(":"), here.split(":")
    numbers, other_numbers = list(map(float, values.split())), list(map(float, others.split()))
    return name == other and len(numbers) == len(other_numbers) and all(map(near, numbers, other_numbers))


def differences(gpu, here, pending):
    wrong = [f"line {i + 1}\nGPU  {a}\nhere {b}" for i, (a, b) in enumerate(zip(gpu, here))
             if not pending.agrees(a, b, agree)]
    if len(gpu) != len(here):
        wrong.append(f"{len(gpu)} lines of the GPU, {len(here)} here")
    return wrong


def main():
    pending = Pending()
    gpu = golden(pathlib.Path(sys.argv[4]), pending).splitlines()
    here = built_and_run(*sys.argv[1:4]).splitlines()
    wrong = differences(gpu, here, pending) if gpu else []
    return pending.result(wrong, len(gpu) or len(pending.reasons))


if __name__ == "__main__":
    sys.exit(main())
