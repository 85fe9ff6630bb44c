// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: streams, events, host functions, synchronisation, last errors, reset.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/addresses.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/host/asked.hpp"
#include "runtime/calls.hpp"
#include "runtime/kernel_launch.hpp"
#include "runtime/reset.hpp"
#include "streams/attributes.hpp"
#include "streams/event.hpp"
#include "streams/streams.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using namespace warpfiber::streams;
using warpfiber::Error;

namespace {

/// Puts what `member` says of the stream.
template <class T, class Member>
Error put_of(cudaStream_t handle, T* to, Member member) {
  if (to == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const auto stream = find_stream(handle);
  if (stream == nullptr) return Error::invalid_resource_handle;
  *to = static_cast<T>(member(*stream));
  return Error::success;
}

Error add_callback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  if (callback == nullptr) return fail(Error::invalid_value, ReasonKind::callback_null);
  if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
  const auto call = [](const HostFunctionOperation& of, Error error) {
    reinterpret_cast<cudaStreamCallback_t>(of.function)(of.stream, to_c(error), of.data);
  };
  return submit_host_function({call, reinterpret_cast<void (*)()>(callback), data, stream, true});
}

Error add_host_function(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return fail(Error::invalid_value, ReasonKind::callback_null);
  const auto call = [](const HostFunctionOperation& of, Error) {
    reinterpret_cast<cudaHostFn_t>(of.function)(of.data);
  };
  return submit_host_function({call, reinterpret_cast<void (*)()>(function), data, stream});
}

Error priority_range(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return Error::success;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call(__func__, [&] { return create_stream(stream, 0, kLeastPriority); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call(__func__, [&] { return create_stream(stream, flags, kLeastPriority); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call(__func__, [&] { return create_stream(stream, flags, priority); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call(__func__, [&] { return destroy_stream(stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call(__func__, [&] { return synchronize_stream(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call(__func__, [&] { return query_stream(stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return call(__func__, [&] { return wait_for_event(stream, event); });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  return call(__func__, [&] { return add_callback(stream, callback, data, flags); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call(__func__, [&] { return add_host_function(stream, function, data); });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call(__func__, [&] { return put_of(stream, priority, [](const Stream& s) { return s.priority.load(); }); });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call(__func__, [&] { return put_of(stream, flags, [](const Stream& s) { return s.flags; }); });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call(__func__, [&] { return put_of(stream, id, [](const Stream& s) { return s.id; }); });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call(__func__, [&] { return put_of(stream, device, [](const Stream& s) { return s.device; }); });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned flags) {
  return call(__func__, [&] { return attach(pointer, flags, stream); });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call(__func__, [&] { return copy_stream_attributes(to, from); });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return call(__func__, [&] { return stream_attribute(stream, attribute, value); });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return call(__func__, [&] { return set_stream_attribute(stream, attribute, value); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call(__func__, [&] { return create_event(event, 0); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call(__func__, [&] { return create_event(event, flags); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call(__func__, [&] { return record_event(event, stream); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return call(__func__, [&] { return record_event(event, stream); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(__func__, [&] { return query_event(event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(__func__, [&] { return synchronize_event(event); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(__func__, [&] { return destroy_event(event); });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call(__func__, [&] { return elapsed_time(milliseconds, start, end); });
}

cudaError_t cudaDeviceSynchronize() {
  return call(__func__, [] { return synchronize_device(current_device()); });
}
cudaError_t cudaDeviceReset() {
  return call_always(__func__, [] { return reset_device(); });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(__func__, [&] { return priority_range(least, greatest); });
}

cudaError_t cudaGetLastError() {
  program_asks();
  return to_c(take_error());
}
cudaError_t cudaPeekAtLastError() {
  program_asks();
  return to_c(peek_error());
}

}  // extern "C"
