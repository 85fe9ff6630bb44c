#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# link_order.py on builds of two rooms that are made here: link_order_test.py <C compiler>.
import os
import subprocess
import sys
import tempfile
import unittest

from link_order import complaints

ROOMS = "| `base` | a | b | c |\n| `engine` | a | b | c |\n| `regions` | a | b | c |\n"


class LinkOrder(unittest.TestCase):
    def found(self, **units):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "src"))
            with open(os.path.join(root, "src", "README.md"), "w", encoding="utf-8") as file:
                file.write(ROOMS)
            build = os.path.join(root, "build")
            for room, text in units.items():
                folder = os.path.join(build, "src", "foundation", room, "parts")
                os.makedirs(folder)
                subprocess.run([COMPILER, "-x", "c", "-c", "-", "-o", os.path.join(folder, "unit.o")],
                               input=text, text=True, check=True)
            return complaints(root, build)

    def test_a_later_room_may_need_an_earlier_one(self):
        self.assertEqual(self.found(base="int count(void) { return 1; }",
                                    engine="int count(void); int run(void) { return count(); }"), [])

    def test_an_earlier_room_needs_nothing_of_a_later_one(self):
        self.assertEqual(self.found(base="int run(void); int count(void) { return run(); }",
                                    engine="int run(void) { return 1; }"),
                         ["base: src/foundation/base/parts/unit.o needs run, which engine defines"])

    def test_variables_are_symbols_too(self):
        self.assertEqual(self.found(base="extern _Thread_local int lane; int count(void) { return lane; }",
                                    engine="_Thread_local int lane;"),
                         ["base: src/foundation/base/parts/unit.o needs lane, which engine defines"])

    def test_a_symbol_that_the_own_room_or_an_earlier_one_defines_as_well_is_no_breach(self):
        self.assertEqual(self.found(base="int run(void) { return 0; } int count(void) { return run(); }",
                                    engine="int run(void) { return 1; }"), [])

    def test_names_of_the_c_library_are_left_out(self):
        self.assertEqual(self.found(base="void exit(int); void leave(void) { exit(1); }",
                                    engine="void exit(int status) { for (;;) status = 0; }"), [])

    def test_what_is_never_linked_to_the_library_is_left_out(self):
        self.assertEqual(self.found(base="int run(void); int count(void) { return run(); }",
                                    regions="int run(void) { return 1; }"), [])

    def test_a_folder_without_objects_is_a_mistake(self):
        self.assertEqual(len(self.found()), 1)


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
