# SPDX-License-Identifier: Apache-2.0
"""Builds a recorded program and compares what it prints with what a GPU printed (README.md):
golden_test.py WARPFIBER CXX SOURCE GOLDEN"""
import pathlib
import subprocess
import sys
import tempfile


def built_and_run(warpfiber, compiler, source):
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O1", "-std=c++17", source, "-o", program, "-lcusparse"], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def agree(gpu, here):
    if " -> " in gpu or ":" not in gpu:
        return gpu == here
    (name, values), (other, others) = gpu.split(":"), here.split(":")
    pairs = list(zip(map(float, values.split()), map(float, others.split())))
    return name == other and all(abs(a - b) <= 1e-6 * max(1, abs(a)) for a, b in pairs)


def main():
    gpu = pathlib.Path(sys.argv[4]).read_text().splitlines()
    here = built_and_run(*sys.argv[1:4]).splitlines()
    wrong = [f"GPU  {a}\nhere {b}" for a, b in zip(gpu, here) if not agree(a, b)]
    if len(gpu) != len(here):
        wrong.append(f"{len(gpu)} lines of the GPU, {len(here)} here")
    print("\n".join(wrong) or f"{len(gpu)} lines agree")
    return 1 if wrong or not gpu else 0


sys.exit(main())
