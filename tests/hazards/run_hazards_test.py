#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The runner of the hazard suite, tested with a stand-in for the command warpfiber: it "builds" a program by copying a
# script out of its comments, so that each test says what the program does and finds. Of several programs in one
# translation unit the script has a case for each namespace.
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
STAND_IN = """#!/bin/sh
case "$*" in *-fcheck*-ccbin*) ;; *) echo "unexpected options $*"; exit 2 ;; esac
for word; do last=$word; case $word in *.cu) source=$word ;; esac; done
grep -q does-not-compile "$source" && { echo "error: no"; exit 1; }
grep -q alone-only "$source" && grep -q ^namespace "$source" &&
  { sed -n 's,^#line 1 "\\(.*only.*\\)",\\1:1: error: no,p' "$source"; exit 1; }
{ echo "#!/bin/sh"; sed -n -e 's,^namespace \\(.*\\) {,if [ "$1" = \\1 ]; then :,p' -e 's,^}  // namespace .*,fi,p' \\
  -e 's,^// sh: ,,p' "$source"; } > "$last" && chmod +x "$last"
"""
HEADER = "// expect: {expect}\n// needs: sm_70\n// tier: {tier}\n// hw: ok\n// why: an example\n"
FOUND = '{"findings":[{"id":"race-shared","severity":"error","sites":[{"file":"a/haz_race.cu","line":6}]}]}'
RACE = HEADER.format(expect="race-shared", tier="core") + f"s = 1;  // @A\n// sh: echo '{FOUND}' > $WARPFIBER_FINDINGS\n"
GOOD = (HEADER.format(expect="clean", tier="extra") +
        "// sh: echo '{\"findings\":[]}' > $WARPFIBER_FINDINGS\n// sh: echo PASS\n")

MAIN = "int main() {\n}\n"


