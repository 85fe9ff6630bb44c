# SPDX-License-Identifier: Apache-2.0
"""Two libraries with kernels and the CUDA runtime, in one Python process: use.py FOLDER_OF_LIBCUDART."""
import ctypes
import sys

cuda = ctypes.CDLL(sys.argv[1] + "/libcudart.so")
scale = ctypes.CDLL("./libscale.so")
total = ctypes.CDLL("./libtotal.so")

count = 64
numbers = (ctypes.c_float * count)(*range(count))
values, total_on_device, sum_of = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
cuda.cudaMalloc(ctypes.byref(values), count * 4)
cuda.cudaMalloc(ctypes.byref(total_on_device), 4)
cuda.cudaMemset(total_on_device, 0, 4)
cuda.cudaMemcpy(values, numbers, count * 4, 1)
scale.scale_values(values, ctypes.c_float(2), count)
total.total_of(values, count, total_on_device)
cuda.cudaMemcpy(ctypes.byref(sum_of), total_on_device, 4, 2)
print("sum of twice the numbers:", sum_of.value)
