// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's nvcc makes of a program with one kernel, written by hand: it registers machine code of a GPU, and its
// launch goes by a stub. Linked with -lcudart, as `nvcc -cudart shared` does.
#include <cuda_runtime_api.h>

#include <cstdio>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, CUstream_st*);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
}

namespace {

int fat_binary[4] = {0x466243b1, 1, 0, 0};

void kernel_stub(int* value) {
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  void* arguments[] = {&value};
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != cudaSuccess) return;
  cudaLaunchKernel(reinterpret_cast<const void*>(kernel_stub), grid, block, arguments, shared, stream);
}

struct Registration {
  Registration() : handle(__cudaRegisterFatBinary(fat_binary)) {
    __cudaRegisterFunction(handle, reinterpret_cast<const char*>(kernel_stub), nullptr, "kernel", -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
    __cudaRegisterFatBinaryEnd(handle);
  }
  ~Registration() { __cudaUnregisterFatBinary(handle); }
  void** handle;
} registration;

}  // namespace

int main() {
  int* value = nullptr;
  int count = 0;
  std::printf("%d", cudaGetDeviceCount(&count));
  std::printf(" %d", cudaMalloc(reinterpret_cast<void**>(&value), sizeof(int)));
  if (__cudaPushCallConfiguration(dim3(1), dim3(1), 0, nullptr) == 0) kernel_stub(value);
  std::printf(" %s\n", cudaGetErrorName(cudaGetLastError()));
  return cudaFree(value);
}
