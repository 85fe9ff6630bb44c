# SPDX-License-Identifier: Apache-2.0
#
# What a hazard program says about itself: the header lines at its top (README.md lists them) and the marks @A and @B on
# the source lines that a diagnostic must name.
import os
import re
from dataclasses import dataclass, field

FIELD = re.compile(r"^// ([\w-]+): (.*)$")
MARK = re.compile(r"@([AB])\b")
REQUIRED = ("expect", "needs", "tier", "hw", "why")
TIERS = ("core", "extra")
HARDWARE = ("ok", "silent", "fault", "launch-error", "hang", "may-hang")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATALOGUE = os.path.join(ROOT, "src", "foundation", "record", "verdicts.inc")
with open(CATALOGUE, encoding="utf-8") as table:
    IDS = frozenset(re.findall(r'^WARPFIBER_VERDICT\(\w+, "([a-z-]+)"', table.read(), re.MULTILINE))
# Those that no program here expects: it would not end by itself with 0, or needs an option.
OTHER_IDS = frozenset({"nondeterminism", "trap", "assert", "exception", "stack-overflow", "time-limit", "unfinished",
                       "leak"})
VERDICTS = IDS - OTHER_IDS | {"clean"}
# Of what a device does in a way of its own, which a program may rely on.
WARNINGS = frozenset({"conversion"})


class BadHeader(Exception):
    """The header of a program is not as README.md lays it down."""


@dataclass
class Expectation:
    path: str
    name: str
    expect: str
    tier: str
    hardware: str
    also_ok: frozenset = frozenset()
    rows: tuple = ()
    watchdog: str = ""         # seconds after which a kernel that only the watchdog ends is ended; empty: as by default
    alone: str = ""            # why it must not share a translation unit with others
    marks: dict = field(default_factory=dict)  # line -> letters
    text: str = field(default="", repr=False)

    @property
    def is_hazard(self):
        return self.name.startswith("haz_")

    @property
    def lines(self):
        return frozenset(self.marks)


def read_expectation(path):
    with open(path, encoding="utf-8") as file:
        return parse_expectation(path, file.read())


def parse_expectation(path, text):
    lines = text.split("\n")
    fields = _fields(path, lines)
    found = Expectation(
        path=path, name=os.path.splitext(os.path.basename(path))[0], expect=fields["expect"], tier=fields["tier"],
        hardware=fields["hw"], also_ok=frozenset(_words(fields.get("also-ok", ""))),
        rows=tuple(_words(fields.get("row", ""))), watchdog=fields.get("watchdog", ""),
        alone=fields.get("alone", ""), marks=_marks(lines),
        text=text)
    _check(found)
    return found


def _fields(path, lines):
    fields = {}
    for line in lines:
        if not line.startswith("// "):
            break
        match = FIELD.match(line)
        if match:
            fields[match[1]] = match[2].strip()
    if not lines[0].startswith("// expect: "):
        raise BadHeader(f"{path}: the first line is not '// expect: ...'")
    for name in REQUIRED:
        if not fields.get(name):
            raise BadHeader(f"{path}: no '// {name}: ...'")
    return fields


def _words(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def _marks(lines):
    marks = {}
    for number, line in enumerate(lines, 1):
        letters = MARK.findall(line)
        if letters:
            marks[number] = "".join(letters)
    return marks


def _check(found):
    if found.expect not in VERDICTS:
        raise BadHeader(f"{found.path}: '{found.expect}' is no verdict")
    for word in found.also_ok - VERDICTS - OTHER_IDS:
        raise BadHeader(f"{found.path}: '{word}' is no verdict")
    if found.tier not in TIERS:
        raise BadHeader(f"{found.path}: tier '{found.tier}' is none of {', '.join(TIERS)}")
    if found.hardware not in HARDWARE:
        raise BadHeader(f"{found.path}: hw '{found.hardware}' is none of {', '.join(HARDWARE)}")
    if found.watchdog and (not found.watchdog.isdigit() or "hang" not in found.hardware):
        raise BadHeader(f"{found.path}: 'watchdog' is for programs that may hang, in whole seconds")
    if (found.expect == "clean") != (not found.marks):
        raise BadHeader(f"{found.path}: marks are for programs with a finding, and those have some")
    if found.is_hazard == (found.expect in ("clean", "benign-race")):
        raise BadHeader(f"{found.path}: the name and the verdict '{found.expect}' contradict each other")
