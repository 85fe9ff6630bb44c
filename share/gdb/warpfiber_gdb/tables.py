# SPDX-License-Identifier: Apache-2.0
"""Tables, and the mark of what is in focus."""
from .memory import message


def print_table(heads, rows, indent="  "):
    widths = [max(len(str(row[i])) for row in [heads] + rows) for i in range(len(heads))]
    for row in [heads] + rows:
        line = "  ".join(str(cell).ljust(width) for cell, width in zip(row[1:], widths[1:])).rstrip()
        message((str(row[0]).ljust(1) + " " + line).rstrip())


def mark(is_focus):
    return "*" if is_focus else " "
