#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build systems that know CUDA, and nothing of Warpfiber, with an installation of it.

build_systems_test.py PREFIX COMPILER FOLDER [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples/systems"
PREFIX, COMPILER, FOLDER = (pathlib.Path(word) for word in sys.argv[1:4])
WARPFIBER = PREFIX / "bin/warpfiber"
TOOLKIT = next(PREFIX.glob("lib*/warpfiber/cuda"))
LIBRARIES = TOOLKIT / "lib64"
SYSTEM_PYTHON = "/usr/bin/python3"  # where a distribution's packages are

# Of other CUDAs on this machine, and of settings of whoever runs this, nothing is left.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "NVCC", "WARPFIBER_"))}
ENVIRONMENT |= {"PATH": ":".join(folder for folder in os.environ["PATH"].split(":") if "cuda" not in folder),
                "CXX": str(COMPILER), "WARPFIBER_CACHE": str(FOLDER.parent / "cache"), "LC_ALL": "C.UTF-8"}
FOUND = 66  # how a checked program ends by itself in which errors were found
LAST = "the last is 998.5"


def run(*words, folder=FOLDER, status=0, **environment):
    done = subprocess.run([str(word) for word in words], cwd=folder, env={**ENVIRONMENT, **environment}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=560, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode}, not {status}:\n{done.stdout}")
    return done.stdout


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)


class Case(unittest.TestCase):
    def project(self, name, *sources):
        """A copy of the example's files, and of others beside them."""
        folder = FOLDER / name
        shutil.copytree(EXAMPLES, folder)
        for source in sources:
            shutil.copytree(HERE / source, folder, dirs_exist_ok=True)
        return folder

    def assert_race(self, said):
        self.assertRegex(said, r"race-shared  tile\[\d+\] \(float \[129\], shared")
        self.assertIn("blur.cu:12  if (i < count) out[i]", said)


class Toolkit(Case):
    """What build systems read of a toolkit before they use it."""

    def test_all_files_say_the_version_that_nvcc_says(self):
        said = run(TOOLKIT / "bin/nvcc", "--version")
        release, version = re.search(r", release (\d+\.\d+), V(\d+\.\d+\.\d+)\n", said).groups()
        self.assertEqual(version.rpartition(".")[0], release)
        self.assertEqual((TOOLKIT / "version.txt").read_text(), f"CUDA Version {version}\n")
        self.assertEqual({part["version"] for part in json.loads((TOOLKIT / "version.json").read_text()).values()}, {version})
        major, minor = map(int, release.split("."))
        self.assertIn(f"#define CUDA_VERSION {1000 * major + 10 * minor}\n", (TOOLKIT / "include/cuda.h").read_text())

    def test_what_bazels_rules_look_for_is_there(self):
        # bazel-contrib/rules_cuda: cuda/private/repositories.bzl and cuda/private/templates.
        for file in ("bin/nvcc", "include/cuda_runtime.h", "lib64/libcudart.so", "lib64/libcudart_static.a",
                     "lib64/libcudadevrt.a", "lib64/libculibos.a", "lib64/stubs/libcuda.so", "nvvm/libdevice",
                     f"targets/{os.uname().machine}-linux/include/cuda.h", "lib/libcudart.so"):
            self.assertTrue((TOOLKIT / file).exists(), file)
        # As its toolchain calls it (cuda/private/templates/BUILD.toolchain_nvcc, cuda/private/toolchain_configs/nvcc.bzl).
        run(TOOLKIT / "bin/nvcc", "-x", "cu", "-Xcompiler=-xc++", "-ccbin", COMPILER, "-O2", "-Xcompiler=-fPIC",
            "-gencode", "arch=compute_90,code=sm_90", "-rdc=true", "-isystem", ".", "--dopt", "on", "-c", EXAMPLES / "blur.cu",
            "-o", "bazels.o")


