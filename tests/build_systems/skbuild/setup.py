# SPDX-License-Identifier: Apache-2.0
# The example's module by scikit-build, which calls CMake.
from skbuild import setup

setup(name="blur", version="1.0", py_modules=[])
