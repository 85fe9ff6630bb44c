#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The rules tested on small trees: the sound tree below passes, and each entry of BROKEN, laid over it, is caught by
# exactly the rule it names. Every rule has at least one entry.
import os
import tempfile
import unittest

import execution_rules
import header_rules
import room_map
import rules
from check_tree import complaints
from lock_rules import LOCKS
from rules import FILE_LINES, FOLDER_FILES, CLASS_FUNCTIONS, FUNCTION_LINES, RULES

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
WHAT = "// Runs.\n"
PRIVATE_TYPE = "class {} {{\n  struct One {{}};\n}};\n"
ONE_TYPE = "struct One {};\n"
HEADER = SPDX + "#pragma once\n"
LOCKED = "class Locked {\n  base::Mutex mutex_;\n  int count_ WARPFIBER_GUARDED_BY(mutex_) = 0;\n};\n"
LONG_BODY = "  touch();\n" * FUNCTION_LINES
ROOM = """- Holds: a
  and b
- May not: c
- Invariants: d
- Begin with: `README.md`
- Look here for:
  - e: `README.md`, `src/foundation/base/ids.hpp`
"""
ROOMS = {"base": "foundation/base", "report": "analysis/report", "engine": "execution/engine", "translate": "compiler/translate"}
TABLE_HEAD = "| room | holds | may not | begin with |\n|---|---|---|---|\n"
MAP = "".join(f"\n## {folder.split('/')[0]}\n\n{TABLE_HEAD}| `{room}` | a and b | c | `{folder}/README.md` |\n"
              for room, folder in ROOMS.items()) + """
## Where is it decided?

| question | file |
|---|---|
""" + "".join(f"| e | `{folder}/README.md`, `src/foundation/base/ids.hpp` |\n" for folder in ROOMS.values()) + "\n"


def walk(*borders):
    """The table of docs/architecture.md that follows a launch."""
    return "".join(f"| {step} | runs | `README.md` | {border} |\n" for step, border in enumerate(borders, 1))


