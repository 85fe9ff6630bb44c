#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Writes the five-point Laplacian on a square of side x side inner points as a Matrix Market file to standard output:
#   make_poisson.py [<side>] > poisson.mtx
# The matrix is symmetric, so the lower triangle is written, by rows.
import sys


def entries(side):
    for row in range(side * side):
        x = row % side
        if row >= side:
            yield row, row - side, -1
        if x > 0:
            yield row, row - 1, -1
        yield row, row, 4


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    lines = [f"{row + 1} {column + 1} {value}" for row, column, value in entries(side)]
    print("%%MatrixMarket matrix coordinate integer symmetric")
    print(f"% five-point Laplacian on {side} x {side} inner points, made by sim_kernels/data/make_poisson.py")
    print(f"{side * side} {side * side} {len(lines)}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
