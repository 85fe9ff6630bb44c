#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
#   cpu_by_label.py FOLDER TABLE             prints the CPU seconds of the tests of each label, which cpu_time.cpp has
#                                            left in FOLDER, beside those of TABLE, and says which label has grown
#   cpu_by_label.py --record FOLDER TABLE    writes them to TABLE
# `ctest --show-only=json-v1` with the arguments of the run, which says what the labels are, is read from standard input.
# Machines differ and so do the loads on them, so that seconds are compared after both columns were brought to the same
# sum, and nothing fails. A label has grown if it takes a tenth more than in the table, and five seconds. The last lines
# are a warning for each label that has grown or is not in the table.
import argparse
import json
import os
import sys

GROWN = 1.1
GROWN_SECONDS = 5


def labels_of(document):
    """The first label of each test; those without one share a line."""
    for test in document["tests"]:
        values = [each["value"] for each in test.get("properties", ()) if each["name"] == "LABELS"]
        yield test["name"], values[0][0] if values and values[0] else "(none)"


def seconds_by_label(document, folder):
    """The CPU seconds of each label, and the tests that have not been measured."""
    seconds, missing = {}, []
    for name, label in labels_of(document):
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                seconds[label] = seconds.get(label, 0.0) + float(file.read())
        except (OSError, ValueError):
            missing.append(name)
    return seconds, missing


def read_table(path):
    """The lines of a table are a label and its seconds; those that begin with # are comments."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {label: float(seconds) for label, seconds in rows}


def text_of(seconds):
    lines = [f"{label} {seconds[label]:.0f}\n" for label in sorted(seconds, key=lambda each: (-seconds[each], each))]
    return "# CPU seconds of the tests of each label: CONTRIBUTING.md, \"Seconds of CPU\".\n" + "".join(lines)


def scaled(table, seconds):
    """The table as if its labels that were run now had taken as long together."""
    common = [label for label in table if label in seconds]
    before = sum(table[label] for label in common)
    factor = sum(seconds[label] for label in common) / before if before else 1.0
    return {label: table[label] * factor for label in common}


def has_grown(now, before):
    return now > before * GROWN and now > before + GROWN_SECONDS


def report_of(seconds, table):
    """Lines to print."""
    before = scaled(table, seconds)
    warnings = []
    yield f"{'label':<16}{'CPU s':>9}{'recorded':>10}"
    for label in sorted(seconds, key=lambda each: (-seconds[each], each)):
        recorded = f"{table[label]:10.0f}" if label in table else f"{'-':>10}"
        note = ""
        if label not in before:
            note = "is not in the table"
        elif has_grown(seconds[label], before[label]):
            note = f"has grown by {100 * (seconds[label] / before[label] - 1):.0f} %, beside the others"
        if note:
            warnings.append(f"WARNING: CPU time of label {label} {note}")
        yield f"{label:<16}{seconds[label]:9.0f}{recorded}  {note}".rstrip()
    yield f"{'all':<16}{sum(seconds.values()):9.0f}{sum(table.values()):10.0f}"
    if warnings:
        yield ""
        yield from warnings
        yield 'What to do: CONTRIBUTING.md, "Seconds of CPU"'


def main():
    parser = argparse.ArgumentParser(description="CPU seconds of the suite by label.")
    parser.add_argument("--record", action="store_true", help="write the table")
    parser.add_argument("folder")
    parser.add_argument("table")
    arguments = parser.parse_args()
    seconds, missing = seconds_by_label(json.load(sys.stdin), arguments.folder)
    if arguments.record:
        with open(arguments.table, "w", encoding="utf-8") as file:
            file.write(text_of(seconds))
        return 0
    if missing:
        print(f"not measured: {', '.join(missing)}")
    for line in report_of(seconds, read_table(arguments.table)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
