#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Libraries with kernels in one process: the runtime is there once, whatever loads them, in whichever order.

shared_library_test.py WARPFIBER COMPILER FOLDER [unittest arguments]
"""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
COMMAND, COMPILER, FOLDER = (pathlib.Path(word) for word in sys.argv[1:4])
TOOLKIT = COMMAND.parent.parent / "lib/warpfiber/cuda"

# What each process does first; the tests add to it.
PRELUDE = """
import ctypes, sys
def load(name):
    return ctypes.CDLL(name, mode=ctypes.RTLD_LOCAL)
def values_of(first, count=64):
    values, stream = ctypes.c_void_p(), ctypes.c_void_p()
    assert first.make_values(ctypes.byref(values), count, ctypes.byref(stream)) == 0
    return values, stream
def doubled_sum(first, second):
    values, stream = values_of(first)
    assert first.double_values(values, 64, stream) == 0
    result = ctypes.c_int()
    assert second.sum_values(values, 64, stream, ctypes.byref(result)) == 0
    return result.value & 0xffffffff
EXPECTED = 64 * 2 * 0x01010101 & 0xffffffff
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, timeout=120, **options)


def python(text, *, command=(), **environment):
    done = run(*command, sys.executable, "-c", PRELUDE + text, cwd=FOLDER, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def build(source, output, *options):
    done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-shared", "-Xcompiler", "-fPIC", *options, HERE / source, "-o", FOLDER / output)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def build_unloadable(source, output, *options):
    # g++'s objects that are one in a process keep their library from being unloaded.
    single = ["-Xcompiler", "-fno-gnu-unique"] if COMPILER.name.startswith("g++") else []
    build(source, output, *options, *single)


def build_user(*options):
    """A program with a kernel, from an object that is compiled apart, and the object; it calls a library with one."""
    library, source, apart = FOLDER / "counts.cu", FOLDER / "user.cu", FOLDER / "user.o"
    library.write_text('__global__ void count(int* values) { atomicAdd(values + blockIdx.x, int(threadIdx.x < 3)); __syncthreads(); }\n'
                       'extern "C" void count_in(int* values) { count<<<2, 64>>>(values); }\n')
    source.write_text('#include <cstdio>\nextern "C" void count_in(int* values);\n'
                      '__global__ void fill(int* values) { if (threadIdx.x == blockDim.x - 1) values[blockIdx.x] = 3 - blockIdx.x; }\n'
                      'int main() {\n  int* values;\n  cudaMallocManaged(&values, 2 * sizeof(int));\n'
                      '  fill<<<2, 64>>>(values);\n  count_in(values);\n  if (cudaDeviceSynchronize() != 0) return 1;\n'
                      '  std::printf("%d %d\\n", values[0], values[1]);\n}\n')
    build(library, "libcounts.so", *options)
    done = run(COMMAND, "nvcc", "-ccbin", COMPILER, *options, "-c", source, "-o", apart)
    if done.returncode == 0:
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, *options, apart, FOLDER / "libcounts.so", "-o", FOLDER / "user")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return FOLDER / "user", apart


def dynamic_section(library):
    return run("readelf", "-d", FOLDER / library).stdout


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name in ("first", "second"):
        build(f"{name}.cu", f"lib{name}.so")
        build(f"{name}.cu", f"libchecked_{name}.so", "-fcheck")


