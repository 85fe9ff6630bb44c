# SPDX-License-Identifier: Apache-2.0
#
# Two libraries with kernels in one process: they share the device and its memory. two_libraries.py [NUMBERS TO ADD]
import ctypes
import sys

MADE = 1000
added = int(sys.argv[1]) if len(sys.argv) > 1 else MADE
fill, total = ctypes.CDLL("./libfill.so").fill, ctypes.CDLL("./libtotal.so").total
values, result = ctypes.c_void_p(), ctypes.c_float()
for error in fill(ctypes.byref(values), MADE), total(values, added, ctypes.byref(result)):
    assert error == 0, error
print(f"the sum of {added} numbers is {result.value:.0f}")
