# SPDX-License-Identifier: Apache-2.0
"""Builds the C program with `warpfiber nvcc` without a warning, and checks its statuses and what it says, each once.

    from_c_test.py <warpfiber> <not_modelled.c>
"""
import pathlib
import subprocess
import sys
import tempfile

STATUSES = "15 15\n15\n16\n103\n9\n9\n10\n"
SAID = """\
warpfiber: cublasXtSspmm is not modelled: CUBLAS_STATUS_NOT_SUPPORTED; docs/cublas.md lists what is
warpfiber: cublasLtEmulationDescCreate is not modelled: CUBLAS_STATUS_NOT_SUPPORTED; docs/cublas.md lists what is
warpfiber: cufftXtQueryPlan is not modelled: CUFFT_NOT_SUPPORTED; docs/cufft.md lists what is
warpfiber: curandGenerateBinomial is not modelled: CURAND_STATUS_TYPE_ERROR; docs/curand.md lists what is
warpfiber: cusolverRfBatchAnalyze is not modelled: CUSOLVER_STATUS_NOT_SUPPORTED; docs/cusolver.md lists what is
warpfiber: cusolverMgCreate is not modelled: CUSOLVER_STATUS_NOT_SUPPORTED; docs/cusolver.md lists what is
warpfiber: cusparseCreateHybMat is not modelled: CUSPARSE_STATUS_NOT_SUPPORTED; docs/cusparse.md lists what is
"""
LIBRARIES = ["-lcublas", "-lcublasLt", "-lcufft", "-lcurand", "-lcusolver", "-lcusolverMg", "-lcusparse"]


def main():
    warpfiber, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        built = subprocess.run([warpfiber, "nvcc", source, "-o", program, "-Xcompiler", "-Wall,-Werror", *LIBRARIES],
                               capture_output=True, text=True)
        assert built.returncode == 0 and not built.stderr, built.stderr
        ran = subprocess.run([program], capture_output=True, text=True)
    assert ran.returncode == 0, ran
    assert ran.stdout == STATUSES, ran.stdout
    assert ran.stderr == SAID, ran.stderr


main()
