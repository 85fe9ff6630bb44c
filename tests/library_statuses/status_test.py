# SPDX-License-Identifier: Apache-2.0
"""Statuses of CUDA's libraries for wrong arguments, as a GPU returned them (README.md):
status_test.py WARPFIBER COMPILER GOLDEN SOURCE...   compares
status_test.py --golden RECORDED                     prints the golden text of what main.cu recorded on a GPU"""
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from pending import WORD, Pending  # noqa: E402

# Of these the GPU's libraries look at less than their manuals say, or Warpfiber has less than they have: the functions,
# the argument with its value, and why. A call is compared unless one of these fits.
EXCEPTIONS = [(re.compile(functions), re.compile(argument), why) for functions, argument, why in (
    (r"cublas[SDCZ]gemv", r"trans=", "the manual: CUBLAS_STATUS_INVALID_VALUE"),
    (r"cublas[DZ]trmm", r"ldb=", "the manual: CUBLAS_STATUS_INVALID_VALUE"),
    (r"cublas.*StridedBatched.*", r"stride[ABC]=-1", "matrices before the memory, which a GPU need not notice"),
    (r"cublas.geam", r"(alpha|beta)=0", "cuBLAS takes no factor for one that is 0; the manual has none"),
    (r"cublas.*rotmg", r"[xy]1=0", "not read where d1 is 0"),
    (r"cublasRotmgEx", r"[xy]1=0", "likewise"),
    (r"cublasSetMatrixAsync", r"right", "cuBLAS asks for host memory that is pinned"),
    (r"cublas.getrsBatched|cublasGemm.*BatchedEx", r"batch=", "the manual: CUBLAS_STATUS_INVALID_VALUE, and 0 is right"),
    (r"cublasGemm.*BatchedEx", r"sums=999", "not supported, as in cublasGemmEx"),
    (r"cublasSgemmEx", r"type=(-1|999)", "as cublasGemmEx"),
    (r"cublasGemm.*Ex", r"sums=0", "CUDA 10's type of sums, which the header translates"),
    (r"cufft.*", r"n[yz]=", "the manual: CUFFT_INVALID_SIZE, as for nx"),
    (r"cufftDestroy", r"plan=-1", "the manual: CUFFT_INVALID_PLAN"),
    (r"cufftGetVersion", r"got=0", "nowhere to put it"),
    (r"cufftMakePlan1d", r".*", "of two mistakes the other one is named"),
    (r"cufft(Set|Get|Reset)PlanProperty.*", r".*", "not modelled"),
    (r"cufftExec.*", r"right|direction=|(in|out)=0", "a plan for another transform, which cuFFT executes"),
    (r"curandCreateGenerator.*", r"type=0", "CURAND_RNG_TEST is not modelled"),
    (r"curandSetQuasi.*", r"dimensions=20000", "fewer dimensions are modelled"),
    (r"curandGenerate.*", r"num=0|to=0", "of two mistakes the other one is named"),
    (r"cusparse.*", r"index=1", "indices of 16 bits are not modelled"),
    (r"cusparseCreate(BlockedEll|Bsr)", r"rows=0|block=3|width=3", "matrices that cuSPARSE has no use for"),
    (r"cusparseDnMatSetStridedBatch", r"stride=", "the manual: matrices do not overlap"),
    (r"cusolver.*", r".*", "cuSOLVER checks less than its manual says; arguments that it refuses are refused here"),
)]


def calls_of(text):
    """Functions with their calls: [(name, [(argument=value, status)])], in the order of the lines."""
    functions = []
    for line in text.splitlines():
        what, _, status = line.partition(" -> ")
        function, _, argument = what.partition(" ")
        if not argument:
            functions.append((function, []))
        functions[-1][1].append((argument or "right", status))
    return functions


def golden_of(recorded):
    """Functions that follow one another and have the same calls share a line. A call that ended the program or its
    context, or took too long, has a point."""
    lines = []
    for calls, functions in itertools.groupby(calls_of(recorded), key=lambda function: function[1]):
        shown = ", ".join(f"{argument} {status if status.isdigit() else '.'}" for argument, status in calls)
        lines.append(" ".join(name for name, _ in functions) + ": " + shown)
    return "\n".join(lines) + "\n"


def read_golden(text):
    functions = []
    for line in text.splitlines():
        names, _, calls = line.partition(": ")
        pairs = calls if calls.startswith(WORD) else [tuple(call.rsplit(" ", 1)) for call in calls.split(", ")]
        functions += [(name, pairs) for name in names.split()]
    return functions


def is_exception(function, argument):
    plain = re.sub(r"_64$", "", function)
    return any(names.fullmatch(plain) and arguments.match(argument) for names, arguments, _ in EXCEPTIONS)


def run(warpfiber, compiler, sources):
    with tempfile.TemporaryDirectory() as folder:
        program, lines = pathlib.Path(folder) / "program", pathlib.Path(folder) / "lines"
        libraries = ["-lcublas", "-lcufft", "-lcurand", "-lcusparse", "-lcusolver"]
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-O0", "-std=c++17", *sources, "-o", program, *libraries],
                       check=True)
        subprocess.run([program, lines], check=True, stderr=subprocess.DEVNULL)
        return lines.read_text()


def differences(gpu, here, pending):
    for (function, recorded), (name, calls) in zip(gpu, here, strict=True):
        assert function == name, (function, name)
        if isinstance(recorded, str) and pending.has(function, recorded):
            continue
        assert len(recorded) == len(calls), function
        for (argument, expected), (_, status) in zip(recorded, calls):
            if expected not in (".", status) and not is_exception(function, argument):
                yield f"{function} {argument}: GPU {expected}, here {status}"


def main(words):
    if words[0] == "--golden":
        print(golden_of(pathlib.Path(words[1]).read_text()), end="")
        return 0
    gpu = read_golden(pathlib.Path(words[2]).read_text())
    pending = Pending()
    wrong = list(differences(gpu, calls_of(run(words[0], words[1], words[3:])), pending))
    return pending.result(wrong, len(gpu))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
