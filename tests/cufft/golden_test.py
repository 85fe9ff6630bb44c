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

# Of the root mean square of a result: how far GPU and Warpfiber may be apart.
FLOAT_ERROR = 16 * 2.0**-23
DOUBLE_ERROR = 16 * 2.0**-52


def built_and_run(warpfiber, compiler, source):
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O1", "-std=c++17", source, "-o", program, "-lcufft"], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def lines(text):
    """The lines of a text by what is before their ':' or '->', with a number where that comes again."""
    found = {}
    for line in text.splitlines():
        key, _, value = line.partition(" -> " if " -> " in line else " :")
        again = sum(other.split("#")[0] == key for other in found)
        found[f"{key}#{again}"] = value
    return found


def distance(gpu, here):
    """How far two results are apart, in parts of the GPU's root mean square."""
    (values, norm), (others, other_norm) = (text.split(" | ") for text in (gpu, here))
    count, length = int(norm.split()[0]), float.fromhex(norm.split()[1])
    scale = length / math.sqrt(count) or 1
    pairs = list(zip(values.split(), others.split()))
    apart = max(abs(float.fromhex(a) - float.fromhex(b)) for a, b in pairs) / scale
    return max(apart, abs(length - float.fromhex(other_norm.split()[1])) / (length or 1))


def differences(gpu, here, pending):
    wrong = [f"{key}: on one side only" for key in sorted(gpu.keys() ^ here.keys())]
    for key in sorted(gpu.keys() & here.keys()):
        if pending.has(key, gpu[key]):
            continue
        if "|" not in gpu[key]:
            if gpu[key] != here[key]:
                wrong.append(f"{key}: GPU {gpu[key]}, here {here[key]}")
            continue
        error = DOUBLE_ERROR if " type 6" in key else FLOAT_ERROR
        apart = distance(gpu[key], here[key])
        if apart > error:
            wrong.append(f"{key}: {apart:.3g} apart")
    return wrong


def main():
    pending = Pending()
    gpu = lines(golden(pathlib.Path(sys.argv[4]), pending))
    here = lines(built_and_run(*sys.argv[1:4]))
    wrong = differences(gpu, here, pending) if gpu else []
    return pending.result(wrong, len(gpu) or len(pending.reasons))


if __name__ == "__main__":
    sys.exit(main())
