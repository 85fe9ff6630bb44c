# SPDX-License-Identifier: Apache-2.0
#
# Several hazard programs as one translation unit: most of the time of a build goes into the headers, which are then
# read once. Each program keeps its file name and lines by #line and stands in a namespace of its own. The first
# argument of the built program says which one a process runs. README.md says which programs cannot share a unit.
import re

INCLUDE = re.compile(r"^#include (<[\w/.]+>)$")
DEFINE = re.compile(r"^#define (\w+)")
DEFINE_WITH_ARGUMENTS = re.compile(r"^#define \w+\(")
HARMLESS = re.compile(r"^#pragma nv_diag_\w+ \w+$")
COMMENT = re.compile(r"^(//.*)?$")
MAIN = "int main() {"
ENDS_AS_MAIN_DOES = "return 0; }"  # only a main of the global namespace returns 0 by itself
NO_SUCH_PROGRAM = 99
BEYOND_SHARED_MEMORY = ("oob-shared", "oob-dsmem")


class CannotShare(Exception):
    """Why a program has to be a translation unit of its own."""


def batches_of(programs, size):
    """`programs` as lists of at most `size`; those that need a translation unit of their own are alone in a list."""
    sharing = [each for each in programs if size > 1 and not why_alone(each)]
    alone = [[each] for each in programs if each not in sharing]
    return alone + [sharing[start:start + size] for start in range(0, len(sharing), size)]


def part_of(programs, part, parts):
    """The part-th of so many parts of `programs`, from 1. Those that share translation units are alike in their headers
    within a part: a unit is read, and compiled once more for nvcc's rules, with the headers of all its programs."""
    alone = [each for each in programs if why_alone(each)]
    sharing = sorted((each for each in programs if not why_alone(each)),
                     key=lambda each: (sorted(_Parts(each).headers), each.name))
    begin, end = (len(sharing) * border // parts for border in (part - 1, part))
    return alone[part - 1::parts] + sharing[begin:end]


def why_alone(program):
    """The reason for which a program needs a translation unit of its own, or nothing."""
    try:
        _Parts(program)
    except CannotShare as reason:
        return str(reason)
    return ""


def unit_of(programs):
    """The text of the unit: the headers of all, each program in its namespace, and a main that calls one by name."""
    parts = [_Parts(each) for each in programs]
    headers = dict.fromkeys(["<cstring>"] + [header for each in parts for header in each.headers])
    calls = [f'  if (std::strcmp(words[1], "{each.name}") == 0) return {each.name}::main();' for each in programs]
    return "\n".join([*(f"#include {header}" for header in headers), *(line for each in parts for line in each.lines),
                      "int main(int, char** words) {", *calls, f"  return {NO_SUCH_PROGRAM};", "}", ""])


class _Parts:
    """What a program gives to a unit: its headers, and its text in a namespace."""

    def __init__(self, program):
        self.headers, self.macros = [], []
        if program.alone:
            raise CannotShare(program.alone)
        if program.expect in BEYOND_SHARED_MEMORY:
            raise CannotShare("shared memory of other kernels would lie behind its own")
        body = [self._kept(line, first) for line, first in _with_place(program.text.rstrip().split("\n"))]
        if body.count(MAIN) != 1 or body[-1] != "}" or "}" in body[body.index(MAIN):-1]:
            raise CannotShare(f"'{MAIN}' is not its last function")
        body[-1] = ENDS_AS_MAIN_DOES
        self.lines = [f"namespace {program.name} {{", f'#line 1 "{program.path}"', *body,
                      f"}}  // namespace {program.name}", *(f"#undef {name}" for name in self.macros)]

    def _kept(self, line, is_at_top):
        """The line as it stands in the namespace; headers leave it."""
        if not line.lstrip().startswith("#"):
            if line.startswith(("extern ", "namespace std", "namespace cuda")):
                raise CannotShare(f"'{line}' means another thing in a namespace")
            return line
        if match := INCLUDE.match(line):
            if not is_at_top:
                raise CannotShare(f"'{line}' comes after other text")
            self.headers.append(match[1])
            return ""
        if match := DEFINE.match(line):
            self.macros.append(match[1])
        elif not HARMLESS.match(line):
            raise CannotShare(f"'{line}'")
        return line


def _with_place(lines):
    """Each line, and whether only comments, headers and macros with arguments come before it, which no header asks for."""
    is_at_top, continues = True, False
    for line in lines:
        yield line, is_at_top
        is_of_macro = continues or bool(DEFINE_WITH_ARGUMENTS.match(line))
        continues = is_of_macro and line.endswith("\\")
        is_harmless = is_of_macro or COMMENT.match(line) or INCLUDE.match(line) or HARMLESS.match(line)
        is_at_top = is_at_top and bool(is_harmless)
