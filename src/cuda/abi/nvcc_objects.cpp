// SPDX-License-Identifier: Apache-2.0
//
// What objects of NVIDIA's nvcc call: they register their kernels and variables before main(), and hand a launch's
// configuration from its brackets to the kernel's stub ("NVIDIA CUDA Compiler Driver NVCC", chapter "Using Separate
// Compilation in CUDA", and the sources that nvcc --keep leaves). Host code of such a program runs here; its kernels
// are for a GPU, which a line says once.
#include <warpfiber/cuda/api/runtime.h>

#include <dlfcn.h>

#include <atomic>
#include <string>

#include "base/environment.hpp"
#include "process/reporter.hpp"
#include "record/reason.hpp"
#include "runtime/calls.hpp"

namespace warpfiber::abi {
namespace {

/// Objects give the handle back; nothing is known by it.
struct Registered {
  static inline void* handle = nullptr;
};

/// The file that the fat binary is in: the program or one of its libraries.
std::string module_of(const void* address) {
  Dl_info module{};
  const bool found = ::dladdr(address, &module) != 0 && module.dli_fname != nullptr && *module.dli_fname != 0;
  return found ? module.dli_fname : base::own_program();
}

void report_kernels_of_a_gpu(const void* fat_binary) {
  static std::atomic<bool> reported{false};
  if (!reported.exchange(true)) process::print_line({record::ReasonKind::kernels_of_a_gpu, module_of(fat_binary)});
}

}  // namespace
}  // namespace warpfiber::abi

extern "C" {

void** __cudaRegisterFatBinary(void* fat_binary) {
  warpfiber::abi::report_kernels_of_a_gpu(fat_binary);
  return &warpfiber::abi::Registered::handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
  return 1;
}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, std::size_t, int, int) {}

/// CUDA 12.8 and later launch by a handle, of which these objects have none.
cudaError_t __cudaGetKernel(void** kernel, const void*) {
  *kernel = nullptr;
  return cudaErrorInvalidDeviceFunction;
}
cudaError_t __cudaLaunchKernel(void*, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(nullptr, grid, block, arguments, shared, stream);
}
}
