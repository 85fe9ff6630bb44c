# SPDX-License-Identifier: Apache-2.0
#
# Two libraries with kernels in one process: they share the device and its memory.
import ctypes

COUNT = 1000
fill, total = ctypes.CDLL("./libfill.so").fill, ctypes.CDLL("./libtotal.so").total
values, result = ctypes.c_void_p(), ctypes.c_float()
for error in fill(ctypes.byref(values), COUNT), total(values, COUNT, ctypes.byref(result)):
    assert error == 0, error
print(f"the sum of {COUNT} numbers is {result.value:.0f}")
