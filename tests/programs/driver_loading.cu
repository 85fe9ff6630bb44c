// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's libcu++ does from version 3.2 on: it loads CUDA's driver as a shared library and finds its functions by
// cuGetProcAddress. Its headers have functions that differ between host and device, and assumptions in code of both.
#include <cub/util_arch.cuh>
#include <cuda.h>
#include <cuda/std/__memory/addressof.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdio>

__global__ void __launch_bounds__(like_cccl::block_threads()) store(int* to, int value) {
  __builtin_assume(value > 0);
  if (threadIdx.x == 0) *like_cccl::addressof(*to) = value;
}

int main() {
  void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW);
  void* const own = ::dlopen(nullptr, RTLD_NOW);
  if (driver == nullptr || own == nullptr || driver == own) return std::printf("FAIL: no handle\n"), 1;
  const auto find = reinterpret_cast<decltype(cuGetProcAddress)*>(::dlsym(driver, "cuGetProcAddress_v2"));
  if (find != &cuGetProcAddress) return std::printf("FAIL: no cuGetProcAddress\n"), 1;
  if (::dlsym(driver, "cuNothing") != nullptr) return std::printf("FAIL: an unknown function\n"), 1;
  void* count_devices = nullptr;
  find("cuDeviceGetCount", &count_devices, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
  int count = 0;
  if (reinterpret_cast<decltype(cuDeviceGetCount)*>(count_devices)(&count) != CUDA_ERROR_NOT_INITIALIZED)
    return std::printf("FAIL: not uninitialised\n"), 1;
  if (::dlclose(driver) != 0 || ::dlclose(own) != 0) return std::printf("FAIL: dlclose\n"), 1;

  int* value = nullptr;
  cudaMallocManaged(&value, sizeof(int));
  store<<<1, 64>>>(value, 7);
  cudaDeviceSynchronize();
  const bool right = *like_cccl::addressof(*value) == 7;
  cudaFree(value);
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
