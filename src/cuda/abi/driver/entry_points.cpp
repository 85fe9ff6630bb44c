// SPDX-License-Identifier: Apache-2.0
// The addresses of functions of CUDA's driver interface by name and version. Functions for the default stream of each
// thread are the same ones: which stream 0 is, is decided where the program is compiled.
#include <warpfiber/cuda/driver/device.h>
#include <warpfiber/cuda/driver/execution.h>
#include <warpfiber/cuda/driver/function_list.h>
#include <warpfiber/cuda/driver/graphics.h>
#include <warpfiber/cuda/driver/memory.h>
#include <warpfiber/cuda/driver/resources.h>
#include <warpfiber/cuda/driver/unmodelled.h>

#include <string_view>

#include "abi/driver/driver_call.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::process;
using warpfiber::Error;

namespace {

struct EntryPoint {
  std::string_view name;
  unsigned since;  // 12050: CUDA 12.5
  void* address;
};

#define WARPFIBER_ENTRY_POINT(name, since) {#name, since, reinterpret_cast<void*>(&name)},
const EntryPoint kEntryPoints[] = {WARPFIBER_DRIVER_FUNCTIONS(WARPFIBER_ENTRY_POINT){
    "cuStreamGetCtx", 12050, reinterpret_cast<void*>(&cuStreamGetCtx_v2)}};
#undef WARPFIBER_ENTRY_POINT

enum class Found { yes, unknown, too_old };

/// The newest form of the function that a program of `version` knows.
Found find_entry_point(std::string_view name, unsigned version, void** address) {
  const EntryPoint* best = nullptr;
  bool is_known = false;
  for (const EntryPoint& one : kEntryPoints) {
    if (one.name != name) continue;
    is_known = true;
    if (one.since <= version && (best == nullptr || best->since < one.since)) best = &one;
  }
  *address = best == nullptr ? nullptr : best->address;
  return best != nullptr ? Found::yes : is_known ? Found::too_old : Found::unknown;
}

template <class Status>
Error put_entry_point(const char* name, void** address, unsigned version, Status* status) {
  if (name == nullptr || address == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (version > CUDART_VERSION)
    return fail(Error::invalid_value, {ReasonKind::driver_version_too_new, version, CUDART_VERSION});
  const Found found = find_entry_point(name, version, address);
  if (status != nullptr) *status = static_cast<Status>(found);
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress(const char* name, void** address, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  return driver_call_always("cuGetProcAddress",
                            [&] { return put_entry_point(name, address, static_cast<unsigned>(version), status); });
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** address, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return warpfiber::runtime::call_always(__func__,
                                         [&] { return put_entry_point(name, address, CUDART_VERSION, status); });
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** address, unsigned version, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return warpfiber::runtime::call_always(__func__, [&] { return put_entry_point(name, address, version, status); });
}

}  // extern "C"
