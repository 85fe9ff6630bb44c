# SPDX-License-Identifier: Apache-2.0
#
# The rules the tree is held to. A rule is a function from a Tree to complaints, each "path:line: what is wrong"; RULES
# lists them, with those of the other files here whose names end in _rules.py. To add one, write the function, list it,
# and give check_tree_test.py a tree that breaks it.
import collections
import fnmatch
import itertools
import json
import os
import re
import subprocess

import execution_rules
import room_map
from finding_rules import FINDING_RULES
from golden_rules import GOLDEN_RULES
from header_rules import HEADER_RULES
from lock_rules import LOCK_RULES
from page_rules import PAGE_RULES
from processor_rules import FOLDERS as PROCESSOR_FOLDERS
from processor_rules import PROCESSOR_RULES
from tree import CPP_SUFFIXES, is_header

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDER_FILES = 25
CLASS_FUNCTIONS = 40
CLASS_FILES = 2
# Classes that are being taken apart. Only ever take one out.
CLASSES_TO_SPLIT = set()
OWN_FILE = "tests/architecture/rules.py"
LICENCE = "SPDX-License-Identifier: Apache-2.0"
# Written in two halves so that this file obeys its own rules.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.}])/wo" r"rk/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# What CMake finds by itself: programs that are only data of a test or of the examples.
GLOBBED = re.compile(r"\bfile\(GLOB ([^)]*)\)")
RUNTIME_HEADER = "include/cuda/cuda_runtime.h"
LARGE_HEADERS = {"algorithm", "array", "atomic", "functional", "iostream", "map", "memory", "numeric", "optional", "ranges", "span",
                 "sstream", "string", "string_view", "thread", "tuple", "vector"}
USERS_HEADERS = "docs/api.md"
USERS_HEADER = re.compile(r"`<(warpfiber/[\w/]+\.hpp)>`")
NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SENTENCE_WORDS = 5
WORD_OF_SENTENCE = re.compile(r"(?<![\w/])[A-Za-z][\w'-]*(?!/)")
CONVERSION = re.compile(r"%[a-z]+|\\n")  # of printf(), and ends of lines
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
COMMENT_OR_INCLUDE = re.compile(r"//[^\n]*|^\s*#\s*include[^\n]*", re.MULTILINE)
# What may be worded elsewhere: the message of a defect of Warpfiber, and public headers that answer the program, which
# find nothing. Only ever take one out.
WORDED = (
    "src/foundation/base/contract.cpp", "include/warpfiber/determinism.hpp", "include/warpfiber/groups/labeled_updates.hpp",
    "include/warpfiber/nvcc.hpp", "include/warpfiber/testing.hpp")
# Where a text of any length is none that a user sees.
UNSEEN_TEXT = re.compile(r"CONTRACT|static_assert|deprecated|asm|GCC|_Pragma")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
LEAKED = re.compile(r"= \*new\b")
# Files that start OS threads, or keep them. Work that needs a large stack gets one from src/foundation/fiber/large_stack.hpp. Only
# ever take one out.
THREAD = re.compile(r"\bstd::j?thread\b(?!::)|\bstd::async\b|\bpthread_create\b")
THREAD_FILES = (
    "src/execution/engine/signals/runtime_thread.hpp", "src/cuda/launches/observing/timeout_report.cpp", "src/tools/nvcc/processes/ending.cpp")