class Objects(Case):
    """Objects that nvcc checks, linked by those who know nothing of that."""

    def objects(self, name, *options):
        folder = FOLDER / name
        folder.mkdir()
        for source in ("blur.cu", "main.cpp"):
            run(TOOLKIT / "bin/nvcc", "-fcheck", "-ccbin", COMPILER, *options, "-c", EXAMPLES / source, folder=folder)
        return folder

    def test_a_program_of_objects(self):
        folder = self.objects("objects")
        for library in ("-lcudart", "-lcudart_static"):
            run(COMPILER, "blur.o", "main.o", f"-L{LIBRARIES}", f"-Wl,-rpath,{LIBRARIES}", library, "-o", "app", folder=folder)
            said = run("./app", folder=folder, status=FOUND)
            self.assert_race(said)
            self.assertIn(LAST, said)
        # By nvcc itself the hooks come twice, and with other linkers.
        run(TOOLKIT / "bin/nvcc", "-fcheck", "-ccbin", COMPILER, "blur.o", "main.o", "-o", "app", folder=folder)
        self.assert_race(run("./app", folder=folder, status=FOUND))

    def test_a_program_of_an_archive_and_of_a_shared_library(self):
        folder = self.objects("pic", "-Xcompiler", "-fPIC")
        linking = [f"-L{LIBRARIES}", f"-Wl,-rpath,{LIBRARIES}:{folder}", "-lcudart"]
        run("ar", "rcs", "libblur.a", "blur.o", folder=folder)
        run(COMPILER, "main.o", "libblur.a", *linking, "-o", "app", folder=folder)
        self.assert_race(run("./app", folder=folder, status=FOUND))
        run(COMPILER, "-shared", "blur.o", *linking, "-o", "libblur.so", folder=folder)
        run(COMPILER, "main.o", "libblur.so", *linking, "-o", "app", folder=folder)
        self.assert_race(run("./app", folder=folder, status=FOUND))

    def test_an_archive_that_nvcc_makes(self):
        run(TOOLKIT / "bin/nvcc", "-fcheck", "-ccbin", COMPILER, "-lib", EXAMPLES / "blur.cu", "-o", "libblur.a")
        run(COMPILER, EXAMPLES / "main.cpp", "libblur.a", f"-L{LIBRARIES}", "-lcudart_static", "-o", "of_archive")
        self.assert_race(run("./of_archive", status=FOUND))


