#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# wheel_test.py PREFIX FOLDER: the wheel of an installation, in a fresh virtual environment and without a network.
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PREFIX, FOLDER = (pathlib.Path(path) for path in sys.argv[1:3])
PYTHON = FOLDER / "venv/bin/python"
RACE = """#include <cstdio>
__global__ void rotate(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  rotate<<<1, 64>>>(out);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
# What the magics ask of a shell, and what they show in it.
STAND_IN = """
class HTML:
    def __init__(self, data):
        assert not data.startswith("<iframe ")  # of which IPython warns
        self.data = data
shown = []
def display(what):
    shown.append(what.data)
"""
SESSION = """
import sys
sys.path.insert(0, {folder!r})
import IPython.display, warpfiber
class Shell:
    def __init__(self):
        self.magics = {{}}
    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function
shell = Shell()
warpfiber.load_ipython_extension(shell)
cell = {cell!r}
shell.magics["cell", "cuda"]("-O1", cell)
print("--")
shell.magics["cell", "warpfiber"]("", cell)
print("--")
print(len(IPython.display.shown), "race-shared" in IPython.display.shown[0], IPython.display.shown[0][:20])
"""


def run(*command, **options):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP"))}
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**kept, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}, **options)


def make(folder, prefix=PREFIX):
    done = run(sys.executable, "-B", SOURCES / "packaging/wheel/make_wheel.py", prefix, FOLDER / folder)
    assert done.returncode == 0, done.stdout
    return pathlib.Path(done.stdout.strip())


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    wheel = make("first")
    for command in ((sys.executable, "-m", "venv", FOLDER / "venv"), (PYTHON, "-m", "pip", "install", "--no-deps", wheel)):
        done = run(*command)
        assert done.returncode == 0, done.stdout
    (FOLDER / "race.cu").write_text(RACE)


class Wheel(unittest.TestCase):
    def test_the_same_installation_gives_the_same_bytes(self):
        # A small one, as the whole one takes long to compress. The copy has other times, and its files another order.
        prefix, copy = FOLDER / "small/prefix", FOLDER / "small/copy"
        for folder, names in (prefix, "ab"), (copy, "ba"):
            for name in names:
                (folder / "bin" / name).mkdir(parents=True)
                (folder / "bin" / name / "text").write_text(name)
            shutil.copy(PREFIX / "bin/warpfiber-nvcc", folder / "bin/warpfiber")
            (folder / "bin/link").symlink_to("warpfiber")
            os.utime(folder / "bin/a/text", (len(str(folder)), len(str(folder))))
        self.assertEqual(make("second", prefix).read_bytes(), make("third", copy).read_bytes())

    def test_the_command_and_the_module_build_and_run(self):
        for command in ((FOLDER / "venv/bin/warpfiber",), (PYTHON, "-m", "warpfiber")):
            done = run(*command, "run", "--quiet", FOLDER / "race.cu")
            self.assertEqual((done.returncode, done.stdout), (0, "no error\n"), command)

    def test_a_race_is_found(self):
        done = run(PYTHON, "-m", "warpfiber", "check", FOLDER / "race.cu")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("race-shared", done.stdout)

    def test_the_toolkit_folder_has_its_names(self):
        done = run(PYTHON, "-c", "import ctypes, warpfiber; print(warpfiber.toolkit());"
                                 "ctypes.CDLL(warpfiber.toolkit() + '/lib64/libcudart.so').cudaDeviceSynchronize()")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = run(os.path.join(done.stdout.strip(), "bin", "nvcc"), "--version")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_cells_are_built_run_and_checked(self):
        package = FOLDER / "session/IPython"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "display.py").write_text(STAND_IN)
        done = run(PYTHON, "-c", SESSION.format(folder=str(package.parent), cell=RACE))
        self.assertEqual(done.returncode, 0, done.stdout)
        ran, checked, shown = done.stdout.split("--\n")
        self.assertEqual(ran, "no error\n")
        self.assertIn("race-shared", checked)
        self.assertIn("cell.cu:5", checked)
        self.assertEqual(shown, "1 True <div><iframe srcdoc=\n")

    def test_pytest_is_told_of_the_plugin(self):
        entry_points = "from importlib.metadata import distribution; print([e.value for e in distribution('warpfiber').entry_points])"
        self.assertIn("'warpfiber.pytest_plugin'", run(PYTHON, "-c", entry_points).stdout)

    def test_what_is_no_installation_is_refused_by_name(self):
        done = run(sys.executable, "-B", SOURCES / "packaging/wheel/make_wheel.py", FOLDER, FOLDER / "fourth")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no bin/warpfiber below", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
