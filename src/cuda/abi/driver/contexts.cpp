// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: contexts, and what is set for the device of the current one.
#include <warpfiber/cuda/driver/device.h>

#include "abi/driver/driver_call.hpp"
#include "process/devices/settings.hpp"
#include "runtime/reset.hpp"
#include "streams/streams.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::process;
using namespace warpfiber::streams;
using warpfiber::Error;

namespace {

constexpr unsigned kApiVersion = 3020;  // what every context that CUDA 13 makes has

Error primary_state(CUdevice device, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(device)) return no_such_device(device);
  ContextFacts facts;
  const Error error = context_facts(primary_context(device), &facts);
  *flags = facts.flags;
  *active = primary_is_active(device) ? 1 : 0;
  return error;
}

/// The reset is that of the runtime, which is of the thread's device.
Error reset_primary(CUdevice device) {
  if (!is_device(device)) return no_such_device(device);
  Error error = push_context(primary_context(device));
  if (error != Error::success) return error;
  error = warpfiber::runtime::reset_device();
  primary_is_reset(device);
  return error == Error::success ? pop_context(nullptr) : error;
}

/// What `member` of the facts of a context is; null stands for the current one.
template <class T, class Member>
Error put_fact(const DeviceContext* context, T* to, Member member) {
  if (context == nullptr) context = current_context();
  if (context == nullptr) return no_current_context();
  ContextFacts facts;
  const Error error = context_facts(context, &facts);
  return error == Error::success ? put(to, facts.*member) : error;
}

template <class Work>
Error with_peer(const DeviceContext* peer, Work&& work) {
  ContextFacts facts;
  const Error error = context_facts(peer, &facts);
  return error == Error::success ? work(facts.device) : error;
}

Error priority_range(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return driver_call_without_context("cuDevicePrimaryCtxRetain",
                                     [&] { return retain_primary_context(context, device); });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return driver_call_without_context("cuDevicePrimaryCtxRelease", [&] { return release_primary_context(device); });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return driver_call_without_context("cuDevicePrimaryCtxGetState",
                                     [&] { return primary_state(device, flags, active); });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return driver_call_without_context("cuDevicePrimaryCtxSetFlags", [&] { return set_primary_flags(device, flags); });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return driver_call_without_context("cuDevicePrimaryCtxReset", [&] { return reset_primary(device); });
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return driver_call_without_context("cuCtxCreate", [&] { return make_context(context, flags, device); });
}
CUresult cuCtxDestroy(CUcontext context) {
  return driver_call_without_context("cuCtxDestroy", [&] { return destroy_context(context); });
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return driver_call_without_context("cuCtxGetCurrent", [&] { return put(context, current_context()); });
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver_call_without_context("cuCtxSetCurrent", [&] { return set_current_context(context); });
}
CUresult cuCtxPushCurrent(CUcontext context) {
  return driver_call_without_context("cuCtxPushCurrent", [&] { return push_context(context); });
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  return driver_call_without_context("cuCtxPopCurrent", [&] { return pop_context(context); });
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return driver_call_without_context("cuCtxGetDevice",
                                     [&] { return put_fact(nullptr, device, &ContextFacts::device); });
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return driver_call_without_context("cuCtxGetFlags", [&] { return put_fact(nullptr, flags, &ContextFacts::flags); });
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return driver_call_without_context("cuCtxGetId", [&] { return put_fact(context, id, &ContextFacts::id); });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return driver_call_without_context("cuCtxGetApiVersion", [&] {
    ContextFacts facts;
    const Error error = context == nullptr ? Error::success : context_facts(context, &facts);
    return error == Error::success ? put(version, kApiVersion) : error;
  });
}

CUresult cuCtxSynchronize() {
  return driver_call("cuCtxSynchronize", [] { return synchronize_device(current_device()); });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return driver_call("cuCtxGetLimit", [&] { return get_limit(value, static_cast<cudaLimit>(limit)); });
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return driver_call("cuCtxSetLimit", [&] { return set_limit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return driver_call("cuCtxGetCacheConfig", [&] {
    cudaFuncCache found{};
    const Error error = get_cache_config(&found);
    return error == Error::success ? put(config, found) : error;
  });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return driver_call("cuCtxSetCacheConfig", [&] { return set_cache_config(static_cast<cudaFuncCache>(config)); });
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver_call("cuCtxGetStreamPriorityRange", [&] { return priority_range(least, greatest); });
}
CUresult cuCtxResetPersistingL2Cache() {
  return driver_call("cuCtxResetPersistingL2Cache", [] { return Error::success; });
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return driver_call("cuCtxEnablePeerAccess",
                     [&] { return with_peer(peer, [&](int device) { return enable_peer(device, flags); }); });
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return driver_call("cuCtxDisablePeerAccess",
                     [&] { return with_peer(peer, [](int device) { return disable_peer(device); }); });
}

}  // extern "C"
