// SPDX-License-Identifier: Apache-2.0
// Arrays that cuFFT allocates and describes, for plans of one device: each is one piece, in natural order.
// Source: cuFFT documentation, "Multiple GPU cuFFT Transforms".
#include <warpfiber/cuda/cufft/xt_api.h>

#include <algorithm>
#include <memory>

#include "cuda_libraries/cufft/plans.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/copies.hpp"
#include "process/current_device.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// Bytes from the first to behind the last element that a transform reads or writes.
struct ArrayBytes {
  std::size_t input;
  std::size_t output;
};

ArrayBytes bytes_of(const TransformPlan& plan, bool in_place) {
  const auto [from, to] = plan.layouts(in_place);
  const ElementSizes size = element_sizes(plan.type);
  return {reach_of(plan.transform.boxes(from, plan.transform.input_width())) * size.input,
          reach_of(plan.transform.boxes(to, plan.transform.output_width())) * size.output};
}

CufftResult plan_of(cufftHandle handle, std::shared_ptr<const TransformPlan>& plan) {
  return with_plan(handle, [&](NumberedPlan& numbered) {
    plan = numbered.plan;
    if (plan == nullptr) return CufftResult{CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_empty, handle}};
    return CufftResult{};
  });
}

CufftResult set_devices(cufftHandle handle, int count, const int* devices) {
  return with_plan(handle, [&](NumberedPlan& numbered) {
    if (numbered.plan != nullptr) return CufftResult{CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_has_one, handle}};
    if (devices == nullptr || count < 1) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::transform_devices_none};
    for (int i = 0; i < count; ++i) {
      if (devices[i] < 0 || devices[i] >= process::device_count())
        return CufftResult{CUFFT_INVALID_DEVICE, {ReasonKind::transform_device_unknown, devices[i]}};
    }
    if (count > 1) return CufftResult{CUFFT_NOT_SUPPORTED, {ReasonKind::transform_of_several_devices, count}};
    return CufftResult{};
  });
}

bool is_in_place(int format) {
  return format == CUFFT_XT_FORMAT_INPLACE || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
}

CufftResult allocate(cufftHandle handle, cudaLibXtDesc** to, cufftXtSubFormat format) {
  if (to == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
  std::shared_ptr<const TransformPlan> plan;
  CufftResult wrong = plan_of(handle, plan);
  if (wrong.failed()) return wrong;
  const ArrayBytes bytes = bytes_of(*plan, is_in_place(format));
  auto described = std::make_unique<cudaXtDesc>();
  described->version = CUDA_XT_DESCRIPTOR_VERSION;
  described->nGPUs = 1;
  described->GPUs[0] = process::current_device();
  described->size[0] = is_in_place(format)                ? std::max(bytes.input, bytes.output)
                       : format == CUFFT_XT_FORMAT_OUTPUT ? bytes.output
                                                          : bytes.input;
  wrong = library_result(device_memory::malloc_device(&described->data[0], described->size[0]), CUFFT_ALLOC_FAILED);
  if (wrong.failed()) return wrong;
  *to = new cudaLibXtDesc{CUDA_XT_DESCRIPTOR_VERSION, described.release(), LIB_FORMAT_CUFFT, format, nullptr};
  return {};
}

void* data_of(const void* described) {
  return static_cast<const cudaLibXtDesc*>(described)->descriptor->data[0];
}

CufftResult copy(cufftHandle handle, void* to, void* from, cufftXtCopyType type) {
  if (to == nullptr || from == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::transform_descriptor_null};
  std::shared_ptr<const TransformPlan> plan;
  CufftResult wrong = plan_of(handle, plan);
  if (wrong.failed()) return wrong;
  const auto* described = static_cast<const cudaLibXtDesc*>(type == CUFFT_COPY_DEVICE_TO_HOST ? from : to);
  const ArrayBytes bytes = bytes_of(*plan, is_in_place(described->subFormat));
  const bool is_output = described->subFormat == CUFFT_XT_FORMAT_OUTPUT ||
                         described->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ||
                         (type == CUFFT_COPY_DEVICE_TO_HOST && described->subFormat == CUFFT_XT_FORMAT_INPLACE);
  const std::size_t size = is_output ? bytes.output : bytes.input;
  if (type < CUFFT_COPY_HOST_TO_DEVICE || type > CUFFT_COPY_DEVICE_TO_DEVICE)
    return {CUFFT_INVALID_VALUE, {ReasonKind::transform_copy_unknown, static_cast<int>(type)}};
  constexpr cudaMemcpyKind kKinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice};
  void* const destination = type == CUFFT_COPY_DEVICE_TO_HOST ? to : data_of(to);
  const void* const source = type == CUFFT_COPY_HOST_TO_DEVICE ? from : data_of(from);
  return library_result(
      device_memory::copy(device_memory::rows(destination, size, 1), device_memory::rows(source, size, 1),
                          process::Box{size}, kKinds[type], device_memory::kNow),
      CUFFT_INTERNAL_ERROR);
}