# Variables that change and are members of nothing: of a namespace, and of a thread. Only ever make a number smaller. A second symbol
# of a variable is none.
CHANGES = re.compile(r"^(?!.*\b(const|constexpr|extern|thread_local)\b)")
OF_A_THREAD = re.compile(r'^(?!extern\b.*\bWARPFIBER_IN_PROGRAM\()[^/"]*\bthread_local\b')
GLOBALS = {"abi": 2, "base": 13, "check": 3, "engine": 5, "fiber": 2, "instrument": 2, "intrinsics": 1, "machine": 4, "memory": 3, "process": 3, "runtime": 2}
NAMESPACE_OF = {"intrinsics": "abi"}
ROOM_NAMESPACE = re.compile(r"(?:} +// )?namespace (?:warpfiber::)?(\w+)?")
# What src/foundation/base/arch/x86_64 defines is defined here for other processors.
TWINS = "src/foundation/base/arch/portable/"
TYPE_DECLARATION = re.compile(r"$|(class|struct) \w+;$|enum class \w+( : [\w:]+)?;$|template <[^>]*>$|}$|//")
# A part of a folder and another part of it that it should not include. Only ever take one out.
FOLDER_KNOTS = set()
# Rooms that may include less than the rooms above them.
ONLY = {"translate": {"base", "translate"}, "regions": {"regions"}}
# Public headers with assembly, and why no C++ does the same. Only ever take one out.
ASSEMBLY = {
    "include/warpfiber/detail/checked.hpp": "a thread-local variable that is accessed without a hook",
    "include/warpfiber/detail/checked_copies.hpp": "names of hooks for clang++, whose own assembler gets no text to edit",
    "include/warpfiber/detail/claim.hpp": "no instruction: a pointer that the compiler knows nothing about",
    "include/warpfiber/detail/lanes/fiber_rows.hpp": "no instruction: what is kept in registers around the loop of threads, and its alignment",
    "include/warpfiber/detail/lanes/fibers.hpp": "no instruction: a choice without a branch",
    "include/warpfiber/intrinsics/cache_access.hpp": "no instruction: the order of accesses, for which C++ has a call of a hook",
}
ASSEMBLER = re.compile(r"\b(?:asm|__asm|__asm__)\b")
# The name of a declared variable, which is no code: extern thread_local T name asm("symbol"), also by a macro.
SYMBOL_OF_VARIABLE = re.compile(r'^extern\b[^("]*\basm\("\w+"\)|^#define \w+\(symbol\) asm\(symbol\b')
INSIDE_KERNEL = re.compile(r"^[^/]*\binside_kernel\(\)")
KERNEL_DOORS = 4  # only ever make it smaller
BYTES_OF_CODE = re.compile(r"\b0x[0-9a-fA-F]{2}\s*,\s*0x[0-9a-fA-F]{2}\b|\.byte\b")
# Words that name nothing by themselves, where the field has words that do (docs/glossary.md): "tell" stands for report,
# diagnose, notify and print, "alike" for uniform, "beside" for concurrent and for adjacent, "story" for a diagnosis,
# "knows" for happens-before, "put down" for a flush. The others are private metaphors for what has a name of its own.
BANNED_WORDS = {
    "tell", "tells", "telling", "told", "alike", "beside", "story", "knows", "learnt", "surroundings", "neighbourhood",
    "strangers", "stillness", "hopeless", "doomed", "shelf", "unasked", "parting", "trouble", "remark", "because"}
BANNED_PHRASES = ("put_down",)
# Of those, what comments do not say either.
UNSAID_WORDS = re.compile(r"\b(?:tells?|telling|told|alike|beside|puts? down)\b", re.IGNORECASE)
COMMENT = re.compile(r"(?<!:)//.*")


def rooms_are_listed(tree):
    listed = set(tree.rooms())
    for path in tree.cpp_files():
        if path.startswith("src/") and tree.room_of(path) not in listed:
            yield f"{path}:1: room {tree.room_of(path)} has no row in src/README.md"


def room_map_is_current(tree):
    """src/README.md says what the README.md of each room says, and each of those is complete."""
    incomplete = room_map.rooms_without_answers(tree)
    for path, keys in incomplete:
        yield f"{path}:1: does not say: {', '.join(keys)}"
    if not incomplete and room_map.made(tree) != tree.read(room_map.MAP):
        yield f"{room_map.MAP}:1: is not what tests/architecture/room_map.py makes of the rooms"


def first_questions_are_answered(tree):
    for question in room_map.unanswered(tree):
        yield f"{room_map.MAP}:1: no room's README.md answers {question}"


def includes_go_up(tree):
    rooms = tree.rooms()
    for path, number, line in _lines(tree, tree.cpp_files()):
        found = INCLUDE.match(line)
        if not found or not path.startswith("src/"):
            continue
        own, target = tree.room_of(path), found[2].split("/")[0]
        is_ours = found[1] == '"' or tree.source(found[2]) in tree.paths  # <memory> is no room
        if is_ours and target in rooms and own in rooms and not _may_include(rooms, own, target):
            yield f"{path}:{number}: {own} may not include {found[2]}"
        if found[1] == '"' and not tree.exists(tree.source(found[2])):
            yield f'{path}:{number}: "{found[2]}" is no file of a room'


def _may_include(rooms, own, target):
    return target in ONLY[own] if own in ONLY else rooms.index(target) <= rooms.index(own)


