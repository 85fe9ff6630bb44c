# SPDX-License-Identifier: Apache-2.0
#
# The library as a module of Python, by setuptools: nvcc and the runtime are those of CUDA_HOME.
import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CUDA_HOME = os.environ["CUDA_HOME"]


class BuildCuda(build_ext):
    """Compiles .cu files with nvcc, and others as usual."""

    def build_extensions(self):
        compiler = self.compiler
        compiler.src_extensions.append(".cu")
        compile_for_host = compiler._compile

        def compile_one(target, source, suffix, cc_args, extra, defines):
            if suffix != ".cu":
                return compile_for_host(target, source, suffix, cc_args, extra, defines)
            compiler.spawn([f"{CUDA_HOME}/bin/nvcc", "-c", source, "-o", target, "-Xcompiler", "-fPIC"])

        compiler._compile = compile_one
        super().build_extensions()


setup(name="blur", version="1.0", cmdclass={"build_ext": BuildCuda},
      ext_modules=[Extension("blur", ["module.cpp", "blur.cu"], language="c++", libraries=["cudart"],
                             library_dirs=[f"{CUDA_HOME}/lib64"], runtime_library_dirs=[f"{CUDA_HOME}/lib64"])])
