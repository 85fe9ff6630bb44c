#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a program of mistakes and reads what is said of it.

A line that ends in `// mistake` or `// warning` has one or more, all other lines none; what follows a colon is where in
the line. No message has a name in it that the user has not written, and none is followed by others that only say it
once more.
usage: check.py <warpfiber> <host compiler> <program>
"""
import re
import subprocess
import sys
from pathlib import Path

OURS = re.compile(r"warpfiber|_shared_(?:type|tag|box|body)|lambda")
MESSAGE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?(?P<kind>error|warning): (?P<text>.*)$")
PLACE = re.compile(r"^(In file included from|\s+from) .*$|^[^\s:]+:(\d+:)*")


def expected(lines):
    """Line numbers from 1 to (kind, column or None)."""
    marks = {}
    for number, line in enumerate(lines, 1):
        mark = re.search(r"// (mistake|warning)(?:: (.*))?$", line)
        if mark is None:
            continue
        column = None if mark[2] is None else re.search(r"(?<!\w)" + re.escape(mark[2]), line).start() + 1
        marks[number] = ("error" if mark[1] == "mistake" else "warning", column)
    return marks


def complaints(program, output):
    marks = expected(program.read_text().splitlines())
    seen = {}
    found = []
    for line in output.splitlines():
        if OURS.search(PLACE.sub("", line)):
            found.append(f"not a name of the user's: {line}")
        message = MESSAGE.match(line)
        if message is None:
            continue
        number = int(message["line"])
        kind, column = marks.get(number, (None, None))
        if Path(message["file"]).name != program.name or kind != message["kind"]:
            found.append(f"not expected: {line}")
        elif column is not None and int(message["column"]) != column:
            found.append(f"expected at column {column}: {line}")
        seen.setdefault(number, []).append(message["text"])
    found += [f"line {number}: {len(texts)} messages" for number, texts in seen.items() if len(texts) > 2]
    found += [f"nothing said of line {number}" for number in marks if number not in seen]
    return found


def main():
    warpfiber, compiler, program = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    flags = "-Wall,-Wextra,-Wshadow" if program.stem == "warnings" else "-w"
    command = [warpfiber, "nvcc", "-ccbin", compiler, "-Xcompiler", flags, "-c", str(program), "-o", "/dev/null"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    found = complaints(program, outcome.stderr)
    if (outcome.returncode == 0) != (program.stem == "warnings"):
        found.append(f"exit status {outcome.returncode}")
    if found:
        print(outcome.stderr)
    for complaint in found:
        print(complaint)
    return len(found) != 0


if __name__ == "__main__":
    sys.exit(main())
