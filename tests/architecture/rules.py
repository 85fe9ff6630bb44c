# SPDX-License-Identifier: Apache-2.0
#
# The rules the tree is held to. A rule is a function from a Tree to complaints, each "path:line: what is wrong"; RULES
# lists them. To add one, write the function, list it, and give check_tree_test.py a tree that breaks it.
import collections
import json
import os
import re
import subprocess

from tree import CPP_SUFFIXES, is_header

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDER_FILES = 25
LICENCE = "SPDX-License-Identifier: Apache-2.0"
# Written in two halves so that this file obeys its own rules.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.}])/wo" r"rk/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
QUOTED_PATH = re.compile(r"`((?:src|include|tests|sim_kernels|bench|docs|cmake|scripts|\.ci)/[\w./-]+)`")
FENCE = re.compile(r"^ {0,3}```")
# Rooms that may include less than the rooms above them.
ONLY = {"translate": {"base", "translate"}}


def rooms_are_listed(tree):
    listed = set(tree.rooms())
    for path in tree.cpp_files():
        parts = path.split("/")
        if parts[0] == "src" and parts[1] not in listed:
            yield f"{path}:1: room {parts[1]} has no row in src/README.md"


def includes_go_up(tree):
    rooms = tree.rooms()
    for path, number, line in _lines(tree, tree.cpp_files()):
        found = INCLUDE.match(line)
        if not found or not path.startswith("src/"):
            continue
        own, target = path.split("/")[1], found[2].split("/")[0]
        if target in rooms and own in rooms and not _may_include(rooms, own, target):
            yield f"{path}:{number}: {own} may not include {found[2]}"
        if found[1] == '"' and not tree.exists("src/" + found[2]):
            yield f'{path}:{number}: "{found[2]}" is no path below src'


def _may_include(rooms, own, target):
    return target in ONLY[own] if own in ONLY else rooms.index(target) <= rooms.index(own)


def public_headers_stand_alone(tree):
    for path, number, line in _lines(tree, tree.cpp_files()):
        found = INCLUDE.match(line)
        if not found or not path.startswith("include/"):
            continue
        if found[1] == '"' or "src/" + found[2] in tree.paths:  # a file: <memory> is no room of ours
            yield f"{path}:{number}: a public header includes only <warpfiber/...>, <cuda/...> and the system's"


def headers_have_pragma_once(tree):
    for path in tree.headers():
        if "\n#pragma once\n" not in tree.read(path):
            yield f"{path}:1: no #pragma once"


def code_names_its_licence(tree):
    """In the first line, or in the second where the first is for the shell or for tests/hazards."""
    for path in tree.code_files():
        lines = tree.read(path).split("\n")
        last = 2 if lines[0].startswith(("#!", "// expect: ")) else 1
        if not any(LICENCE in line for line in lines[:last]):
            yield f"{path}:1: the first line is not {LICENCE}"


def files_are_short(tree):
    for path in tree.code_files():
        length = tree.read(path).count("\n")
        if length > FILE_LINES:
            yield f"{path}:1: {length} lines, the limit is {FILE_LINES}"


def folders_are_small(tree):
    folders = collections.Counter(os.path.dirname(path) for path in tree.cpp_files() if path.startswith("src/"))
    for folder, files in sorted(folders.items()):
        if files > FOLDER_FILES:
            yield f"{folder}:1: {files} C++ files, the limit is {FOLDER_FILES}"


def functions_are_short(tree):
    for tag in _functions(tree):
        length = tag["end"] - tag["line"] + 1
        if length > FUNCTION_LINES:
            yield f"{tag['path']}:{tag['line']}: {tag['name']} has {length} lines, the limit is {FUNCTION_LINES}"


def _functions(tree):
    """Every function with its first and last line, from Universal Ctags (scripts/setup installs it)."""
    files = [path for path in tree.paths if path.endswith(CPP_SUFFIXES + (".py",))]
    command = ["ctags", "--output-format=json", "--fields=+ne", "--kinds-C++=f", "--kinds-Python=fm",
               "--map-C++=+.cu", "--map-C++=+.cuh", "--map-C++=+.h", "-o", "-", "-L", "-"]
    output = subprocess.run(command, input="\n".join(files), text=True, cwd=tree.root, check=True,
                            capture_output=True).stdout
    tags = [json.loads(line) for line in output.splitlines()]
    return [tag for tag in tags if "end" in tag]


def sources_are_built(tree):
    lists = {os.path.dirname(path): tree.read(path) for path in tree.paths if path.endswith("CMakeLists.txt")}
    for path in tree.paths:
        public = path.startswith("include/") and is_header(path)
        if (public or path.endswith((".cpp", ".cu"))) and not _is_named(path, lists):
            yield f"{path}:1: no CMakeLists.txt in its folder or above names it"


def _is_named(path, lists):
    """By its name, or without its suffix, as the argument of a function that adds it."""
    folder = os.path.dirname(path)
    while True:
        stem, suffix = os.path.splitext(os.path.relpath(path, folder or "."))
        if re.search(rf"(?<![\w.-]){re.escape(stem)}({re.escape(suffix)})?(?![\w.-])", lists.get(folder, "")):
            return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


def links_resolve(tree):
    for path, number, line in _prose(tree):
        for target in LINK.findall(line):
            local = target.split("#")[0]
            if local and ":" not in target and not tree.exists(os.path.join(os.path.dirname(path), local)):
                yield f"{path}:{number}: {target} leads nowhere"


def quoted_paths_exist(tree):
    """Except patterns, which say NAME."""
    for path, number, line in _prose(tree):
        for target in QUOTED_PATH.findall(line):
            if not tree.exists(target) and "NAME" not in target:
                yield f"{path}:{number}: there is no {target}"


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


def nothing_names_this_machine(tree):
    for path, number, line in _lines(tree, tree.text_files()):
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: a path of one machine"


def nothing_is_unfinished(tree):
    for path, number, line in _lines(tree, tree.text_files()):
        if UNFINISHED.search(line):
            yield f"{path}:{number}: unfinished work"


def _lines(tree, paths):
    for path in paths:
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            yield path, number, line


RULES = [
    rooms_are_listed,
    includes_go_up,
    public_headers_stand_alone,
    headers_have_pragma_once,
    code_names_its_licence,
    files_are_short,
    folders_are_small,
    functions_are_short,
    sources_are_built,
    links_resolve,
    quoted_paths_exist,
    nothing_names_this_machine,
    nothing_is_unfinished,
]