class CMake(Case):
    def build(self, folder, *options, **environment):
        run("cmake", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            *options, **environment)
        run("cmake", "--build", folder / "build", "--parallel", "2", **environment)
        return folder / "build"

    def test_cuda_as_a_language_with_hooks(self):
        for runtime in ("", "Static", "Shared"):
            build = self.build(self.project(f"language_{runtime}"), f"-DCMAKE_CUDA_COMPILER={PREFIX}/bin/warpfiber-nvcc",
                               f"-DCMAKE_CUDA_HOST_COMPILER={COMPILER}", "-DCMAKE_CUDA_ARCHITECTURES=90",
                               "-DCMAKE_CUDA_FLAGS=-fcheck", *([f"-DCMAKE_CUDA_RUNTIME_LIBRARY={runtime}"] if runtime else []),
                               *([f"-DCMAKE_BUILD_RPATH={LIBRARIES}"] if runtime == "Shared" else []))
            self.assert_race(run(WARPFIBER, "check", build / "app", status=1))
            self.assertIn("app (Failed)", run("ctest", "--test-dir", build, status=8))

    def test_cuda_as_a_language_by_the_environment(self):
        build = self.build(self.project("environment"), CUDACXX=f"{PREFIX}/bin/warpfiber-nvcc", CUDAFLAGS="-fcheck",
                           CUDAHOSTCXX=str(COMPILER), CUDAARCHS="90")
        self.assert_race(run(WARPFIBER, "check", build / "app", status=1))

    def test_libraries_and_tests_that_are_discovered(self):
        folder = self.project("libraries", "cmake")
        build = self.build(folder, f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DEXAMPLES={EXAMPLES}")
        for name in ("blur_static", "blur_shared"):
            self.assertIn(LAST, run(build / f"app_{name}"))
            self.assert_race(run(build / f"app_{name}check", status=FOUND))
        loading = f"import ctypes; ctypes.CDLL('{build}/libplugin.so')._Z4blurPKfPfi(None, None, 0)"
        run(sys.executable, "-c", loading)
        said = run("ctest", "--test-dir", build, status=8)
        for test, result in (("Kernels.Right", "Passed"), ("Kernels.Racing", r"\*\*\*Failed"),
                             ("kernels that are right", "Passed"), ("kernels that race", r"\*\*\*Failed")):
            self.assertRegex(said, rf"{re.escape(test)} \.+ *{result}")


class Meson(Case):
    def build(self, name, *options, path=TOOLKIT / "bin"):
        folder = self.project(name)
        environment = {"CUDA_PATH": str(TOOLKIT), "PATH": f"{path}:{ENVIRONMENT['PATH']}"}
        said = run("meson", "setup", *options, "build", folder=folder, **environment)
        self.assertRegex(said, r"Cuda compiler for the host machine: .*nvcc \(nvcc 13\.0\.88")
        self.assertRegex(said, r"Run-time dependency CUDA .*found: YES 13\.0")
        run("meson", "compile", "-C", "build", folder=folder, **environment)
        return folder

    def test_nvcc_on_the_path(self):
        self.assertIn(LAST, run("build/app", folder=self.build("meson")))

    def test_nvcc_of_two_words_with_hooks(self):
        folder = self.build("meson_checked", "--native-file", "warpfiber.ini", "-Dcuda_args=-fcheck", path=PREFIX / "bin")
        # Meson names sources as seen from its build folder.
        self.assert_race(run(WARPFIBER, "check", "build/app", folder=folder, status=1))
        self.assertIn("1/1 app FAIL", re.sub(" +", " ", run("meson", "test", "-C", "build", folder=folder, status=1)))


class Setuptools(Case):
    def test_a_module(self):
        folder = self.project("setuptools")
        build = (sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force")
        run(*build, folder=folder, CUDA_HOME=str(TOOLKIT))
        self.assertEqual(run(sys.executable, "blur_row.py", folder=folder), LAST + "\n")
        run(*build, folder=folder, CUDA_HOME=str(TOOLKIT), NVCC_APPEND_FLAGS="-fcheck")
        python = pathlib.Path(sys.executable)
        said = run(WARPFIBER, "check", python.name, "blur_row.py", folder=folder, status=1,
                   PATH=f"{python.parent}:{ENVIRONMENT['PATH']}")
        self.assert_race(said)
        self.assertIn(LAST, said)


class ScikitBuild(Case):
    def test_a_module(self):
        folder = self.project("skbuild", "skbuild")
        run(SYSTEM_PYTHON, "setup.py", "build", folder=folder, CUDACXX=f"{TOOLKIT}/bin/nvcc", CUDAFLAGS="-fcheck", CUDAARCHS="90")
        module = next(folder.glob("_skbuild/*/cmake-install/blur*.so"))
        self.assert_race(run(WARPFIBER, "check", SYSTEM_PYTHON, "blur_row.py", folder=folder, status=1,
                             PYTHONPATH=str(module.parent)))


class Torch(Case):
    """A PyTorch that is built for the CPU."""

    def test_an_extension(self):
        folder = self.project("torch")
        said = run(WARPFIBER, "check", SYSTEM_PYTHON, "-m", "warpfiber_torch", "torch_blur.py", folder=folder, status=1,
                   PYTHONPATH=str(PREFIX / "share/warpfiber/torch"), TORCH_EXTENSIONS_DIR=str(folder / "built"),
                   NVCC_APPEND_FLAGS="-fcheck")
        self.assert_race(said)
        self.assertIn(LAST, said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
