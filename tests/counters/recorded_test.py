# SPDX-License-Identifier: Apache-2.0
"""Profiles kernels and compares their counters with those of a GPU: recorded_test.py WARPFIBER CXX KERNELS RECORDED"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile


def recorded(path):
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        return {row.pop("kernel"): {name: int(value) for name, value in row.items()} for row in rows}


def counted(warpfiber, compiler, kernels):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        subprocess.run([warpfiber, "profile", "-ccbin", compiler, "--json", path, kernels], check=True,
                       stdout=subprocess.DEVNULL)
        document = json.loads(path.read_text())
    assert all(kernel["left_out_accesses"] == 0 for kernel in document["kernels"])
    return {kernel["kernel"].split("(")[0].removeprefix("void "): kernel["metrics"] for kernel in document["kernels"]}


def main():
    gpu = recorded(sys.argv[4])
    here = counted(*sys.argv[1:4])
    differences = [f"{kernel}: the kernel is on one side only" for kernel in sorted(gpu.keys() ^ here.keys())]
    for kernel in sorted(gpu.keys() & here.keys()):
        for metric, value in gpu[kernel].items():
            if here[kernel][metric] != value:
                differences.append(f"{kernel}: {metric} is {value} on the GPU and {here[kernel][metric]} here")
    print("\n".join(differences) or f"{len(gpu)} kernels: every counter is equal")
    return 1 if differences else 0


sys.exit(main())