def rooms_have_namespaces(tree):
    """A file defines nothing in the namespace of another room than its own: there it only declares types. What headers of
    the library inline is defined by intrinsics, in the namespace of abi."""
    rooms = tree.rooms()
    inside = None
    for path, number, line in _lines(tree, [path for path in tree.cpp_files() if path.startswith("src/")]):
        found = ROOM_NAMESPACE.match(line)
        if found:
            inside = found[1] if found[1] in rooms and found[1] not in _namespaces(tree, path) else None
        elif inside and not TYPE_DECLARATION.match(line):
            yield f"{path}:{number}: is in the namespace of {inside}"
            inside = None


def _namespaces(tree, path):
    return tree.room_of(path), NAMESPACE_OF.get(tree.room_of(path))


def folders_are_acyclic(tree):
    """The folders below a folder, and the files that lie in it, include one another in one direction."""
    arcs = _includes_between_folders(tree)
    for folder, ways in sorted(arcs.items()):
        kept = set(ways) - set(FOLDER_KNOTS)
        circle = next((arc for arc in sorted(kept) if _is_reached(kept, arc[1], arc[0])), None)
        if circle:
            path, number, target = ways[circle]
            yield f"{path}:{number}: {circle[0]} includes {target}, and {circle[1]} leads back to it"


def _includes_between_folders(tree):
    """For each folder, which of its parts include which, with one place: a part is a folder in it, or "FOLDER/.", its own
    files."""
    arcs = collections.defaultdict(dict)
    for path, number, line in _lines(tree, tree.cpp_files()):
        found = INCLUDE.match(line)
        root = path.split("/")[0]
        target = tree.source(found[2]) if found and root == "src" else f"{root}/{found[2]}" if found else ""
        if root not in ("src", "include") or not tree.exists(target) or not target:
            continue
        common = os.path.commonpath([os.path.dirname(path), os.path.dirname(target)])
        arc = (_part_of(common, path), _part_of(common, target))
        if arc[0] != arc[1] and not _holds_rooms(tree, common):  # their order is a rule of its own
            arcs[common].setdefault(arc, (path, number, target))
    return arcs


def _holds_rooms(tree, folder):
    return any(room.startswith(folder + "/") for room in tree.folders.values())


def _part_of(folder, path):
    parts = path[len(folder) + 1:].split("/")
    return f"{folder}/{parts[0] if len(parts) > 1 else '.'}"


def _is_reached(arcs, start, end):
    seen, open_ones = set(), [start]
    while open_ones:
        part = open_ones.pop()
        if part == end:
            return True
        if part not in seen:
            seen.add(part)
            open_ones += [arc[1] for arc in arcs if arc[0] == part]
    return False


def singletons_are_members(tree):
    """What is kept for the process is a member of its room's one object: nothing else is made to stay for ever."""
    for path, number, line in _lines(tree, tree.cpp_files()):
        if path.startswith("src/") and LEAKED.search(line):
            yield f"{path}:{number}: an object that stays for ever and is no member of its room's (src/cuda/streams/state/streams_state.hpp)"


def threads_start_in_few_files(tree):
    for path, number in _threads(tree):
        if path not in THREAD_FILES:
            yield f"{path}:{number}: starts an OS thread, or keeps one"


def _threads(tree):
    for path, number, line in _lines(tree, tree.cpp_files()):
        if path.startswith("src/") and THREAD.search(line.split("//")[0]):
            yield path, number


def globals_are_members(tree):
    """What changes is a member of its room's object of the process, or of the host thread (HostThreadState)."""
    made = collections.Counter()
    for path, number in _globals(tree):
        made[tree.room_of(path)] += 1
        if made[tree.room_of(path)] > GLOBALS.get(tree.room_of(path), 0):
            yield f"{path}:{number}: a variable that is a member of nothing"


def _globals(tree):
    files = [path for path in tree.cpp_files() if path.startswith("src/")]
    for tag in _tags(tree, files, ["--kinds-C++=v", "--fields=+P"]):
        if tag.get("scopeKind") not in ("class", "struct") and CHANGES.match(tag["pattern"]):
            yield tag["path"], tag["line"]
    for path, number, line in _lines(tree, files):
        if OF_A_THREAD.match(line):
            yield path, number


