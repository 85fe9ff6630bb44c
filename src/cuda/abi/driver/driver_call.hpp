// SPDX-License-Identifier: Apache-2.0
// What every function of CUDA's driver interface has around it besides what the runtime's have: the driver has to be
// initialised, and most functions need a context. The runtime's errors become the driver's, and none is left for
// cudaGetLastError. Messages name functions without the suffix of their version.
#pragma once

#include <warpfiber/cuda/api/runtime.h>
#include <warpfiber/cuda/driver/handles.h>

#include <string_view>

#include "process/current_device.hpp"
#include "process/devices/contexts.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/calls.hpp"

namespace warpfiber::abi {

/// The driver has fewer errors than the runtime: what it has no number for is an invalid value.
inline Error driver_error(Error error) {
  if (error == Error::invalid_device_function) return Error::invalid_resource_handle;
  return report::driver_error_name(error) == nullptr ? Error::invalid_value : error;
}

/// A function that may be called before cuInit. `returns_to` is left to its default, as in runtime::call().
template <class Work>
CUresult driver_call_always(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  const Error last = process::peek_last_error();
  const cudaError_t error = runtime::call_in_process(
      function, [&work] { return driver_error(work()); }, returns_to);
  process::restore_last_error(last);
  return static_cast<CUresult>(error);
}

/// A function that needs no context.
template <class Work>
CUresult driver_call_without_context(const char* function, Work&& work,
                                     const void* returns_to = __builtin_return_address(0)) {
  const auto if_initialised = [&work] {
    return process::driver_is_initialised() ? work() : process::driver_not_initialised();
  };
  return driver_call_always(function, if_initialised, returns_to);
}

template <class Work>
CUresult driver_call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  const auto in_context = [&work] {
    if (process::current_context() == nullptr) return process::no_current_context();
    const Error failure = device_memory::device_failure();
    return failure != Error::success ? failure : work();
  };
  return driver_call_without_context(function, in_context, returns_to);
}

template <class T, class U>
Error put(T* to, U value) {
  if (to == nullptr) return process::fail(Error::invalid_value, process::ReasonKind::result_pointer_null);
  *to = static_cast<T>(value);
  return Error::success;
}

inline void* pointer_of(CUdeviceptr address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

/// Does `work` with a pointer to put what becomes `address`.
template <class Work>
Error put_address(CUdeviceptr* address, Work&& work) {
  if (address == nullptr) return process::fail(Error::invalid_value, process::ReasonKind::result_pointer_null);
  void* memory = nullptr;
  const Error error = work(&memory);
  if (error == Error::success) *address = reinterpret_cast<std::uintptr_t>(memory);
  return error;
}

}  // namespace warpfiber::abi
