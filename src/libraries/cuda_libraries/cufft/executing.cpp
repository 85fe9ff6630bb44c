// SPDX-License-Identifier: Apache-2.0
// The functions of cuFFT that transform. Each is an operation of the plan's stream, and the checker knows which
// elements it reads and writes.
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cuda_libraries/cufft/plans.hpp"
#include "device_memory/copies.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::LibraryAccesses;
using numerics::fft::ArrayPlace;
using numerics::fft::ElementBox;
using numerics::fft::TransformDirection;

void add_boxes(LibraryAccesses& accesses, const void* base, std::size_t element, const std::vector<ElementBox>& boxes,
               bool writes) {
  for (const ElementBox& box : boxes) {
    const char* first = static_cast<const char*>(base) + box.first * element;
    accesses.push_back(
        {device_memory::rows(first, box.pitch * element, box.rows), {box.count * element, box.rows}, writes});
  }
}

/// `array` lives until the stream has done what it has to do already.
Error keep_alive(cudaStream_t stream, const StagedArray& array) {
  return device_memory::in_stream_with(stream, {}, [array] {});
}

/// The stream does all of it in turn: reads the input by the program's callback if there is one, transforms, writes the
/// output by its callback. What a callback accesses is its kernel's to report.
CufftResult transform_in(const NumberedPlan& numbered, const TransformCall& request) {
  const std::shared_ptr<const TransformPlan> plan = numbered.plan;
  const auto [from, to] = plan->layouts(request.from == request.to);
  const ElementSizes size = element_sizes(plan->type);
  const auto [load, store] = callback_types(plan->type);
  const std::vector<ElementBox> read = plan->transform.boxes(from, plan->transform.input_width());
  const std::vector<ElementBox> written = plan->transform.boxes(to, plan->transform.output_width());
  LibraryAccesses accesses;
  StagedArray loaded, computed;
  if (numbered.callbacks.load.function != nullptr) {
    loaded = staged_array(read, size.input);
    Error error = load_by_callback(numbered.stream, load, numbered.callbacks.load, request.from, read, loaded);
    if (error == Error::success) error = keep_alive(numbered.stream, loaded);
    if (error != Error::success) return library_result(error, CUFFT_EXEC_FAILED);
  } else {
    add_boxes(accesses, request.from, size.input, read, false);
  }
  if (numbered.callbacks.store.function != nullptr) {
    computed = staged_array(written, size.output);
  } else {
    add_boxes(accesses, request.to, size.output, written, true);
  }
  const ArrayPlace<const void> source{loaded != nullptr ? loaded->data() : request.from, from};
  const ArrayPlace<void> destination{computed != nullptr ? computed->data() : request.to, to};
  const auto work = [plan, source, destination, loaded, computed, direction = TransformDirection{request.direction}] {
    if (is_double(plan->type)) {
      plan->transform.run<double>(source, destination, direction);
    } else {
      plan->transform.run<float>(source, destination, direction);
    }
  };
  Error error = device_memory::in_stream_with(numbered.stream, std::move(accesses), work);
  if (error == Error::success && computed != nullptr) {
    error = store_by_callback(numbered.stream, store, numbered.callbacks.store, request.to, written, computed);
    if (error == Error::success) error = keep_alive(numbered.stream, computed);
  }
  return library_result(error, CUFFT_EXEC_FAILED);
}

CufftResult check(cufftHandle handle, const NumberedPlan& numbered, const TransformCall& request) {
  if (numbered.plan == nullptr) return {CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_empty, handle}};
  if (numbered.plan->type != request.type) {
    return {CUFFT_INVALID_PLAN,
            {ReasonKind::transform_plan_of_other_type, handle, transform_type_name(numbered.plan->type)}};
  }
  const ElementSizes size = element_sizes(request.type);
  for (const auto& [pointer, bytes] : {std::pair{request.from, size.input}, std::pair{request.to, size.output}}) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % bytes != 0) {
      return {CUFFT_INVALID_VALUE, {ReasonKind::transform_pointer_unaligned, record::Quantity{bytes, "byte"}}};
    }
  }
  if (request.direction != CUFFT_FORWARD && request.direction != CUFFT_INVERSE) {
    return {CUFFT_INVALID_VALUE, {ReasonKind::transform_direction_unknown, request.direction}};
  }
  return {};
}

}  // namespace

ElementSizes element_sizes(cufftType type) {
  const std::size_t real = is_double(type) ? sizeof(double) : sizeof(float);
  switch (type) {
    case CUFFT_R2C:
    case CUFFT_D2Z: return {real, 2 * real};
    case CUFFT_C2R:
    case CUFFT_Z2D: return {2 * real, real};
    default: return {2 * real, 2 * real};
  }
}

CufftResult execute(cufftHandle handle, const TransformCall& request) {
  NumberedPlan used;
  CufftResult wrong = with_plan(handle, [&](NumberedPlan& numbered) {
    used = numbered;
    return check(handle, numbered, request);
  });
  return wrong.failed() ? wrong : transform_in(used, request);
}

CufftResult execute_as_planned(cufftHandle handle, void* from, void* to, int direction) {
  TransformCall request{CUFFT_C2C, from, to, direction};
  CufftResult wrong = with_plan(handle, [&](NumberedPlan& numbered) {
    if (numbered.plan != nullptr) request.type = numbered.plan->type;
    return CufftResult{};
  });
  if (request.type != CUFFT_C2C && request.type != CUFFT_Z2Z) request.direction = CUFFT_FORWARD;
  return wrong.failed() ? wrong : execute(handle, request);
}

}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_C2C, from, to, direction}); });
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_R2C, from, to}); });
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_C2R, from, to}); });
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_Z2Z, from, to, direction}); });
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_D2Z, from, to}); });
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) {
  return library_call<cufftResult>(__func__, [&] { return execute(plan, {CUFFT_Z2D, from, to}); });
}
cufftResult cufftXtExec(cufftHandle plan, void* from, void* to, int direction) {
  return library_call<cufftResult>(__func__, [&] { return execute_as_planned(plan, from, to, direction); });
}

}  // extern "C"
