# SPDX-License-Identifier: Apache-2.0
"""Builds a recorded program and compares what it prints with what a GPU printed (README.md):
golden_test.py WARPFIBER CXX SOURCE GOLDEN"""
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pending import WORD, Pending, golden  # noqa: E402

# Of max(1, |x|). __sincosf is off by 2^-21.4, and a radius is at most 6.7.
FLOAT_ERROR = 3e-6
DOUBLE_ERROR = 4e-15


def built_and_run(warpfiber, compiler, source):
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O1", "-std=c++17", source, "-o", program, "-lcurand"], check=True)
        return subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout


def lines(text):
    """The lines of a text by what is before their '=', or before their last ':'."""
    def parts(line):
        pending = f": {WORD}" in line
        return line.split(": ", 1) if pending else line.split(" = ", 1) if " = " in line else line.rsplit(": ", 1)
    return dict(map(parts, text.splitlines()))


def numbers(key, text):
    """What the words of a line are as numbers; a word of several numbers begins with the last of them."""
    code, digits = ("d", 16) if "double" in key.lower() or "mixed" in key else ("f", 8)
    for word in text.split(" | ")[0].split():
        for begin in reversed(range(0, len(word), digits)):
            yield struct.unpack(">" + code, bytes.fromhex(word[begin:begin + digits]))[0]


def is_near(key, gpu, here):
    error = DOUBLE_ERROR if "double" in key.lower() else FLOAT_ERROR
    pairs = list(zip(numbers(key, gpu), numbers(key, here)))
    return pairs and all(abs(a - b) <= error * max(1, abs(a)) for a, b in pairs)


def differences(gpu, here, pending):
    wrong = [f"{key}: on one side only" for key in sorted(gpu.keys() ^ here.keys())]
    for key in sorted(gpu.keys() & here.keys()):
        if pending.has(key, gpu[key]):
            continue
        if here[key] != gpu[key] and not ("~" in key and is_near(key, gpu[key], here[key])):
            wrong.append(f"{key}\n  GPU  {gpu[key][:200]}\n  here {here[key][:200]}")
    return wrong


def main():
    pending = Pending()
    gpu = lines(golden(pathlib.Path(sys.argv[4]), pending))
    here = lines(built_and_run(*sys.argv[1:4]))
    wrong = differences(gpu, here, pending) if gpu else []
    return pending.result(wrong, len(gpu) or len(pending.reasons))


if __name__ == "__main__":
    sys.exit(main())
