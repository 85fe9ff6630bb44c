# SPDX-License-Identifier: Apache-2.0
"""What a program is told where the library of LAPACK cannot be loaded: an empty file has its name.
without_library_test.py WARPFIBER CXX SOURCE LIBRARY"""
import os
import pathlib
import subprocess
import sys
import tempfile

warpfiber, compiler, source, library = sys.argv[1:]
REASON = (f"cuSOLVER needs LAPACK, and {library} cannot be loaded: the package libopenblas0-pthread has OpenBLAS" if library else
          "cuSOLVER needs LAPACK, and this Warpfiber is built without it")
NEED_LAPACK = ("cusolverDnDpotrf(solver, lower, n, a, n,", "cusolverDnDgetrf(solver, n, n, a, n, work, pivots", "cusolverDnDsyevd(")
WRONG = "cusolverDnDpotrf(solver, lower, n, a, 1,"
INVALID_VALUE, NOT_SUPPORTED = 3, 9


def run(folder, *command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": folder})


def expected(call):
    if call.startswith(WRONG):
        return INVALID_VALUE
    if call.startswith("right factors"):
        return 1
    return NOT_SUPPORTED if call.startswith(NEED_LAPACK) else 0


with tempfile.TemporaryDirectory() as folder:
    program = str(pathlib.Path(folder) / "program")
    subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O0", source, "-o", program, "-lcusolver", "-lcublas"], check=True)
    hidden = pathlib.Path(folder) / "hidden"
    hidden.mkdir()
    (hidden / (library or "none")).touch()
    ran = run(str(hidden), program)
    checked = run(str(hidden), warpfiber, "check", source)

results = [line.split(" -> ") for line in ran.stdout.splitlines()]
assert len(results) == 12, ran.stdout
assert sum(call.startswith(NEED_LAPACK) for call, _ in results) == len(NEED_LAPACK), ran.stdout
for call, status in results:
    assert int(status) == expected(call), f"{call} -> {status} in place of {expected(call)}"
for function in ("cusolverDnDpotrf", "cusolverDnDgetrf", "cusolverDnDsyevd"):
    assert f"{function}: CUSOLVER_STATUS_NOT_SUPPORTED: {REASON}" in ran.stderr, ran.stderr
assert REASON[:60] in " ".join(checked.stderr.split()), checked.stderr