WINGS = """# SPDX-License-Identifier: Apache-2.0
set(foundation base)
set(analysis report)
set(execution engine)
set(compiler translate)
set(rooms)
"""
SOUND = {
    "docs/architecture.md": walk("program → `engine`, by callback", "", "`engine` → `base`") + "These are 2 borders.\n",
    "CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nadd_subdirectory(src)\n",
    "src/README.md": "# Rooms\n" + room_map.BEGIN + "\n" + MAP + room_map.END + "\n",
    **{f"src/{room}/README.md": ROOM for room in ROOMS.values()},
    "src/CMakeLists.txt": WINGS,
    "src/foundation/base/ids.hpp": HEADER,
    "src/foundation/base/sites.hpp": "// expect: clean\n" + HEADER + PRIVATE_TYPE.format("Sites"),
    "src/execution/engine/history.hpp": HEADER + PRIVATE_TYPE.format("History") + "void f() {\n  struct One {};\n}\n",
    "src/execution/engine/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nwarpfiber_add_room(engine SOURCES run.cpp)\n",
    "src/execution/engine/run.hpp": HEADER + '#include "base/ids.hpp"\n#include <vector>\n#include <warpfiber/a.hpp>\n',
    "src/execution/engine/run.cpp": SPDX + WHAT + "void short_one() {\n  touch();\n}\n",
    "src/execution/engine/variables.hpp": HEADER + 'constexpr Variable kVariables[] = {\n    {"WARPFIBER_SEED", read_seed},\n};\n',
    "docs/options.md": "| `WARPFIBER_SEED` | `seed` | the seed of `WARPFIBER_POLICY` |\n",
    "src/execution/engine/locks.hpp": HEADER + LOCKED + "struct State {\n  base::Mutex order;  // guards the order of launches\n"
                            "  // Guards files.\n  base::Mutex files;\n};\n",
    LOCKS: HEADER + "class Mutex {\n  std::mutex inner_;\n};\n",
    "src/analysis/report/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nset(sources catalogue/catalogue.cpp)\n",
    "src/analysis/report/catalogue/catalogue.cpp": SPDX + WHAT + "constexpr Entry kCatalogue[] = {};\n",
    "src/foundation/record/verdicts.inc": 'WARPFIBER_VERDICT(deadlock, "deadlock", "none can go on", "Hang")\n',
    "docs/findings/README.md": "| [`deadlock`](deadlock.md) | none can go on, ever | hang | `Hang` |\n",
    "docs/findings/deadlock.md": "# deadlock\n",
    "include/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nset(headers warpfiber/a.hpp cuda/barrier)\n",
    "include/warpfiber/a.hpp": HEADER + '#include <cstddef>\nextern thread_local int a asm("a_of_thread");\n',
    "include/cuda/barrier": HEADER,
    "docs/api.md": "| `<warpfiber/a.hpp>` | all |\n",
    "examples/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nadd_executable(sum sum.cpp)\nfile(GLOB all more/*.cu)\n",
    "examples/more/one.cu": SPDX,
    "examples/sum.cpp": SPDX + "#include <warpfiber/a.hpp>\n#include <vector>\n",
    "scripts/test": "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n",
    "README.md": "[rooms](src/README.md) [web](https://example.org) [here](#top) `src/execution/engine` `build/workers`\n"
                 "`src/analysis/report/catalogue/catalogue.cpp` (`kCatalogue`) `warpfiber/a.hpp` `nvml.h` `NAME.cpp`\n",
    "src/execution/engine/notes.md": "`run.hpp`\n",
    "tests/cublas/golden/old.txt": "Sfoo : pending: no GPU at hand\n",
}
UNFINISHED_WORD = "TO" + "DO"
MACHINE = "/wo" + "rk/main"
BROKEN = [
    ("rooms_are_listed", {"src/attic/a.hpp": HEADER}),
    ("first_questions_are_answered", {
        **{f"src/{room}/README.md": ROOM.replace("e: ", "f: ") for room in ROOMS.values()},
        "src/README.md": "# Rooms\n" + room_map.BEGIN + "\n" + MAP.replace("| e |", "| f |") + room_map.END + "\n"}),
    ("room_map_is_current", {"src/foundation/base/README.md": ROOM.replace("c", "f", 1)}),
    ("room_map_is_current", {"src/foundation/base/README.md": ROOM.replace("Invariants", "Rules")}),
    ("room_map_is_current", {"src/CMakeLists.txt": WINGS.replace("base", "report", 1).replace("analysis report", "analysis base")}),
    ("includes_go_up", {"src/foundation/base/ids.hpp": HEADER + '#include "engine/run.hpp"\n'}),
    ("includes_go_up", {"src/foundation/base/ids.hpp": HEADER + "#include <engine/run.hpp>\n"}),
    ("includes_go_up", {"src/execution/engine/run.hpp": HEADER + '#include "run.cpp"\n'}),
    ("folders_are_acyclic", {"src/execution/engine/run.hpp": HEADER + '#include "engine/stall/stall.hpp"\n',
                             "src/execution/engine/stall/stall.hpp": HEADER + '#include "engine/ids.hpp"\n', "src/execution/engine/ids.hpp": HEADER}),
    ("folders_are_acyclic", {"src/execution/engine/one/a.hpp": HEADER + '#include "engine/two/a.hpp"\n', "src/execution/engine/three/a.hpp": HEADER,
                             "src/execution/engine/two/a.hpp": HEADER + '#include "engine/three/a.hpp"\n',
                             "src/execution/engine/three/b.hpp": HEADER + '#include "engine/one/a.hpp"\n'}),
    ("folders_are_acyclic", {"include/warpfiber/a/a.hpp": HEADER + "#include <warpfiber/b/b.hpp>\n",
                             "include/warpfiber/b/a.hpp": HEADER + "#include <warpfiber/a/a.hpp>\n",
                             "include/warpfiber/b/b.hpp": HEADER,
                             "include/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nset(a warpfiber/a.hpp cuda/barrier "
                                                       "warpfiber/a/a.hpp warpfiber/b/a.hpp warpfiber/b/b.hpp)\n"}),
    ("singletons_are_members", {"src/execution/engine/run.cpp": SPDX + WHAT + "void f() {\n  static A& a = *new A;\n}\n"}),
    ("rooms_have_namespaces", {"src/execution/engine/run.cpp": SPDX + WHAT + "namespace warpfiber::base {\nclass A;\nint f() {\n}\n}\n"}),
    ("threads_start_in_few_files", {"src/execution/engine/run.cpp": SPDX + WHAT + "void f() {\n  std::thread(run).detach();\n}\n"}),
    ("globals_are_members", {"src/execution/engine/run.cpp": SPDX + WHAT + "namespace {\nint count = 0;\nconst int kMost = 0;\n}\n"}),
    ("globals_are_members", {"src/execution/engine/run.cpp": SPDX + WHAT + "void f() {\n  static thread_local const int count = 0;\n}\n"}),
    ("includes_go_up", {"src/compiler/translate/a.hpp": HEADER + '#include "engine/run.hpp"\n'}),
    ("public_headers_stand_alone", {"include/warpfiber/a.hpp": HEADER + '#include "b.hpp"\n'}),
    ("public_headers_stand_alone", {"include/warpfiber/a.hpp": HEADER + "#include <base/ids.hpp>\n"}),
    ("runtime_header_is_small", {"include/cuda/cuda_runtime.h": HEADER + "#include <warpfiber/a.hpp>\n#include <vector>\n",
                                 "include/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nset(headers "
                                                           "warpfiber/a.hpp cuda/barrier cuda/cuda_runtime.h)\n"}),
    ("examples_include_users_headers", {"examples/sum.cpp": SPDX + "#include <warpfiber/detail/b.hpp>\n"}),
    ("examples_include_users_headers", {"docs/api.md": "| `<warpfiber/a.hpp>`, `<warpfiber/gone.hpp>` | all |\n"}),
    ("executors_are_chosen_once", {"include/warpfiber/a.hpp": HEADER + "#ifdef WARPFIBER_CHECKED\n#endif\n"}),
    ("compiled_code_is_read_in_instrument", {"include/warpfiber/a.hpp": HEADER + 'inline void f() { asm volatile("nop"); }\n'}),
    ("compiled_code_is_read_in_instrument", {"include/warpfiber/a.hpp": HEADER + '__asm__(".set memcpy, f");\n'}),
    ("processors_have_folders", {"src/execution/engine/run.hpp": HEADER + 'inline void f() { asm(""); }\n'}),
    ("compiled_code_is_read_in_instrument", {
        "src/execution/engine/run.hpp": HEADER + "constexpr unsigned char kCode[] = {0xf3, 0xc3};\n"}),
    ("kernels_are_asked_for_at_doors", {
        "src/analysis/report/catalogue/catalogue.cpp": SPDX + WHAT + "constexpr Entry kCatalogue[] = {};\n"
                                              + "bool f() {\n" + "  if (engine::inside_kernel()) g();\n" * 5 + "}\n"}),
    ("processors_have_folders", {"src/execution/engine/run.cpp": SPDX + WHAT + "#ifdef __x86_64__\n#endif\n"}),
    ("processors_have_folders", {"src/analysis/report/catalogue/catalogue.cpp": SPDX + WHAT + "constexpr Entry kCatalogue[] = {};\n"
                                 + 'void f() { asm volatile("nop"); }\n'}),
    ("processors_have_folders", {"include/warpfiber/a.hpp": HEADER + "#ifdef __x86_64__\n#endif\n"}),
    ("headers_have_pragma_once", {"src/foundation/base/ids.hpp": SPDX}),
    ("headers_have_pragma_once", {"include/cuda/barrier": SPDX}),
    ("code_names_its_licence", {"src/foundation/base/ids.hpp": "#include <vector>\n#pragma once\n"}),
    ("code_names_its_licence", {"scripts/test": "#!/bin/sh\nexit 0\n"}),
    ("code_names_its_licence", {"src/foundation/base/ids.hpp": "// expect: clean\n#pragma once\n" + SPDX}),
    ("code_names_its_licence", {"CMakeLists.txt": "add_subdirectory(src)\n"}),
    ("files_are_short", {"src/foundation/base/ids.hpp": HEADER + "\n" * (FILE_LINES - 1)}),
    ("folders_are_small", {f"src/foundation/base/{i}.hpp": HEADER for i in range(FOLDER_FILES)}),
    ("functions_are_short", {"src/execution/engine/run.cpp": SPDX + WHAT + "void f() {\n" + LONG_BODY + "}\n"}),
    ("functions_are_short", {"src/foundation/base/ids.hpp": HEADER + "template <class T>\nT f(T t) {\n" + LONG_BODY + "}\n"}),
    ("classes_are_small", {"src/foundation/base/ids.hpp": HEADER + "struct Large {\n" + "".join(
        f"  void f{i}() {{}}\n" for i in range(CLASS_FUNCTIONS + 1)) + "};\n"}),
    ("classes_are_small", {f"src/foundation/base/{name}.cpp": SPDX + WHAT + f"void Wide::{name}() {{}}\n" for name in "abc"}
     | {"src/foundation/base/ids.hpp": HEADER + "struct Wide {\n  void a();\n  void b();\n  void c();\n};\n",
        "src/foundation/base/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\n# a.cpp b.cpp c.cpp\n"}),
    ("type_names_are_unique", {"src/foundation/base/ids.hpp": HEADER + ONE_TYPE, "src/foundation/base/sites.hpp": HEADER + ONE_TYPE}),
    ("type_names_are_unique", {"src/foundation/base/ids.hpp": HEADER + "namespace {\nenum class One { kA };\n}\n",
                               "src/foundation/base/sites.hpp": HEADER + "class Two {\n public:\n  using One = int;\n};\n"}),
    ("comments_use_plain_words", {"src/execution/engine/run.hpp": HEADER + "// Threads that stand beside each other.\n"}),
    ("names_use_plain_words", {"src/foundation/base/ids.hpp": HEADER + "struct StoryTeller {};\n"}),
    ("names_use_plain_words", {"src/foundation/base/ids.hpp": HEADER + "inline int f(int is_told) { return is_told; }\n"}),
    ("names_use_plain_words", {"src/foundation/base/ids.hpp": HEADER + "void put_down_anew();\n"}),
    ("names_use_plain_words", {"include/warpfiber/a.hpp": HEADER + "#define WARPFIBER_ALIKE 1\n"}),
    ("names_use_plain_words", {"src/foundation/base/told_ids.hpp": HEADER}),
    ("sources_say_what_they_are", {"src/execution/engine/run.cpp": SPDX + "void f();\n"}),
    ("sources_are_built", {"src/execution/engine/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\n# rerun.cpp\n"}),
    ("sources_are_built", {"include/warpfiber/b.hpp": HEADER}),
    ("sources_are_built", {"examples/other/one.cu": SPDX}),
    ("ids_stand_in_the_catalogue", {"src/execution/engine/run.hpp": HEADER + 'inline bool f(Id id) { return id == "deadlock"; }\n'}),
    ("findings_have_pages", {"docs/findings/deadlock.md": "# Deadlocks\n"}),
    ("findings_have_pages", {"docs/findings/README.md": "| [`deadlock`](deadlock.md) | all wait | hang | `Hang` |\n"}),
    ("findings_have_pages", {"docs/findings/README.md": "| [`deadlock`](deadlock.md) | none can go on, ever | hang |  |\n"}),
    ("pending_recordings_have_reasons", {"tests/cublas/golden/new.txt": "Saxpy : 0\nSfoo : pending: no GPU\n"}),
    ("pending_recordings_have_reasons", {"tests/conformance/golden/new.txt": "pending:\n"}),
    ("findings_are_worded_in_report", {
        "src/execution/engine/run.hpp": HEADER + 'inline const char* f() { return "No thread " "can ever go on."; }\n'}),
    ("mutexes_are_annotated", {"src/execution/engine/run.cpp": SPDX + WHAT + "namespace {\nconst std::mutex mutex;\n}\n"}),
    ("mutexes_are_annotated", {"src/execution/engine/run.cpp": SPDX + WHAT + "struct Open {\n  mutable std::shared_mutex mutex_;\n};\n"}),
    ("mutexes_are_annotated", {"src/execution/engine/run.cpp": SPDX + WHAT + "void f() {\n  std::unique_lock lock(mutex_);\n}\n"}),
    ("mutexes_say_what_they_guard", {"src/execution/engine/locks.hpp": HEADER + LOCKED.replace("count_ ", "count_ = 0;  // ")}),
    ("mutexes_say_what_they_guard", {"src/execution/engine/locks.hpp": HEADER + LOCKED.replace("BY(mutex_)", "BY(other_)")}),
    ("mutexes_say_what_they_guard", {"src/execution/engine/locks.hpp": HEADER + "struct Open {\n  std::array<Mutex, 64> all;\n};\n"}),
    ("findings_are_light", {"src/foundation/base/ids.hpp": HEADER + "#include <memory>\n"}),
    ("findings_are_light", {"src/foundation/base/ids.hpp": HEADER + '#include "base/sites.hpp"\n',
                            "src/foundation/base/sites.hpp": HEADER + "#include <mutex>\n"}),
    ("settings_are_for_few", {
        "src/execution/engine/settings/a.hpp": HEADER,
        "src/execution/engine/run.hpp": HEADER + '#include "engine/settings/a.hpp"\n',
        "src/execution/engine/run.cpp": SPDX + WHAT + '#include "engine/run.hpp"\n',
        "src/execution/engine/more.cpp": SPDX + WHAT + '#include "engine/settings/a.hpp"\n',
        "src/execution/engine/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nwarpfiber_add_room(engine SOURCES run.cpp more.cpp)\n"}),
    ("links_resolve", {"README.md": "[gone](docs/gone.md#part)\n"}),
    ("quoted_paths_exist", {"README.md": "see `src/gone/a.hpp`\n"}),
    ("quoted_paths_exist", {"README.md": "see `run.cpp`\n"}),
    ("quoted_paths_exist", {"README.md": "see `engine/run.hpp`\n"}),
    ("quoted_paths_exist", {"README.md": "see `gone.cpp`\n"}),
    ("quoted_paths_exist", {"src/foundation/base/notes.md": "see `run.hpp`\n"}),
    ("quoted_functions_exist", {"README.md": "see `src/analysis/report/catalogue/catalogue.cpp` (`kNothing`)\n"}),
    ("quoted_functions_exist", {"src/execution/engine/notes.md": "see `run.cpp` (`short`)\n"}),
    ("variables_are_documented", {"docs/options.md": "| `WARPFIBER_SEED`, `WARPFIBER_DEPTH` | | the seed and more |\n"}),
    ("variables_are_documented", {"src/execution/engine/depth.hpp": HEADER + 'inline const char* f() { return getenv("WARPFIBER_DEPTH"); }\n'}),
    ("variables_are_documented", {"src/execution/engine/list.hpp": HEADER + 'inline void f() { g({"CUDA_VISIBLE_DEVICES", read}); }\n'}),
    ("walk_of_a_launch_is_short", {"docs/architecture.md": walk("program → `engine`") + "These are 2 borders.\n"}),
    ("walk_of_a_launch_is_short", {"docs/architecture.md": walk("`engine` → `cellar`") + "These are 1 borders.\n"}),
    ("walk_of_a_launch_is_short", {"docs/architecture.md": walk(*["`engine` → `base`"] * 11) + "These are 11 borders.\n"}),
    ("nothing_names_this_machine", {"README.md": f"in {MACHINE}\n"}),
    ("nothing_is_unfinished", {"src/execution/engine/run.cpp": SPDX + WHAT + f"// {UNFINISHED_WORD}: later\n"}),
]