def public_headers_stand_alone(tree):
    for path, number, line in _lines(tree, tree.cpp_files()):
        found = INCLUDE.match(line)
        if not found or not path.startswith("include/"):
            continue
        if found[1] == '"' or tree.source(found[2]) in tree.paths:  # a file: <memory> is no room of ours
            yield f"{path}:{number}: a public header includes only <warpfiber/...>, <cuda/...> and the system's"


def runtime_header_is_small(tree):
    """What CUDA programs include without asking brings none of the standard library's large headers along: they took
    half of the time to compile a small program, and a program that needs one names it for nvcc too."""
    paths = {path.removeprefix(folder): path for folder in ("include/cuda/", "include/") for path in tree.cpp_files()
             if path.startswith(folder)}
    open_ones, seen = [RUNTIME_HEADER], set()
    while open_ones:
        path = open_ones.pop()
        if path in seen or not tree.exists(path):
            continue
        seen.add(path)
        for _, number, line in _lines(tree, [path]):
            found = INCLUDE.match(line)
            if found and found[2] in LARGE_HEADERS:
                yield f"{path}:{number}: {RUNTIME_HEADER} brings <{found[2]}> along"
            elif found and found[2] in paths:
                open_ones.append(paths[found[2]])


def examples_include_users_headers(tree):
    """Those that docs/api.md lists for users in the rows of a table, all of which exist."""
    rows = [line for line in tree.read(USERS_HEADERS).split("\n") if line.startswith("|")] if tree.exists(USERS_HEADERS) else []
    listed = set(USERS_HEADER.findall("\n".join(rows)))
    for header in sorted(listed):
        if not tree.exists("include/" + header):
            yield f"{USERS_HEADERS}:1: there is no {header}"
    for path, number, line in _lines(tree, [path for path in tree.cpp_files() if path.startswith("examples/")]):
        found = INCLUDE.match(line)
        if found and found[2].startswith("warpfiber/") and found[2] not in listed:
            yield f"{path}:{number}: {found[2]} is not for users: {USERS_HEADERS} does not list it"


def compiled_code_is_read_in_instrument(tree):
    """Public headers have assembly only for a processor or where ASSEMBLY says why, and the engine has not the bytes of instructions:
    src/compiler/instrument edits the text of compilers, and recognises code. Assembly in src has folders (processor_rules.py)."""
    for path, number in _assembly(tree):
        if path.startswith("include/") and path not in ASSEMBLY and not path.startswith(PROCESSOR_FOLDERS):
            yield f"{path}:{number}: assembly in a public header that rules.py has no reason for"
    for path, number, line in _lines(tree, [path for path in tree.cpp_files() if path.startswith("src/execution/engine/")]):
        if BYTES_OF_CODE.search(line):
            yield f"{path}:{number}: bytes of instructions, which src/compiler/instrument has a table of"


def _assembly(tree):
    for path, number, line in _lines(tree, tree.cpp_files()):
        code = line.split("//")[0]
        if ASSEMBLER.search(code) and not SYMBOL_OF_VARIABLE.search(code):
            yield path, number


def kernels_are_asked_for_at_doors(tree):
    """Whether a kernel runs is asked where the program enters (src/cuda/runtime/door.hpp), where an access of the host is looked
    at, where the process ends, and where device code is the host's as well."""
    asked = [f"{path}:{number}" for path, number, line in _lines(tree, tree.cpp_files())
             if path.startswith("src/") and not path.startswith("src/execution/engine/") and INSIDE_KERNEL.search(line)]
    for place in asked[KERNEL_DOORS:]:
        yield f"{place}: asks whether a kernel runs, as {KERNEL_DOORS} others do: runtime/door.hpp has asked"


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


def classes_are_small(tree):
    """Functions of a class are defined in its header and one other file, or in fewer."""
    for name, complaint in _large_classes(tree):
        if name not in CLASSES_TO_SPLIT:
            yield complaint


def _large_classes(tree):
    classes = collections.defaultdict(list)
    files = [path for path in tree.cpp_files() if path.startswith("src/")]
    for tag in _tags(tree, files, ["--kinds-C++=f"]):
        if tag.get("scopeKind") in ("class", "struct"):
            classes[tag["scope"]].append(tag)
    for name, tags in sorted(classes.items()):
        first = f"{tags[0]['path']}:{tags[0]['line']}: {name}"
        paths = {tag["path"] for tag in tags}
        if len(tags) > CLASS_FUNCTIONS:
            yield name, f"{first} has {len(tags)} functions, the limit is {CLASS_FUNCTIONS}"
        if len(paths) > CLASS_FILES:
            yield name, f"{first} is defined in {len(paths)} files, the limit is {CLASS_FILES}"


