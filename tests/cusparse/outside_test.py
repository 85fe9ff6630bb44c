# SPDX-License-Identifier: Apache-2.0
"""An index that is outside of its matrix is a finding, and fails the device: outside_test.py WARPFIBER CXX SOURCE"""
import pathlib
import subprocess
import sys
import tempfile

CASES = {
    "none": ("0 0\n", 0, None),
    "column": ("0 700\n", 1, "Element 1 of the array is a column index that is outside of the matrix: it is 3, and 0 to 2 are allowed there."),
    "offset": ("0 700\n", 1, "Element 2 of the array is a row offset that is outside of the matrix: it is 9, and 2 to 3 are allowed there."),
}


def main():
    warpfiber, compiler, source = sys.argv[1:4]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        subprocess.run([warpfiber, "nvcc", "-ccbin", compiler, "-g", "-std=c++17", source, "-o", program, "-lcusparse"], check=True)
        for case, (output, findings, sentence) in CASES.items():
            run = subprocess.run([program, case], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            report = " ".join(run.stderr.split())
            if run.stdout != output or report.count("oob-global") != findings or (sentence and sentence not in report):
                wrong.append(f"{case}: {run.stdout}{run.stderr}")
    print("\n".join(wrong) or "all cases are as expected")
    return 1 if wrong else 0


sys.exit(main())
