// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: streams, events, functions of the host in streams.
#include <warpfiber/cuda/driver/execution.h>

#include "abi/driver/driver_call.hpp"
#include "device_memory/addresses.hpp"
#include "runtime/kernel_launch.hpp"
#include "streams/event.hpp"
#include "streams/streams.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using namespace warpfiber::streams;
using warpfiber::Error;

namespace {

/// Puts what `member` says of the stream.
template <class T, class Member>
Error put_of(CUstream handle, T* to, Member member) {
  const auto stream = find_stream(handle);
  return stream == nullptr ? no_such_stream() : put(to, member(*stream));
}

/// Contexts of a device share its streams, so it is the current one where that is of the stream's device.
Error put_context(CUstream handle, CUcontext* to) {
  const auto stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  return put(to, stream->device == current_device() ? current_context() : primary_context(stream->device));
}

/// There are no green contexts.
Error put_contexts(CUstream handle, CUcontext* to, CUgreenCtx* green) {
  if (green != nullptr) *green = nullptr;
  return put_context(handle, to);
}

Error call_back(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  if (callback == nullptr) return fail(Error::invalid_value, ReasonKind::callback_null);
  if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
  const auto call = [](const HostFunctionOperation& of, Error error) {
    reinterpret_cast<CUstreamCallback>(of.function)(of.stream, static_cast<CUresult>(error), of.data);
  };
  return submit_host_function({call, reinterpret_cast<void (*)()>(callback), data, stream, true});
}

Error call_host(CUstream stream, CUhostFn function, void* data) {
  if (function == nullptr) return fail(Error::invalid_value, ReasonKind::callback_null);
  const auto call = [](const HostFunctionOperation& of, Error) { reinterpret_cast<CUhostFn>(of.function)(of.data); };
  return submit_host_function({call, reinterpret_cast<void (*)()>(function), data, stream});
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return driver_call("cuStreamCreate", [&] { return create_stream(stream, flags, kLeastPriority); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return driver_call("cuStreamCreateWithPriority", [&] { return create_stream(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return driver_call("cuStreamDestroy", [&] { return destroy_stream(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return driver_call("cuStreamSynchronize", [&] { return synchronize_stream(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return driver_call("cuStreamQuery", [&] { return query_stream(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return driver_call("cuStreamWaitEvent", [&] { return wait_for_event(stream, event); });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return driver_call("cuStreamAddCallback", [&] { return call_back(stream, callback, data, flags); });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return driver_call("cuLaunchHostFunc", [&] { return call_host(stream, function, data); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return driver_call("cuStreamGetPriority",
                     [&] { return put_of(stream, priority, [](const Stream& s) { return s.priority.load(); }); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return driver_call("cuStreamGetFlags",
                     [&] { return put_of(stream, flags, [](const Stream& s) { return s.flags; }); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return driver_call("cuStreamGetId", [&] { return put_of(stream, id, [](const Stream& s) { return s.id; }); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return driver_call("cuStreamGetDevice",
                     [&] { return put_of(stream, device, [](const Stream& s) { return s.device; }); });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return driver_call("cuStreamGetCtx", [&] { return put_context(stream, context); });
}
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  return driver_call("cuStreamGetCtx", [&] { return put_contexts(stream, context, green); });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t, unsigned flags) {
  return driver_call("cuStreamAttachMemAsync", [&] { return attach(pointer_of(address), flags, stream); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return driver_call("cuEventCreate", [&] { return create_event(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return driver_call("cuEventDestroy", [&] { return destroy_event(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_call("cuEventRecord", [&] { return record_event(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  return driver_call("cuEventRecordWithFlags", [&] { return record_event(event, stream); });
}
CUresult cuEventQuery(CUevent event) {
  return driver_call("cuEventQuery", [&] { return query_event(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return driver_call("cuEventSynchronize", [&] { return synchronize_event(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return driver_call("cuEventElapsedTime", [&] { return elapsed_time(milliseconds, start, end); });
}

}  // extern "C"