def _functions(tree):
    """Every function with its first and last line."""
    files = [path for path in tree.paths if path.endswith(CPP_SUFFIXES + (".py",))]
    return [tag for tag in _tags(tree, files, ["--kinds-C++=f", "--kinds-Python=fm"]) if "end" in tag]


def _tags(tree, files, kinds):
    """What the files define, from Universal Ctags (scripts/setup installs it)."""
    command = ["ctags", "--output-format=json", "--fields=+aens", *kinds,
               "--map-C++=+.cu", "--map-C++=+.cuh", "--map-C++=+.h", "-o", "-", "-L", "-"]
    output = subprocess.run(command, input="\n".join(files), text=True, cwd=tree.root, check=True,
                            capture_output=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def type_names_are_unique(tree):
    """Within src, so that a name leads to one definition. Types of unnamed namespaces count: unity builds compile many
    files as one. Public nested types count by their last name, as that is how users find and read them. A class's
    private types and the types of a function do not: nobody else can spell them, and their class says what they are."""
    files = [path for path in _held_to_names(tree) if path.startswith("src/") and not path.startswith(TWINS)]
    places = collections.defaultdict(dict)
    for tag in _tags(tree, files, ["--kinds-C++=cgstu"]):
        if _is_seen_outside(tag) and not tag["name"].startswith("__anon"):
            places[tag["name"]].setdefault(tag["path"], tag["line"])
    for name, lines in sorted(places.items()):
        if len(lines) > 1:
            (path, line), *others = sorted(lines.items())
            yield f"{path}:{line}: {', '.join(other for other, _ in others)} define a type {name}, too"


def _is_seen_outside(tag):
    return tag.get("scopeKind") != "function" and tag.get("access") not in ("private", "protected")


def names_use_plain_words(tree):
    """Names of types, functions, variables, members, parameters and macros of the library, and of its files."""
    files = _held_to_names(tree)
    for path in files:
        for word in _banned(os.path.basename(path).split(".")[0]):
            yield f"{path}:1: a file's name says {word}"
    for tag in _tags(tree, files, ["--kinds-C++=*"]):
        for word in _banned(tag["name"]):
            yield f"{tag['path']}:{tag['line']}: {tag['name']} says {word}"


def _banned(name):
    words = [word.lower() for word in NAME_WORD.findall(name)]
    return [word for word in words if word in BANNED_WORDS] + [
        phrase for phrase in BANNED_PHRASES if f"_{phrase}_" in f"_{'_'.join(words)}_"]


def _held_to_names(tree):
    return [path for path in tree.cpp_files() if path.startswith(("src/", "include/"))]


def comments_use_plain_words(tree):
    """Where the field has a word for what is meant: report, distinguish, release, publish, uniform, next to."""
    for path, number, line in _lines(tree, _held_to_names(tree)):
        comment = COMMENT.search(line)
        for word in UNSAID_WORDS.findall(comment[0]) if comment else []:
            yield f"{path}:{number}: a comment says {word.lower()}"


def sources_say_what_they_are(tree):
    """A comment right after the licence, maybe below an empty //, in each .cpp of src: what the file is for, what it
    relies on, or how it does what its header promises."""
    for path in _held_to_names(tree):
        if path.startswith("src/") and path.endswith(".cpp"):
            if not any(line.startswith("// ") for line in _head(tree.read(path))):
                yield f"{path}:2: no comment says what the file is for"


def _head(text):
    """The lines of comment that follow the licence."""
    return list(itertools.takewhile(lambda line: line.startswith("//"), text.split("\n")[1:]))


def sources_are_built(tree):
    lists = {os.path.dirname(path): tree.read(path) for path in tree.paths if path.endswith("CMakeLists.txt")}
    for path in tree.paths:
        public = path.startswith("include/") and is_header(path)
        if (public or path.endswith((".cpp", ".cu"))) and not _is_named(path, lists):
            yield f"{path}:1: no CMakeLists.txt in its folder or above names it"


def _is_named(path, lists):
    """By its name, or without its suffix, as the argument of a function that adds it; or by a pattern of file(GLOB)."""
    folder = os.path.dirname(path)
    while True:
        name = os.path.relpath(path, folder or ".")
        stem, suffix = os.path.splitext(name)
        text = lists.get(folder, "")
        if re.search(rf"(?<![\w.-]){re.escape(stem)}({re.escape(suffix)})?(?![\w.-])", text):
            return True
        if any(fnmatch.fnmatch(name, pattern) for words in GLOBBED.findall(text) for pattern in words.split()):
            return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


def findings_are_worded_in_report(tree):
    """Rooms and public headers hand over facts (src/foundation/record/diagnosis.hpp, src/foundation/record/reason.hpp): no text of five words
    stands outside report and what is part of a compiler."""
    for path, text in _sentences(tree):
        if not path.startswith(tuple(WORDED)):
            yield f'{path}:1: "{text}" is a sentence, which report makes of facts'


def _sentences(tree):
    """Those that public headers and the rooms below tools have, and report has not, with their files."""
    rooms = tree.rooms()
    below = set(rooms) - {"report", "translate", "tools", "regions"} | {"include"} if "report" in rooms else set()
    for path in tree.cpp_files():
        if not path.startswith(("src/", "include/")) or (tree.room_of(path) if path.startswith("src/") else "include") not in below:
            continue
        code = COMMENT_OR_INCLUDE.sub("", tree.read(path))
        for found in LITERALS.finditer(code):
            text = "".join(STRING.findall(found[0]))
            statement = code[max(code.rfind(end, 0, found.start()) for end in ";{}") + 1:found.start()]
            words = WORD_OF_SENTENCE.findall(CONVERSION.sub("", text))
            if len(words) < SENTENCE_WORDS or UNSEEN_TEXT.search(statement):
                continue
            yield path, text


def exceptions_are_needed(tree):
    """What an exception in this file allows is still there; else the exception goes."""
    for name, unneeded in _unneeded_exceptions(tree):
        for entry in unneeded:
            yield f"{OWN_FILE}:1: {name} has {entry}, which nothing needs any more"


def _unneeded_exceptions(tree):
    yield "FOLDER_KNOTS", _loose_knots(tree)
    yield "THREAD_FILES", sorted(set(THREAD_FILES) - {path for path, _ in _threads(tree)})
    yield "GLOBALS", _too_many(GLOBALS, collections.Counter(tree.room_of(path) for path, _ in _globals(tree)))
    yield "CLASSES_TO_SPLIT", sorted(set(CLASSES_TO_SPLIT) - {name for name, _ in _large_classes(tree)})
    worded = {path for path, _ in _sentences(tree)}
    assembly = {path for path, _ in _assembly(tree)}
    yield "ASSEMBLY", sorted(set(ASSEMBLY) - assembly)
    yield "EXECUTION_HEADERS", execution_rules.unneeded(tree)
    yield "WORDED", [prefix for prefix in WORDED if not any(path.startswith(prefix) for path in worded)]


def _too_many(allowed, made):
    return [f"{number} for {room} (there are {made[room]})" for room, number in sorted(allowed.items()) if made[room] < number]


def _loose_knots(tree):
    """Those without which the folders would include one another in one direction all the same."""
    ways = set().union(*_includes_between_folders(tree).values())
    kept = ways - set(FOLDER_KNOTS)
    return [arc for arc in sorted(FOLDER_KNOTS) if arc not in ways or not _is_reached(kept, arc[1], arc[0])]


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
    room_map_is_current,
    first_questions_are_answered,
    includes_go_up,
    rooms_have_namespaces,
    folders_are_acyclic,
    singletons_are_members,
    threads_start_in_few_files,
    globals_are_members,
    public_headers_stand_alone,
    runtime_header_is_small,
    examples_include_users_headers,
    execution_rules.executors_are_chosen_once,
    compiled_code_is_read_in_instrument,
    kernels_are_asked_for_at_doors,
    headers_have_pragma_once,
    code_names_its_licence,
    files_are_short,
    folders_are_small,
    functions_are_short,
    classes_are_small,
    type_names_are_unique,
    names_use_plain_words,
    comments_use_plain_words,
    sources_say_what_they_are,
    sources_are_built,
    findings_are_worded_in_report,
    exceptions_are_needed,
    *FINDING_RULES,
    *GOLDEN_RULES,
    *HEADER_RULES,
    *LOCK_RULES,
    *PAGE_RULES,
    *PROCESSOR_RULES,
    nothing_names_this_machine,
    nothing_is_unfinished,
]