# The exceptions to a rule, and ones that the sound tree does not need.
UNNEEDED = {
    "FOLDER_KNOTS": {("src/execution/engine/.", "src/execution/engine/stall")},
    "THREAD_FILES": ("src/execution/engine/run.cpp",),
    "GLOBALS": {"engine": 1},
    "CLASSES_TO_SPLIT": {"Sites"},
    "ASSEMBLY": {"include/warpfiber/a.hpp": "a reason"},
    "EXECUTION_HEADERS": ("include/warpfiber/a.hpp",),
    "WORDED": ("src/execution/engine/",),
}


def set_exceptions(name, entries):
    setattr(execution_rules if hasattr(execution_rules, name) else rules, name, entries)


def complaints_about(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return complaints(root)


class CheckTreeTest(unittest.TestCase):
    def setUp(self):
        room_map.QUESTIONS = ("e",)
        header_rules.FINDING = "src/foundation/base/ids.hpp"
        header_rules.SETTINGS = "src/execution/engine/settings/"
        header_rules.SETTINGS_USERS = 1
        for name, entries in UNNEEDED.items():
            set_exceptions(name, type(entries)())  # no room of the small trees is an exception

    def test_a_sound_tree_passes(self):
        self.assertEqual(complaints_about(SOUND), [])

    def test_each_breach_is_caught_by_its_rule_alone(self):
        for rule, change in BROKEN:
            with self.subTest(rule=rule, change=list(change)):
                found = complaints_about({**SOUND, **change})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].endswith(f"[{rule}]"), found)
                self.assertTrue(found[0].startswith(list(change)[0].split("/")[0]), found)

    def test_an_exception_that_is_not_needed_is_caught(self):
        for name, entries in UNNEEDED.items():
            with self.subTest(exceptions=name):
                set_exceptions(name, entries)
                found = complaints_about(SOUND)
                set_exceptions(name, type(entries)())
                self.assertEqual(len(found), 1, found)
                self.assertIn(f": {name} has ", found[0])
                self.assertTrue(found[0].endswith("[exceptions_are_needed]"), found)

    def test_a_cycle_needs_its_exception(self):
        rules.FOLDER_KNOTS = {("src/execution/engine/.", "src/execution/engine/stall")}
        self.assertEqual(complaints_about({
            **SOUND, "src/execution/engine/run.hpp": HEADER + '#include "engine/stall/stall.hpp"\n',
            "src/execution/engine/stall/stall.hpp": HEADER + '#include "engine/ids.hpp"\n', "src/execution/engine/ids.hpp": HEADER}), [])

    def test_every_rule_has_a_tree_that_breaks_it(self):
        self.assertEqual({rule.__name__ for rule in RULES}, {rule for rule, _ in BROKEN} | {"exceptions_are_needed"})


if __name__ == "__main__":
    unittest.main()
