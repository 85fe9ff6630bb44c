#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds the cases of cases.txt to what they are: uses that must not compile, but for case 0, which must, and for the
# extensions, which must compile unless WARPFIBER_STRICT_CUDA is defined.
#
# All cases of a kind are compiled as kernels of one file; a case is rejected if an error is in its kernel or in what its
# kernel asks for. Those that hide behind others (the same bad instantiation is complained about once) are compiled again
# without them, and those for which that shows nothing alone. usage: check.py <warpfiber> <scratch folder> [--extensions <number>,…] [--compiler <host compiler>]
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CASE = re.compile(r"^@(\d+)")
# An error, and the place in the user's file that asked for the template in which an error is (g++ and clang++).
BLAME = re.compile(r"^(.+?):(\d+):\d+:\s+(?:(?:fatal )?error:|required from here|note: in instantiation of .* requested here)")


def read_cases():
    cases = {}
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as file:
        for line in file:
            found = CASE.match(line)
            if found:
                body = cases.setdefault(int(found[1]), [])
            else:
                body.append(line)
    return cases


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.cases = read_cases()
        self.extensions = arguments.extensions
        self.wrong = []

    def write(self, path, numbers):
        """One kernel a case; returns the first line of each, ascending."""
        starts = []
        lines = [f'#include "{HERE}/prologue.h"\n']
        for number in numbers:
            starts.append((len(lines) + 1, number))
            lines += [f"__global__ void case_{number}(int *out, int v) {{ WARPFIBER_CASE_GROUPS;\n"]
            lines += self.cases[number] + ["}\n"]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        return starts

    def compile(self, numbers, strict):
        """Compiles the cases together. Returns whether that went well, which cases were complained about, the text."""
        name = f"{'strict' if strict else 'extended'}-{len(numbers)}-{numbers[0]}"
        source = os.path.join(self.arguments.scratch, name + ".cu")
        starts = self.write(source, numbers)
        command = [self.arguments.warpfiber, "nvcc", "-std=c++17", "-arch=sm_90", "--expt-relaxed-constexpr",
                   "--extended-lambda", "-w", "-O0", "-c", source, "-o", source + ".o"]
        command += ["-DWARPFIBER_STRICT_CUDA"] if strict else []
        if self.arguments.compiler:
            command += ["-ccbin", self.arguments.compiler]
            if "clang" in self.arguments.compiler:
                command += ["-Xcompiler", "-ferror-limit=0"]
        result = subprocess.run(command, capture_output=True, text=True)
        blamed = set()
        for line in result.stderr.splitlines():
            found = BLAME.match(line)
            if found and os.path.basename(found[1]) == os.path.basename(source):
                before = [number for start, number in starts if start <= int(found[2])]
                blamed.update(before[-1:])
        return result.returncode == 0, blamed, result.stderr

    def expect_rejected(self, numbers, strict):
        left = numbers
        while left:
            _, blamed, _ = self.compile(left, strict)
            hidden = [number for number in left if number not in blamed]
            if len(hidden) == len(left):
                break
            left = hidden
        for number in left:
            if self.compile([number], strict)[0]:
                self.wrong.append(f"case {number} was accepted{' although strict' if strict else ''}: "
                                  + "".join(self.cases[number]))

    def expect_accepted(self, numbers, strict):
        accepted, blamed, text = self.compile(numbers, strict)
        if not accepted:
            self.wrong.append(f"cases {sorted(blamed)} were rejected:\n{text}")

    def run(self):
        uses = [number for number in sorted(self.cases) if number != 0]
        self.expect_accepted([0], True)
        self.expect_rejected(uses, True)
        self.expect_accepted([0] + self.extensions, False)
        self.expect_rejected([number for number in uses if number not in self.extensions], False)
        print("\n".join(self.wrong) or f"{len(uses)} cases as expected")
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpfiber")
    parser.add_argument("scratch")
    parser.add_argument("--extensions", default="", type=lambda text: [int(one) for one in text.split(",") if one])
    parser.add_argument("--compiler", default="")
    arguments = parser.parse_args()
    os.makedirs(arguments.scratch, exist_ok=True)
    return Checker(arguments).run()


if __name__ == "__main__":
    sys.exit(main())
