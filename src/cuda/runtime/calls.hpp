// SPDX-License-Identifier: Apache-2.0
// What every function of CUDA's runtime has around it: it is for host threads, a device that has failed answers with
// its failure, and an error is kept for cudaGetLastError. Called by abi only.
#pragma once

#include <warpfiber/cuda/api/error.h>

#include <new>
#include <system_error>

#include "base/forking.hpp"
#include "device_memory/ordering.hpp"
#include "process/current_device.hpp"
#include "process/devices/contexts.hpp"
#include "process/errors.hpp"
#include "process/user_call.hpp"
#include "runtime/call_end.hpp"
#include "runtime/checking/host_reach.hpp"
#include "runtime/door.hpp"

namespace warpfiber::runtime {

/// The same error in C's type.
constexpr cudaError_t to_c(Error error) {
  return static_cast<cudaError_t>(error);
}

/// What `work` returns, where the host has memory for it. No exception leaves a function of C.
template <class Work>
Error error_of_work(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error::memory_allocation;
  } catch (const std::system_error&) {
    return Error::operating_system;
  }
}

/// A function that needs no device. `returns_to` is left to its default, which is computed in the function that calls
/// this one.
template <class Work>
cudaError_t call_without_device(const char* function, Work&& work,
                                const void* returns_to = __builtin_return_address(0)) {
  // Without a line: printing takes more stack than a thread of a kernel has.
  if (is_called_by_kernel()) return cudaErrorNotPermitted;
  const process::InUserCall of_program(process::UserCall{function, returns_to});
  // A report of the error may find no memory either.
  const auto finished = [&] { return finish_call(function, error_of_work(work)); };
  return to_c(process::remember(error_of_work(finished)));
}

/// The same, and the process uses CUDA from now on.
template <class Work>
cudaError_t call_in_process(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  if (!base::begin_use()) return to_c(process::refuse_in_forked_child(function));
  return call_without_device(function, work, returns_to);
}

/// A function that answers even where the device has failed, if there is one.
template <class Work>
cudaError_t call_always(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  const auto if_any = [&work] {
    const Error none = process::check_devices();
    if (none != Error::success) return none;
    process::initialise_driver();  // as any call of the runtime that needs a device does
    return work();
  };
  return call_in_process(function, if_any, returns_to);
}

template <class Work>
cudaError_t call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  const auto unless_failed = [&work] {
    const Error failure = device_memory::device_failure();
    return failure != Error::success ? failure : work();
  };
  return call_in_process(function, unless_failed, returns_to);
}

/// The call in progress is about to store results there, which may be null.
template <class... Results>
void stores_results_at(Results*... results) {
  (judge_result(results, sizeof(Results)), ...);
}

}  // namespace warpfiber::runtime