CufftResult release(cudaLibXtDesc* described) {
  if (described == nullptr) return {};
  const Error error = device_memory::free_device(described->descriptor->data[0]);
  delete described->descriptor;
  delete described;
  return library_result(error, CUFFT_INTERNAL_ERROR);
}

/// The transform of one described array into another.
template <class Execute>
CufftResult between(const cudaLibXtDesc* in, const cudaLibXtDesc* out, const Execute& execute) {
  if (in == nullptr || out == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::transform_descriptor_null};
  return execute(data_of(in), data_of(out));
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

#define WARPFIBER_EXECUTE_DESCRIBED(name, type)                                                       \
  cufftResult name(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out) {                         \
    return library_call<cufftResult>(__func__, [&] {                                                  \
      return between(in, out, [&](void* from, void* to) { return execute(plan, {type, from, to}); }); \
    });                                                                                               \
  }
#define WARPFIBER_EXECUTE_DESCRIBED_BOTH_WAYS(name, type)                                                        \
  cufftResult name(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {                     \
    return library_call<cufftResult>(__func__, [&] {                                                             \
      return between(in, out, [&](void* from, void* to) { return execute(plan, {type, from, to, direction}); }); \
    });                                                                                                          \
  }

extern "C" {

cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int* devices) {
  return library_call<cufftResult>(__func__, [&] { return set_devices(plan, count, devices); });
}
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  return library_call<cufftResult>(__func__, [&] { return allocate(plan, descriptor, format); });
}
cufftResult cufftXtMemcpy(cufftHandle plan, void* to, void* from, cufftXtCopyType type) {
  return library_call<cufftResult>(__func__, [&] { return copy(plan, to, from, type); });
}
cufftResult cufftXtFree(cudaLibXtDesc* descriptor) {
  return library_call<cufftResult>(__func__, [&] { return release(descriptor); });
}
cufftResult cufftXtSetWorkArea(cufftHandle plan, void**) {
  return library_call<cufftResult>(__func__,
                                   [&] { return with_plan(plan, [](NumberedPlan&) { return CufftResult{}; }); });
}
WARPFIBER_EXECUTE_DESCRIBED_BOTH_WAYS(cufftXtExecDescriptorC2C, CUFFT_C2C)
WARPFIBER_EXECUTE_DESCRIBED_BOTH_WAYS(cufftXtExecDescriptorZ2Z, CUFFT_Z2Z)
WARPFIBER_EXECUTE_DESCRIBED(cufftXtExecDescriptorR2C, CUFFT_R2C)
WARPFIBER_EXECUTE_DESCRIBED(cufftXtExecDescriptorC2R, CUFFT_C2R)
WARPFIBER_EXECUTE_DESCRIBED(cufftXtExecDescriptorD2Z, CUFFT_D2Z)
WARPFIBER_EXECUTE_DESCRIBED(cufftXtExecDescriptorZ2D, CUFFT_Z2D)
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  return library_call<cufftResult>(__func__, [&] {
    return between(in, out, [&](void* from, void* to) { return execute_as_planned(plan, from, to, direction); });
  });
}

}  // extern "C"
