#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Several hazard programs as one translation unit: what it prints where, and which programs may share one.
import glob
import os
import subprocess
import tempfile
import unittest

from batches import batches_of, part_of, unit_of, why_alone
from expectations import parse_expectation, read_expectation

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = "// expect: clean\n// needs: sm_70\n// tier: core\n// hw: ok\n// why: an example\n"
PROGRAM = HEADER + """#include <cstdio>
#define SAY(x) std::printf("%s %d\\n", x, __LINE__)

static int calls = 0;

int main() {
  SAY("hello");
}
"""


def program(name, text=PROGRAM):
    return parse_expectation(f"/a/{name}.cu", text)


class Batches(unittest.TestCase):
    def test_programs_are_split_by_size(self):
        programs = [program(f"ok_{i}") for i in range(5)]
        self.assertEqual(batches_of(programs, 2), [programs[:2], programs[2:4], programs[4:]])
        self.assertEqual(batches_of(programs, 1), [[each] for each in programs])

    def test_parts_are_alike_in_their_headers_and_share_out_all_programs(self):
        odd = [program(f"odd_{i}", PROGRAM.replace("// why", "// alone: odd\n// why")) for i in range(2)]
        plain = [program(f"plain_{i}") for i in range(3)]
        grouped = [program(f"with_{i}", PROGRAM.replace("<cstdio>", "<cooperative_groups.h>")) for i in range(3)]
        programs = [grouped[0], plain[0], odd[0], grouped[1], plain[1], plain[2], odd[1], grouped[2]]
        self.assertEqual(part_of(programs, 1, 2), [odd[0], *grouped])
        self.assertEqual(part_of(programs, 2, 2), [odd[1], *plain])
        for parts in (1, 3, 7, 20):
            found = [each.name for part in range(1, parts + 1) for each in part_of(programs, part, parts)]
            self.assertEqual(sorted(found), sorted(each.name for each in programs))

    def test_headers_behind_a_macro_with_arguments_are_read_first(self):
        behind = program("ok_behind", PROGRAM.replace("__LINE__)\n", "\\\n  __LINE__)\n#include <new>\n"))
        self.assertEqual(why_alone(behind), "")
        self.assertLess(unit_of([behind]).index("#include <new>"), unit_of([behind]).index("#define SAY"))

    def test_a_program_with_a_reason_is_alone(self):
        odd = program("ok_odd", PROGRAM.replace("// why", "// alone: it has a constructor\n// why"))
        programs = [program("ok_a"), odd, program("ok_b")]
        self.assertEqual(why_alone(odd), "it has a constructor")
        self.assertEqual(batches_of(programs, 8), [[odd], [programs[0], programs[2]]])

    def test_what_depends_on_the_layout_of_shared_memory_is_alone(self):
        text = PROGRAM.replace("clean", "oob-shared").replace("hello\");", "hello\");  // @A")
        self.assertEqual(why_alone(program("haz_x", text)), "shared memory of other kernels would lie behind its own")

    def test_what_cannot_share_is_said(self):
        for old, new, reason in (
                ("static int", "#if 1\nstatic int", "'#if 1'"),
                ("static int", "  #undef SAY\nstatic int", "'  #undef SAY'"),
                ("static int", '#include "mine.h"\nstatic int', "'#include \"mine.h\"'"),
                ("#define", "#define X\n#include <new>\n#define", "'#include <new>' comes after other text"),
                ("static int", 'extern "C" int', "'extern \"C\" int calls = 0;' means another thing in a namespace"),
                ("static int", "namespace std {}\nstatic int", "'namespace std {}' means another thing in a namespace"),
                ("int main() {", "int main(int, char**) {", "'int main() {' is not its last function"),
                ("hello\");\n}\n", "hello\");\n}\nvoid after() {\n}\n", "'int main() {' is not its last function")):
            with self.subTest(new):
                self.assertEqual(why_alone(program("ok_x", PROGRAM.replace(old, new))), reason)
        pragma = PROGRAM.replace("static", "#pragma nv_diag_suppress x\nstatic")
        self.assertEqual(why_alone(program("ok_x", pragma)), "")

    def test_a_unit_runs_the_program_that_is_named_with_its_own_lines(self):
        other = PROGRAM.replace("%s %d", "%s from line %d").replace("#include", "// one line more\n#include")
        with tempfile.TemporaryDirectory() as folder:
            source, binary = os.path.join(folder, "unit.cpp"), os.path.join(folder, "unit")
            with open(source, "w", encoding="utf-8") as file:
                file.write(unit_of([program("ok_a"), program("ok_b", other)]))
            subprocess.run(["g++", "-Wall", "-Werror", "-Wno-unused-variable", source, "-o", binary], check=True)
            runs = [subprocess.run([binary, name], capture_output=True, text=True) for name in ("ok_a", "ok_b", "ok_c")]
        self.assertEqual([each.stdout for each in runs], ["hello 12\n", "hello from line 13\n", ""])
        self.assertEqual([each.returncode for each in runs], [0, 0, 99])

    def test_nearly_all_programs_share(self):
        programs = [read_expectation(path) for folder in ("given", "own")
                    for path in glob.glob(os.path.join(HERE, folder, "*.cu"))]
        alone = [each.name for each in programs if why_alone(each)]
        self.assertLess(len(alone), len(programs) // 18, alone)


if __name__ == "__main__":
    unittest.main()