class Runner(unittest.TestCase):
    def run_on(self, programs, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"warpfiber": STAND_IN, **programs}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            os.chmod(os.path.join(folder, "warpfiber"), 0o755)
            command = [sys.executable, "-B", os.path.join(HERE, "run_hazards.py"), "--warpfiber",
                       os.path.join(folder, "warpfiber"), *options, folder]
            ended = subprocess.run(command, capture_output=True, text=True)
        return ended.returncode, ended.stdout + ended.stderr

    def test_programs_that_behave_pass(self):
        status, output = self.run_on({"haz_race.cu": RACE, "ok_good.cu": GOOD}, "--seeds", "2")
        self.assertIn("2 of 2 programs passed", output)
        self.assertRegex(output, r"haz_race +race-shared +3 of 3")
        self.assertEqual(status, 0)

    def test_a_miss_is_named_with_its_runs(self):
        only_by_default = RACE.replace("// sh: echo", '// sh: [ "$WARPFIBER_SEED" ] && FOUND="[]"\n// sh: echo').replace(
            f"'{FOUND}'", "'" + FOUND.replace("race-shared", "race-global") + "'")
        status, output = self.run_on({"haz_race.cu": only_by_default}, "--seeds", "6")
        self.assertEqual(status, 1)
        self.assertIn("haz_race.cu: default, seed 1, seed 2, seed 3 and 3 more: missed: no race-shared", output)
        self.assertIn("invented: race-global (error) at line 6", output)
        self.assertIn("0 of 1 programs passed", output)

    def test_seconds_of_the_watchdog_reach_the_program(self):
        text = RACE.replace("// hw: ok", "// hw: hang\n// watchdog: 3").replace(
            "// sh: echo", '// sh: [ "$WARPFIBER_WATCHDOG" = 3 ] && echo', 1).replace('"line":6', '"line":7')
        self.assertEqual(self.run_on({"haz_race.cu": text}, "--seeds", "1")[0], 0)
        self.assertEqual(self.run_on({"haz_race.cu": text.replace("// watchdog: 3", "// watchdog: 4")}, "--seeds", "1")[0], 1)

    def test_a_watchdog_is_for_programs_that_may_hang(self):
        status, output = self.run_on({"haz_race.cu": RACE.replace("// hw: ok", "// hw: ok\n// watchdog: 3")})
        self.assertEqual(status, 1)
        self.assertIn("'watchdog' is for programs that may hang", output)

    def test_seeds_reach_the_program(self):
        by_seed = GOOD + '// sh: [ "$WARPFIBER_POLICY$WARPFIBER_SEED" = random2 ] && echo FAIL\n// sh: true\n'
        status, output = self.run_on({"ok_good.cu": by_seed}, "--seeds", "3")
        self.assertRegex(output, r"ok_good +clean +3 of 4")
        self.assertIn("seed 2: did not print PASS", output)
        self.assertEqual(status, 1)

    def test_what_the_program_says_on_standard_error_is_shown(self):
        _, output = self.run_on({"ok_good.cu": GOOD + "// sh: echo it hurts >&2\n// sh: exit 4\n"})
        self.assertIn("ended with 4", output)
        self.assertIn("| it hurts", output)

    def test_findings_of_an_earlier_run_do_not_count(self):
        once = RACE.replace("// sh: echo", '// sh: [ "$WARPFIBER_SEED" ] || echo')
        status, output = self.run_on({"haz_race.cu": once}, "--seeds", "1")
        self.assertIn("seed 1: ended with 0 and wrote no findings", output)
        self.assertEqual(status, 1)

    def test_a_program_that_does_not_compile_fails(self):
        status, output = self.run_on({"ok_good.cu": GOOD + "does-not-compile\n", "haz_race.cu": RACE})
        self.assertIn("building ended with 1: error: no", output)
        self.assertIn("1 of 2 programs passed", output)
        self.assertEqual(status, 1)

    def test_parts_and_tiers_choose(self):
        programs = {"haz_race.cu": RACE, "ok_good.cu": GOOD, "ok_other.cu": GOOD}
        self.assertIn("1 of 1 programs", self.run_on(programs, "--tier", "core")[1])
        self.assertIn("2 of 2 programs", self.run_on(programs, "--part", "1/2")[1])
        self.assertIn("1 of 1 programs", self.run_on(programs, "--part", "2/2")[1])
        self.assertIn("no program to run", self.run_on(programs, "--part", "4/4")[1])

    def test_programs_of_one_unit_are_judged_one_by_one(self):
        programs = {"haz_race.cu": RACE + MAIN, "ok_good.cu": GOOD + MAIN,
                    "ok_bad.cu": GOOD + '// sh: [ "$WARPFIBER_SEED" ] && exit 4\n// sh: true\n' + MAIN}
        status, output = self.run_on(programs, "--together", "3", "--seeds", "1")
        self.assertRegex(output, r"haz_race +race-shared +2 of 2")
        self.assertRegex(output, r"ok_good +clean +2 of 2")
        self.assertRegex(output, r"ok_bad +clean +1 of 2")
        self.assertIn("ok_bad.cu: seed 1: ended with 4", output)
        self.assertIn("2 of 3 programs passed", output)
        self.assertEqual(status, 1)

    def test_a_program_of_a_unit_that_does_not_compile_fails_and_no_other(self):
        bad = GOOD + "does-not-compile\n" + MAIN
        programs = {"ok_bad.cu": bad, "ok_good.cu": GOOD + MAIN, "haz_race.cu": RACE + MAIN}
        status, output = self.run_on(programs, "--together", "3")
        self.assertIn("ok_bad.cu: building ended with 1: error: no", output)
        self.assertIn("2 of 3 programs passed", output)
        self.assertEqual(status, 1)

    def test_a_program_that_compiles_only_alone_fails(self):
        only = GOOD + "// alone-only\n" + MAIN
        programs = {"ok_only.cu": only, "ok_good.cu": GOOD + MAIN, "haz_race.cu": RACE + MAIN}
        status, output = self.run_on(programs, "--together", "3")
        self.assertRegex(output, r"ok_only.cu: builds by itself, but not in one unit .*: building ended with 1")
        self.assertIn("2 of 3 programs passed", output)
        self.assertEqual(status, 1)

    def test_a_broken_header_is_an_error(self):
        status, output = self.run_on({"ok_good.cu": GOOD.replace("// hw: ok\n", "")})
        self.assertEqual(status, 1)
        self.assertIn("no '// hw: ...'", output)


if __name__ == "__main__":
    unittest.main()
