# SPDX-License-Identifier: Apache-2.0
"""Builds a recorded program and compares what it prints, with a library of BLAS and without, with what a GPU printed
(README.md): golden_test.py WARPFIBER CXX GOLDEN SOURCE..."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pending import Pending, golden  # noqa: E402

# How far GPU and Warpfiber may be apart, in parts of the largest number of a line: a unit of the type that results are
# stored in, 8 units of a float, 16 of a double, and what tensor cores leave out of sums of 8 bits and of TF32. By the
# beginnings of names and, where a name comes once for each type (half, float, bfloat16), its number.
EPILOGUES = "DEFAULT|RELU|BIAS|GELU|RELU_BIAS|GELU_BIAS|RELU_AUX|RELU_AUX_BIAS|GELU_AUX|GELU_AUX_BIAS|DRELU|DGELU"
BOUNDS = [(re.compile(pattern), bound) for pattern, bound in (
    (r"(E4M3 to E4M3|.*of 8 bits)#", 2.0**-3),
    (r"(E4M3|E5M2).* to 32F#|its amax#", 2.0**-12),
    (r"(16F|16BF) to 32F#", 2.0**-20),
    (r"DGELU#2", 2.0**-16),
    (r"(.*16BF|scales of A|(%s)#3|its aux#1[3-8]$)" % EPILOGUES, 2.0**-7),
    (r"(.*16F|gradient|its biases|(%s)#1|its aux#[1-6]$)" % EPILOGUES, 2.0**-10),
    (r".*TF32", 2.0**-11),
    (r"[DZ][a-z]|I[dz]|.*64F", 2.0**-48),
    (r"", 2.0**-20),
)]


def bound_of(key):
    return next(bound for pattern, bound in BOUNDS if pattern.match(key))


def run(program, blas):
    return subprocess.run([program], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "WARPFIBER_BLAS": blas})


def built_and_run(warpfiber, compiler, sources):
    """What the program prints by the word of WARPFIBER_BLAS."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O1", "-std=c++17", *sources, "-o", program, "-lcublas", "-lcublasLt"],
                       check=True)
        assert "WARPFIBER_BLAS=on is ignored: off, large or always" in run(program, "on").stderr
        return {blas: run(program, blas).stdout for blas in ("off", "always")}


def lines(text):
    """The lines of a text by what is before their ':' or '->', with a number where that comes again."""
    found, counts = {}, {}
    for line in text.splitlines():
        if line.startswith(" **"):  # what cuBLAS says of a wrong argument
            continue
        key, _, value = line.partition(" -> " if " -> " in line else " : ")
        counts[key] = counts.get(key, 0) + 1
        found[f"{key}#{counts[key]}"] = value
    return found


def distance(gpu, here):
    """How far two results are apart, in parts of the largest number; None if not every point is one in both."""
    pairs = list(zip(gpu.split()[1:], here.split()[1:]))
    if any((a == ".") != (b == ".") for a, b in pairs):
        return None
    numbers = [(float.fromhex(a), float.fromhex(b)) for a, b in pairs if a != "."]
    scale = max((abs(a) for a, _ in numbers), default=0) or 1
    return max((abs(a - b) for a, b in numbers if a != b), default=0) / scale


def differences(gpu, here, pending):
    wrong = [f"{key}: on one side only" for key in sorted(gpu.keys() ^ here.keys())]
    for key in sorted(gpu.keys() & here.keys()):
        if pending.has(key, gpu[key]) or gpu[key] == here[key]:
            continue
        if gpu[key].split()[:1] != here[key].split()[:1] or "." not in gpu[key]:
            wrong.append(f"{key}: GPU {gpu[key][:80]}, here {here[key][:80]}")
            continue
        apart = distance(gpu[key], here[key])
        if apart is None or apart > bound_of(key):
            wrong.append(f"{key}: {'other elements have changed' if apart is None else f'{apart:.3g} apart'}")
    return wrong


def main():
    pending = Pending()
    text = golden(pathlib.Path(sys.argv[3]), pending)
    gpu, wrong = lines(text), []
    for blas, printed in built_and_run(sys.argv[1], sys.argv[2], sys.argv[4:]).items():
        if text:
            wrong += [f"WARPFIBER_BLAS={blas}: {line}" for line in differences(gpu, lines(printed), pending)]
    return pending.result(wrong, len(gpu) or len(pending.reasons))


if __name__ == "__main__":
    sys.exit(main())
