# SPDX-License-Identifier: Apache-2.0
#
# Uses a library with kernels from Python's processes: processes.py <library>
import ctypes
import multiprocessing
import sys


def work(count):
    library = ctypes.CDLL(sys.argv[1])
    values = (ctypes.c_int * count)(*range(count))
    return library.twice_each(values, count), sum(values)


def pool(method):
    with multiprocessing.get_context(method).Pool(2) as processes:
        print(method, processes.map(work, [10, 100]), flush=True)


if __name__ == "__main__":
    pool("fork")
    pool("spawn")
    print("parent", work(100), flush=True)
    pool("fork")
    pool("spawn")
    print("parent", work(100), flush=True)
