# SPDX-License-Identifier: Apache-2.0
"""Random kernels print the same with regions as with fibers.

random_test.py WARPFIBER SOURCES [--count N] [--seed S] [--in-a-file N] [--options WORDS] [--mistakes]
               [--keep FOLDER]
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import both_ways
import random_kernels


def differing(fibers, regions):
    """Names of kernels whose lines differ; what else differs, in words."""
    if fibers == regions:
        return []
    names = []
    for one, other in zip(fibers[1].splitlines(), regions[1].splitlines()):
        if one != other:
            names.append(one.split()[0])
    if not names:
        names.append(f"(exit codes {fibers[0]}, {regions[0]}; {regions[2][:2000]})")
    return names


def compare(arguments, folder, seeds):
    """Builds and runs the kernels of these seeds. How many were made, how many not, and names of those that differ."""
    source, binary = folder / f"random_{seeds[0]}.cu", folder / f"random_{seeds[0]}"
    source.write_text(random_kernels.text(seeds, arguments.mistakes), encoding="utf-8")
    kernels, said = both_ways.build(arguments.warpfiber, source, binary, arguments.options.split())
    if not kernels:
        raise both_ways.BuildError(said)
    fibers = both_ways.run(binary, regions=False, timeout=600)
    try:
        regions = both_ways.run(binary, timeout=600)
        wrong = differing(fibers, regions)
    except subprocess.TimeoutExpired:
        wrong = ["(regions do not end)"]
    if wrong and arguments.keep:
        shutil.copy(source, arguments.keep)
    refused = {name: said for name, said in kernels.items() if "fibers" in said[0]}
    return len(kernels) - len(refused), refused, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpfiber", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--in-a-file", type=int, default=40)
    parser.add_argument("--options", default="-O1 -arch=sm_90")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    made, refused, wrong = 0, {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(arguments.sources / "results.h", folder)
        for first in range(arguments.seed, arguments.seed + arguments.count, arguments.in_a_file):
            last = min(first + arguments.in_a_file, arguments.seed + arguments.count)
            counted, without, differ = compare(arguments, folder, range(first, last))
            made += counted
            refused.update(without)
            wrong += differ
            for kernel in differ:
                print(f"{kernel} differs (file of seeds {first} to {last - 1})", flush=True)
    for kernel, said in list(refused.items())[:5]:
        print(f"{kernel} {said[0]}")
    print(f"{made} kernels as regions, {len(refused)} on fibers only, {len(wrong)} differ")
    return 1 if wrong or made == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
