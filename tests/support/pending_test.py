#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What waits for a recording of a GPU is not compared, but has to be printed and has a reason: in each of the tests that
compare with goldens of CUDA's libraries."""
import contextlib
import importlib.util
import io
import pathlib
import subprocess
import tempfile
import unittest

from pending import Pending, golden

TESTS = pathlib.Path(__file__).resolve().parents[1]
REASON = "no GPU at hand"
# A golden with a line of each, another for the second value, and how the two texts become what is compared.
KEYED = {
    "cublas": ("Saxpy : 0 0x1p+0 .\n", "Sfoo : {}\n", "0 0x1p+1 ."),
    "cufft": ("c2c n 1 : 0x1p+0 0x0p+0 | 2 0x1p+0\n", "c2c n 2 : {}\n", "0x1p+1 0x0p+0 | 2 0x1p+1"),
    "curand": ("xorwow seed 0 = 00000001 | 1 ab\n", "plain32 first: {}\n", "e29dddc0a2121c36"),
}
ORDERED = {
    "cusolver": ("F::potrf(handle) -> 0\n", "a: {}\n", "1 2"),
    "cusparse": ("cusparseCreate(&handle) -> 0\n", "cusparseFoo(1) -> {}\n", "3"),
}


def module(folder, name="golden_test"):
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", TESTS / folder / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def printed_by(call):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = call()
    return code, output.getvalue()


class Values(unittest.TestCase):
    def compared(self, folder, gpu, here):
        tested, pending = module(folder), Pending()
        parts = tested.lines if folder in KEYED else str.splitlines
        return tested.differences(parts(gpu), parts(here), pending), pending

    def test_a_pending_value_may_be_anything_and_is_named(self):
        for folder, (same, other, value) in {**KEYED, **ORDERED}.items():
            with self.subTest(folder=folder):
                wrong, pending = self.compared(folder, same + other.format(f"pending: {REASON}"), same + other.format(value))
                self.assertEqual(wrong, [])
                self.assertEqual(list(pending.reasons.values()), [REASON])

    def test_the_others_are_compared(self):
        for folder, (same, other, value) in {**KEYED, **ORDERED}.items():
            with self.subTest(folder=folder):
                changed = same.replace("0x1p+0", "0x1p+2").replace("-> 0", "-> 1").replace("00000001", "00000002")
                self.assertNotEqual(changed, same)
                self.assertEqual(len(self.compared(folder, same + other.format(f"pending: {REASON}"), changed + other.format(value))[0]), 1)

    def test_what_is_pending_has_to_be_printed(self):
        for folder, (same, other, _) in {**KEYED, **ORDERED}.items():
            with self.subTest(folder=folder):
                self.assertTrue(self.compared(folder, same + other.format(f"pending: {REASON}"), same)[0])
                elsewhere = other.replace("f", "g").replace("a:", "b:").replace("n 2", "n 3").replace("F", "G")
                self.assertTrue(self.compared(folder, same + other.format(f"pending: {REASON}"), same + elsewhere.format("1"))[0])

    def test_a_reason_has_to_be_there(self):
        for folder, (same, other, value) in {**KEYED, **ORDERED}.items():
            with self.subTest(folder=folder), self.assertRaises(ValueError):
                self.compared(folder, same + other.format("pending: "), same + other.format(value))

    def test_statuses_of_a_function_may_be_pending(self):
        tested, pending = module("library_statuses", "status_test"), Pending()
        gpu = tested.read_golden(f"cublasCreate: right 0, got=0 7\ncublasSfoo cublasDfoo: pending: {REASON}\n")
        here = tested.calls_of("cublasCreate -> 0\ncublasCreate got=0 -> 7\ncublasSfoo -> 0\ncublasSfoo n=0 -> 7\ncublasDfoo -> 1\n")
        self.assertEqual(list(tested.differences(gpu, here, pending)), [])
        self.assertEqual(pending.reasons, {"cublasSfoo": REASON, "cublasDfoo": REASON})
        here[0][1][1] = ("got=0", "0")
        self.assertEqual(list(tested.differences(gpu, here, Pending())), ["cublasCreate got=0: GPU 7, here 0"])


class Summary(unittest.TestCase):
    def test_each_is_printed_with_its_reason(self):
        pending = Pending()
        self.assertTrue(pending.has("Sfoo", f" pending: {REASON}"))
        self.assertFalse(pending.has("Saxpy", "0 0x1p+0"))
        self.assertEqual(printed_by(lambda: pending.result([], 3)), (0, f"pending: Sfoo: {REASON}\n2 lines agree, 1 pending\n"))
        self.assertEqual(printed_by(lambda: pending.result(["Saxpy: 1 apart"], 3))[0], 1)

    def test_an_empty_golden_is_wrong(self):
        self.assertEqual(printed_by(lambda: Pending().result([], 0))[0], 1)

    def test_a_whole_golden_may_be_pending(self):
        with tempfile.TemporaryDirectory() as folder:
            path, pending = pathlib.Path(folder) / "new.txt", Pending()
            path.write_text(f"pending: {REASON}\n")
            self.assertEqual(golden(path, pending), "")
            self.assertEqual(pending.reasons, {"new.txt": REASON})
            path.write_text("Saxpy : 0\n")
            self.assertEqual(golden(path, Pending()), "Saxpy : 0\n")


class Files(unittest.TestCase):
    """Goldens that CMake compares byte for byte."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.golden = self.folder / "golden.txt"

    def script(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def run_script(self, script, **settings):
        words = [f"-D{name}={value}" for name, value in settings.items()]
        ended = subprocess.run(["cmake", *words, "-P", TESTS / "conformance" / script], capture_output=True, text=True)
        return ended.returncode, ended.stderr

    def test_a_program_without_a_recording_has_to_end(self):
        settings = {"GOLDEN": self.golden, "OUTPUT": self.folder / "output.txt", "ENVIRONMENT": "A=1"}
        self.golden.write_text(f"pending: {REASON}\n")
        self.assertEqual(self.run_script("compare.cmake", PROGRAM=self.script("good", "echo 1"), **settings),
                         (0, f"pending: {self.golden}: {REASON}\n\n"))
        self.assertNotEqual(self.run_script("compare.cmake", PROGRAM=self.script("bad", "exit 1"), **settings)[0], 0)
        self.golden.write_text("pending:\n")
        self.assertNotEqual(self.run_script("compare.cmake", PROGRAM=self.script("good", "echo 1"), **settings)[0], 0)

    def test_schedules_without_a_recording_have_to_agree(self):
        self.golden.write_text(f"pending: {REASON}\n")
        for printed, passes in (("1", True), ("$WARPFIBER_SEED", False)):
            with self.subTest(printed=printed):
                compiler = self.script("warpfiber", f"""for word; do last=$word; done
printf '#!/bin/sh\\necho {printed}\\n' >"$last" && chmod +x "$last"
""")
                code, complaint = self.run_script("cooperative_groups/run_golden.cmake", WARPFIBER=compiler, MATRIX="OFF", COMPILER="g++",
                                                  SOURCE="a.cu", BINARY=self.folder / "a", GOLDEN=self.golden)
                self.assertEqual(code == 0, passes, complaint)
                self.assertIn(f"pending: {self.golden}: {REASON}", complaint)


if __name__ == "__main__":
    unittest.main()