class Sharing(unittest.TestCase):
    def test_a_pointer_and_a_stream_of_one_library_are_valid_in_another(self):
        for order in ("first, second", "second, first"):
            names = [f"load('./lib{name}.so')" for name in order.split(", ")]
            status, out, err = python(f"{order} = {', '.join(names)}\nprint(doubled_sum(first, second) == EXPECTED, first.count_calls())")
            self.assertEqual((status, out, err), (0, "True 1\n", ""), order)

    def test_the_runtime_is_loaded_once_under_all_its_names(self):
        status, out, err = python(
            f"folder = {str(TOOLKIT / 'lib64')!r}\n"
            "first = load('./libfirst.so')\n"
            "values, stream = values_of(first)\n"
            "names = ['libcudart.so', 'libcudart.so.12', 'libcudart.so.13', 'libcuda.so.1']\n"
            "loaded = [load(folder + '/' + name) for name in names]\n"
            "word = ctypes.c_uint()\n"
            "assert all(one.cudaMemcpy(ctypes.byref(word), values, 4, 2) == 0 for one in loaded)\n"
            "maps = open('/proc/self/maps').read()\n"
            "print(hex(word.value), len({line.split()[-1] for line in maps.splitlines() if 'libwarpfiber.so' in line}))")
        self.assertEqual((status, out, err), (0, "0x1010101 1\n", ""))

    def test_a_program_loads_a_library_and_shares_its_memory(self):
        source = FOLDER / "loader.cu"
        source.write_text(
            '#include <dlfcn.h>\n#include <cstdio>\n'
            '__global__ void fill(int* values) { values[threadIdx.x] = 3; }\n'
            'int main() {\n'
            '  int* values; int sum = 0;\n'
            '  cudaMalloc(&values, 64 * sizeof(int));\n'
            '  fill<<<1, 64>>>(values);\n'
            '  void* library = dlopen("./libsecond.so", RTLD_NOW | RTLD_LOCAL);\n'
            '  auto sum_values = reinterpret_cast<int (*)(const int*, int, cudaStream_t, int*)>(dlsym(library, "sum_values"));\n'
            '  std::printf("%d", sum_values(values, 64, nullptr, &sum));\n'
            '  std::printf(" %d\\n", sum);\n'
            '  return dlclose(library);\n}\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, source, "-o", FOLDER / "loader", "-ldl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run("./loader", cwd=FOLDER)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0 192\n", ""))

    def test_objects_of_a_library_that_is_loaded_after_a_copy_are_the_hosts(self):
        status, out, err = python(
            "values, stream = values_of(load('./libfirst.so'))\n"
            f"runtime = load({str(TOOLKIT / 'lib64/libcudart.so')!r})\n"
            "assert runtime.cudaMemcpy(values, bytes(range(64)), 64, 1) == 0\n"
            "print(load('./libsecond.so').call_of_host_object(values))")
        self.assertEqual((status, out), (0, "700\n"), err)  # cudaErrorIllegalAddress, as on a GPU


class SeveralRuntimes(unittest.TestCase):
    def assert_said_once(self, text, *copies):
        said = [line for line in text.splitlines() if "copies of the runtime are in this process" in line]
        self.assertEqual(len(said), 1, text)
        self.assertIn(f"{len(copies)} copies", said[0])
        for copy in copies:
            self.assertIn(copy, said[0])
        self.assertIn("-cudart shared", said[0])

    def test_a_program_with_the_archive_that_loads_the_shared_runtime(self):
        source = FOLDER / "static_loader.cu"
        source.write_text(
            '#include <dlfcn.h>\n#include <cstdio>\n'
            'int main(int, char** names) {\n'
            '  std::printf("%d\\n", cudaDeviceSynchronize());\n'
            '  for (++names; *names != nullptr; ++names)\n'
            '    if (dlopen(*names, RTLD_NOW | RTLD_LOCAL) == nullptr) std::puts(dlerror());\n'
            '}\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-cudart", "static", source, "-o", FOLDER / "static_loader", "-ldl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run("./static_loader", cwd=FOLDER)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0\n", ""))
        done = run("./static_loader", "./libfirst.so", "./libsecond.so", cwd=FOLDER)
        self.assertEqual((done.returncode, done.stdout), (0, "0\n"), done.stderr)
        self.assert_said_once(done.stderr, f"{FOLDER / 'static_loader'} has its own (-cudart static)",
                              "is loaded for ./libfirst.so")

    def test_a_program_with_the_archive_that_is_linked_with_a_library(self):
        source = FOLDER / "static_user.cu"
        source.write_text('extern "C" int count_calls();\nint main() { cudaDeviceSynchronize(); return count_calls(); }\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-cudart", "static", source, "-o", FOLDER / "static_user", FOLDER / "libfirst.so")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run("./static_user", cwd=FOLDER)
        self.assert_said_once(done.stderr, "static_user has its own (-cudart static)", f"is loaded for {FOLDER / 'libfirst.so'}")

    def test_libraries_with_an_archive_each(self):
        for name in ("first", "second"):
            build(f"{name}.cu", f"libstatic_{name}.so", "-cudart", "static")
        status, out, err = python("load('./libstatic_first.so')\nprint('one', file=sys.stderr)\nload('./libstatic_second.so')")
        self.assertEqual((status, out), (0, ""), err)
        self.assertTrue(err.startswith("one\n"), err)
        self.assert_said_once(err, "./libstatic_first.so has its own (-cudart static)",
                              "./libstatic_second.so has its own (-cudart static)")


class ThreadData(unittest.TestCase):
    def test_no_library_needs_space_that_may_be_used_up(self):
        libraries = ["libfirst.so", "libchecked_first.so", TOOLKIT / "lib64/libcudart.so"]
        for library in libraries:
            self.assertNotIn("STATIC_TLS", dynamic_section(library), library)

    def test_objects_compiled_apart_know_the_places_of_thread_data_once_they_are_linked(self):
        for options in ([], ["-fcheck"]):
            program, apart = build_user(*options)
            self.assert_shares(program)
            done = run(COMMAND, "nvcc", "-ccbin", COMPILER, *options, apart, FOLDER / "libcounts.so", "-o", FOLDER / "alone")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            # A variable that is read from a table has a relocation, unless it is the runtime's own.
            relocations = run("readelf", "-rW", FOLDER / "alone").stdout
            self.assertNotRegex(relocations, r"TPOFF64 .*(threadIdx|blockDim|warpfiber_current_thread|checked_scope)(_in_process)?\b", options)

    def test_objects_compiled_apart_find_thread_data_of_a_runtime_that_the_hosts_compiler_links(self):
        for options in ([], ["-fcheck"]):
            _, apart = build_user(*options)
            done = run(COMPILER, apart, FOLDER / "libcounts.so", "-o", FOLDER / "of_host", f"-L{TOOLKIT / 'lib64'}", "-lcudart")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assert_shares(FOLDER / "of_host", LD_LIBRARY_PATH=str(TOOLKIT / "lib64"))

    def test_code_for_programs_in_a_library_is_refused_when_it_is_loaded(self):
        source = FOLDER / "for_programs.cu"
        source.write_text('static __global__ void fill(int* values) { values[threadIdx.x] = 3; }\n'
                          'extern "C" void fill_values(int* values) { fill<<<1, 64>>>(values); }\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-Xcompiler", "-fPIE", "-c", source, "-o", FOLDER / "for_programs.o")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-shared", FOLDER / "for_programs.o", "-o", FOLDER / "libfor_programs.so")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        program = FOLDER / "loads_it.cu"
        program.write_text('#include <dlfcn.h>\nint main() { return dlopen("./libfor_programs.so", RTLD_NOW) == nullptr; }\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, program, "-o", FOLDER / "loads_it", "-ldl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run("./loads_it", cwd=FOLDER)
        self.assertEqual(done.returncode, 127, done.stderr)
        # clang++ has no name for the file where a header is given on the command line.
        self.assertRegex(done.stderr, f"the threadIdx of ({re.escape(str(source))}|<built-in>) is not the runtime's")
        self.assertIn("-Xcompiler -fPIC", done.stderr)

    def assert_shares(self, program, **environment):
        done = run(program, cwd=FOLDER, env={**os.environ, **environment})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "6 5\n", ""), program)

    def test_a_library_is_loaded_when_the_space_for_thread_data_is_used_up(self):
        # Smaller and smaller libraries take what is left.
        sizes = [1024, 512, 256, 128, 64, 32, 16]
        for size in sizes:
            done = run(COMPILER, "-x", "c", "-shared", "-fPIC", f"-DBYTES={size}", HERE / "thread_data.c", "-o", FOLDER / f"data{size}.so")
            self.assertEqual(done.returncode, 0, done.stderr)
        status, out, err = python(
            "kept = []\n"
            f"for size in {sizes}:\n"
            "    for copy in range(4):\n"
            "        import shutil\n"
            "        name = f'./data{size}_{copy}.so'\n"
            "        shutil.copy(f'data{size}.so', name)\n"
            "        try:\n"
            "            kept.append(load(name))\n"
            "        except OSError as error:\n"
            "            assert 'static TLS' in str(error), error\n"
            "            break\n"
            "first, second = load('./libfirst.so'), load('./libsecond.so')\n"
            "print(doubled_sum(first, second) == EXPECTED)")
        self.assertEqual((status, out, err), (0, "True\n", ""))


class Unloading(unittest.TestCase):
    def test_a_library_whose_kernels_ran_is_unloaded_and_loaded_again(self):
        build_unloadable("first.cu", "libunloaded.so")
        status, out, err = python(
            "import _ctypes\n"
            "second = load('./libsecond.so')\n"
            "for turn in range(3):\n"
            "    first = load('./libunloaded.so')\n"
            "    print(doubled_sum(first, second) == EXPECTED, first.count_calls())\n"
            "    _ctypes.dlclose(first._handle)\n"
            "    print('libunloaded' in open('/proc/self/maps').read())")
        self.assertEqual((status, out, err), (0, "True 1\nFalse\n" * 3, ""))

    def test_what_lay_behind_variables_of_a_library_is_other_memory_once_that_is_unloaded(self):
        build_unloadable("second.cu", "libunloaded_checked.so", "-fcheck")
        status, out, err = python(
            "import _ctypes, mmap\n"
            "first = load('./libchecked_first.so')\n"
            "second = load('./libunloaded_checked.so')\n"
            "second.place_of_variable.restype = ctypes.c_void_p\n"
            "behind = second.place_of_variable() + 64\n"
            "_ctypes.dlclose(second._handle)\n"
            "assert 'libunloaded' not in open('/proc/self/maps').read()\n"
            "system = ctypes.CDLL(None)\n"
            "system.mmap.restype = ctypes.c_void_p\n"
            "system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]\n"
            "page = behind // mmap.PAGESIZE * mmap.PAGESIZE\n"
            "flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x10  # MAP_FIXED\n"
            "assert system.mmap(page, mmap.PAGESIZE, 3, flags, -1, 0) == page\n"
            "assert first.double_values(ctypes.c_void_p(behind), 1, None) == 0")
        self.assertEqual(status, 66, out + err)
        self.assertIn("pageable host memory", err)

    def test_kernels_of_a_library_that_is_unloaded_before_any_launch_are_forgotten(self):
        build_unloadable("second.cu", "libnever_launched.so")
        status, out, err = python(
            "import _ctypes\n"
            "first = load('./libfirst.so')\n"
            "never = load('./libnever_launched.so')\n"
            "_ctypes.dlclose(never._handle)\n"
            "assert 'never_launched' not in open('/proc/self/maps').read()\n"
            "values, stream = values_of(first)\n"
            "print(first.double_values(values, 64, stream), first.count_calls())")
        self.assertEqual((status, out, err), (0, "0 1\n", ""))


class Checking(unittest.TestCase):
    def test_check_finds_a_race_in_a_library_that_a_program_loads(self):
        status, out, err = python(
            "first, second = load('./libchecked_first.so'), load('./libchecked_second.so')\n"
            "values, stream = values_of(first)\n"
            "assert second.race(values) == 0", command=(COMMAND, "check"))
        self.assertEqual(status, 1, err)
        self.assertIn("race-global", out + err)
        self.assertIn("first.cu:", out + err)
        self.assertIn("second.cu:", out + err)

    def test_check_finds_a_race_on_a_variable_of_a_library(self):
        status, out, err = python("load('./libchecked_second.so').race_of_variable()", command=(COMMAND, "check"))
        self.assertEqual(status, 1, out + err)
        self.assertIn("of_library", out + err)


class ProgramsOfNvcc(unittest.TestCase):
    def test_a_program_with_machine_code_of_a_gpu_hears_what_it_is_once_and_its_host_code_runs(self):
        done = run(COMPILER, "-x", "c++", f"-I{TOOLKIT / 'include'}", HERE / "nvcc_object.cpp", "-o", FOLDER / "of_nvcc",
                   f"-L{TOOLKIT / 'lib64'}", "-lcudart")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("libcudart.so.13", run("readelf", "-V", FOLDER / "of_nvcc").stdout)
        done = run("./of_nvcc", cwd=FOLDER, env={**os.environ, "LD_LIBRARY_PATH": str(TOOLKIT / "lib64")})
        self.assertEqual((done.returncode, done.stdout), (0, "0 0 cudaErrorInvalidDeviceFunction\n"))
        self.assertEqual(done.stderr.count("was built by NVIDIA's nvcc: its kernels are code of a GPU"), 1, done.stderr)

    def test_a_program_of_cuda_12_gets_what_that_had(self):
        stand_in = FOLDER / "stand_in"
        stand_in.mkdir()
        (stand_in / "versions").write_text("libcudart.so.12 { global: *; };\n")
        done = run(COMPILER, "-x", "c++", "-DWARPFIBER_STAND_IN", "-shared", "-fPIC", HERE / "cuda12_object.cpp", "-o",
                   stand_in / "libcudart.so.12", "-Wl,-soname,libcudart.so.12", f"-Wl,--version-script,{stand_in / 'versions'}")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(COMPILER, "-x", "c++", HERE / "cuda12_object.cpp", "-x", "none", stand_in / "libcudart.so.12", "-o", FOLDER / "of_cuda12")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("libcudart.so.12", run("readelf", "-V", FOLDER / "of_cuda12").stdout)
        done = run("./of_cuda12", cwd=FOLDER, env={**os.environ, "LD_LIBRARY_PATH": str(TOOLKIT / "lib64")})
        self.assertEqual((done.returncode, done.stdout),
                         (0, "version 0 12090\n"
                             "properties 0 warp 32 clock known major 9 mode 0 whole\n"
                             "managed 0 attributes 0 type 3 there whole\n"
                             "prefetch 0 0 advise 0 0 wait 0\n"
                             "graph 801\n"), done.stderr)
        self.assertIn("cudaGraphAddNode is not modelled", done.stderr)


class WithoutLibdw(unittest.TestCase):
    """A file that is no library stands for one that is not installed."""

    def folder_with_no_library(self):
        empty = FOLDER / "empty"
        empty.mkdir(exist_ok=True)
        (empty / "libdw.so.1").touch()
        return empty

    def test_a_right_program_has_no_finding(self):
        source, program = FOLDER / "reversed.cu", FOLDER / "reversed"
        source.write_text('__global__ void reverse(int* values) {\n  __shared__ int copy[32];\n  copy[threadIdx.x] = values[threadIdx.x];\n'
                          '  __syncthreads();\n  values[threadIdx.x] = copy[31 - threadIdx.x];\n}\n'
                          'int main() {\n  int* values;\n  cudaMalloc(&values, 128);\n  cudaMemset(values, 1, 128);\n'
                          '  reverse<<<1, 32>>>(values);\n  return cudaDeviceSynchronize();\n}\n')
        done = run(COMMAND, "nvcc", "-ccbin", COMPILER, "-fcheck", source, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.folder_with_no_library())}
        for command in ([], ["strip"]):
            if command:
                self.assertEqual(run(*command, program).returncode, 0)
            done = run(program, env=environment)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_a_finding_says_what_is_missing_and_how_to_install_it(self):
        empty = self.folder_with_no_library()
        status, out, err = python("first, second = load('./libchecked_first.so'), load('./libchecked_second.so')\n"
                                  "values, stream = values_of(first)\n"
                                  "second.race(values)\nsecond.race(values)", LD_LIBRARY_PATH=str(empty))
        self.assertEqual(status, 66, out + err)
        self.assertIn("race-global", err)
        self.assertEqual(err.count("because libdw cannot be loaded: "), 1, err)
        self.assertIn("apt-get install libdw1", err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
