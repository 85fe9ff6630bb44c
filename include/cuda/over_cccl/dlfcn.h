// SPDX-License-Identifier: Apache-2.0
// Found before the system's header where NVIDIA's libcu++ is used, which loads CUDA's driver as a shared library from
// version 3.2 on. The driver is part of the program here: what would load it gets a handle for that.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include_next <dlfcn.h>

#if defined(__cplusplus) && !defined(WARPFIBER_DLFCN)
#define WARPFIBER_DLFCN

#include <cuda.h>

#include <cstring>
#include <string>

namespace warpfiber::cuda {

inline constexpr char kDriver[] = "libcuda.so.1";

inline bool is_driver(const void* handle) {
  return handle == static_cast<const void*>(kDriver);
}

inline void* load_library(const char* name, int mode) {
  if (name != nullptr && (std::strcmp(name, kDriver) == 0 || std::strcmp(name, "libcuda.so") == 0))
    return const_cast<char*>(kDriver);
  return ::dlopen(name, mode);
}

/// The driver's symbols have a suffix for their version, cuMemAlloc_v2.
inline void* symbol_of(void* handle, const char* name) {
  if (!is_driver(handle)) return ::dlsym(handle, name);
  const std::string symbol = name;
  void* address = nullptr;
  cuGetProcAddress(symbol.substr(0, symbol.find("_v")).c_str(), &address, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT,
                   nullptr);
  return address;
}

inline int unload_library(void* handle) {
  return is_driver(handle) ? 0 : ::dlclose(handle);
}

}  // namespace warpfiber::cuda

#define dlopen warpfiber::cuda::load_library
#define dlsym warpfiber::cuda::symbol_of
#define dlclose warpfiber::cuda::unload_library

#endif
