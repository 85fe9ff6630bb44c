# SPDX-License-Identifier: Apache-2.0
#
# The rules of rules.py that the Markdown pages are held to: what they name exists, they list every variable of the
# environment, and the walk of a launch is short.
import os
import re

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
QUOTED_PATH = re.compile(r"`((?:src|include|tests|sim_kernels|bench|docs|cmake|scripts|\.ci)/[\w./-]+)`")
QUOTED_SOURCE = re.compile(r"`([\w./-]+\.(?:cpp|hpp|h|cu|cuh|py|cmake))`")
NAMED_IN_FILE = re.compile(r"`([\w./-]+\.(?:cpp|hpp))` \(`(\w+)`")
OWN_SUFFIXES = (".cpp", ".hpp", ".py")  # other people's headers and CUDA files have names in the pages, too
FENCE = re.compile(r"^ {0,3}```")
WALK = "docs/architecture.md"
WALK_BORDERS = 10
# A row of the walk of one launch: step, what happens, files, border.
WALK_STEP = re.compile(r"^\| *\d+ *\|(?:[^|]*\|){2}([^|]*)\|$", re.MULTILINE)
WALK_BORDER = re.compile(r"(?:`(\w+)`|program) → (?:`(\w+)`|program)(?:, by callback)?")

OPTIONS = "docs/options.md"
# A row of a table of variables, or a call that reads one.
VARIABLE_NAME = "(?:WARPFIBER|CUDA_VISIBLE)_[A-Z_]+"
VARIABLE_READ = re.compile(rf'\{{"({VARIABLE_NAME})",\s*[^"\s]|\("({VARIABLE_NAME})"\)')
VARIABLE = re.compile(f"`({VARIABLE_NAME})`")
# The plugin reads what the command sets for it, and no user.
PLUGIN = "src/compiler/regions/"


def links_resolve(tree):
    for path, number, line in _prose(tree):
        for target in LINK.findall(line):
            local = target.split("#")[0]
            if local and ":" not in target and not tree.exists(os.path.join(os.path.dirname(path), local)):
                yield f"{path}:{number}: {target} leads nowhere"


def quoted_paths_exist(tree):
    """Paths from the root, and names of source files: from the root, from the page's folder, from the
    folder of its examples, or as an #include says it. Except patterns, which say NAME."""
    for path, number, line in _prose(tree):
        for target in QUOTED_PATH.findall(line):
            if not tree.exists(target) and "NAME" not in target:
                yield f"{path}:{number}: there is no {target}"
        for target in QUOTED_SOURCE.findall(line):
            if not QUOTED_PATH.fullmatch(f"`{target}`") and not _leads_somewhere(tree, path, target):
                yield f"{path}:{number}: {target} is no file; say its folder, too"


def _leads_somewhere(tree, page, target):
    if "NAME" in target or _resolved(tree, page, target):
        return True
    return not target.endswith(OWN_SUFFIXES) and not any(path.endswith("/" + target) for path in tree.paths)


def _resolved(tree, page, target):
    """The path from the root, or none: of a path from there, from the page's folder, from the folder that a page's
    commands run in (tests/docs/README.md), or as an #include says it."""
    own = os.path.dirname(page)
    folders = ("", own, re.sub("^docs", "examples", own), "include", "include/cuda", "include/opengl")
    return next((path for path in (os.path.join(folder, target) for folder in folders) if tree.exists(path)), None)


def quoted_functions_exist(tree):
    """`FILE` (`FUNCTION`) names a function that the file mentions."""
    for page, number, line in _prose(tree):
        for target, name in NAMED_IN_FILE.findall(line):
            path = _resolved(tree, page, target)
            if path and not re.search(rf"\b{name}\b", tree.read(path)):
                yield f"{page}:{number}: {target} has no {name}"


def _prose(tree):
    """The lines of Markdown files outside fenced code."""
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        fenced = False
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            fenced ^= bool(FENCE.match(line))
            if not fenced:
                yield path, number, line


def walk_of_a_launch_is_short(tree):
    """The walk from a launch to its barrier crosses few borders of rooms; its page counts them."""
    if not tree.exists(WALK):
        return
    text = tree.read(WALK)
    borders = [cell.strip() for cell in WALK_STEP.findall(text) if cell.strip()]
    for border in borders:
        match = WALK_BORDER.fullmatch(border)
        strange = [] if match is None else [room for room in match.groups() if room and room not in tree.rooms()]
        if match is None or strange:
            yield f"{WALK}:1: no border between rooms: {border}"
    if len(borders) > WALK_BORDERS:
        yield f"{WALK}:1: the walk of a launch crosses {len(borders)} borders, more than {WALK_BORDERS}"
    if borders and f"These are {len(borders)} borders." not in text:
        yield f"{WALK}:1: the walk of a launch crosses {len(borders)} borders, which the page does not say"


def variables_are_documented(tree):
    """The page of options lists each variable of the environment that something reads, and no other."""
    rows = enumerate(tree.read(OPTIONS).split("\n") if tree.exists(OPTIONS) else [], 1)
    listed = {name: number for number, row in rows if row.startswith("|") for name in VARIABLE.findall(row.split("|")[1])}
    read = {}
    for path in tree.cpp_files():
        if path.startswith("src/") and not path.startswith(PLUGIN):
            for number, line in enumerate(tree.read(path).split("\n"), 1):
                read.update({(row or call): (path, number) for row, call in VARIABLE_READ.findall(line)})
    for name in sorted(read.keys() - listed.keys()):
        yield f"{read[name][0]}:{read[name][1]}: {OPTIONS} does not list {name}"
    for name in sorted(listed.keys() - read.keys()):
        yield f"{OPTIONS}:{listed[name]}: nothing reads {name}"


PAGE_RULES = [
    links_resolve,
    quoted_paths_exist,
    quoted_functions_exist,
    variables_are_documented,
    walk_of_a_launch_is_short,
]
