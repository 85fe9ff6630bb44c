// SPDX-License-Identifier: Apache-2.0
// Callbacks are device functions, so kernels call them: the checker sees what they access, and in which thread.
#include "cuda_libraries/cufft/callbacks.hpp"

#include <warpfiber/cuda/api/flags.h>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/launch.hpp>
#include <warpfiber/shared.hpp>

#include <algorithm>

#include "cuda_libraries/cufft/plans.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::fft::ElementBox;

constexpr unsigned kThreadsOfBlock = 256;

/// Calls handle(offset) with where the thread's element is in the array, if it has one of the box.
template <class Handle>
void with_offset(const ElementBox& box, const Handle& handle) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < box.count * box.rows) handle(box.first + i / box.count * box.pitch + i % box.count);
}

template <class Number>
using LoadCallback = Number (*)(void* data, std::size_t offset, void* info, void* shared);
template <class Number>
using StoreCallback = void (*)(void* data, std::size_t offset, Number value, void* info, void* shared);

template <class Number>
void load_elements(LoadCallback<Number> load, void* data, void* info, ElementBox box, Number* to) {
  with_offset(box, [&](std::size_t offset) { to[offset] = load(data, offset, info, dynamic_shared<char>()); });
}

template <class Number>
void store_elements(StoreCallback<Number> store, void* data, void* info, ElementBox box, const Number* from) {
  with_offset(box, [&](std::size_t offset) { store(data, offset, from[offset], info, dynamic_shared<char>()); });
}

template <class Kernel, class Function, class Number>
Error launch_for_each(cudaStream_t stream, Kernel* kernel, Function function, const TransformCallback& callback,
                      void* data, const std::vector<ElementBox>& boxes, Number* staged) {
  for (const ElementBox& box : boxes) {
    const std::size_t blocks = (box.count * box.rows + kThreadsOfBlock - 1) / kThreadsOfBlock;
    const LaunchConfig config{.grid = static_cast<unsigned>(blocks),
                              .block = kThreadsOfBlock,
                              .dynamic_shared = callback.shared,
                              .stream = StreamRef(stream != nullptr ? stream : cudaStreamLegacy)};
    const LaunchResult launched = launch(config, kernel, function, data, callback.info, box, staged);
    if (!launched) return launched.error();
  }
  return Error::success;
}

/// Calls use(Number()) with the numbers that the callback is for.
template <class Use>
Error with_number(cufftXtCallbackType type, const Use& use) {
  switch (type) {
    case CUFFT_CB_LD_REAL:
    case CUFFT_CB_ST_REAL: return use(cufftReal());
    case CUFFT_CB_LD_REAL_DOUBLE:
    case CUFFT_CB_ST_REAL_DOUBLE: return use(cufftDoubleReal());
    case CUFFT_CB_LD_COMPLEX_DOUBLE:
    case CUFFT_CB_ST_COMPLEX_DOUBLE: return use(cufftDoubleComplex());
    default: return use(cufftComplex());
  }
}

/// Calls change(callback) with the plan's callback of that type.
template <class Change>
CufftResult with_callback(cufftHandle handle, cufftXtCallbackType type, const Change& change) {
  return with_plan(handle, [&](NumberedPlan& numbered) -> CufftResult {
    if (numbered.plan == nullptr) return {CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_empty, handle}};
    const auto [load, store] = callback_types(numbered.plan->type);
    if (type != load && type != store) {
      return {CUFFT_INVALID_TYPE,
              {ReasonKind::transform_plan_of_other_type, handle, transform_type_name(numbered.plan->type)}};
    }
    change(type == load ? numbered.callbacks.load : numbered.callbacks.store);
    return {};
  });
}

CufftResult set_callback(cufftHandle handle, cufftXtCallbackType type, void* function, void* info) {
  return with_callback(handle, type, [&](TransformCallback& mine) {
    mine.function = function;
    mine.info = info;
  });
}

/// Of the first device, which is the only one of a plan.
void* first_of(void** list) {
  return list == nullptr ? nullptr : list[0];
}

}  // namespace

std::array<cufftXtCallbackType, 2> callback_types(cufftType type) {
  switch (type) {
    case CUFFT_R2C: return {CUFFT_CB_LD_REAL, CUFFT_CB_ST_COMPLEX};
    case CUFFT_C2R: return {CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_REAL};
    case CUFFT_D2Z: return {CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE};
    case CUFFT_Z2D: return {CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL_DOUBLE};
    case CUFFT_Z2Z: return {CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE};
    default: return {CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_COMPLEX};
  }
}

std::size_t reach_of(const std::vector<ElementBox>& boxes) {
  std::size_t reach = 0;
  for (const ElementBox& box : boxes) {
    if (box.rows != 0) reach = std::max(reach, box.first + (box.rows - 1) * box.pitch + box.count);
  }
  return reach;
}

StagedArray staged_array(const std::vector<ElementBox>& boxes, std::size_t element) {
  return std::make_shared<std::vector<std::byte>>(reach_of(boxes) * element);
}

Error load_by_callback(cudaStream_t stream, cufftXtCallbackType type, const TransformCallback& callback, void* data,
                       const std::vector<ElementBox>& boxes, const StagedArray& to) {
  return with_number(type, [&]<class Number>(Number) {
    return launch_for_each(stream, &load_elements<Number>, reinterpret_cast<LoadCallback<Number>>(callback.function),
                           callback, data, boxes, reinterpret_cast<Number*>(to->data()));
  });
}

Error store_by_callback(cudaStream_t stream, cufftXtCallbackType type, const TransformCallback& callback, void* data,
                        const std::vector<ElementBox>& boxes, const StagedArray& from) {
  return with_number(type, [&]<class Number>(Number) {
    return launch_for_each(stream, &store_elements<Number>, reinterpret_cast<StoreCallback<Number>>(callback.function),
                           callback, data, boxes, reinterpret_cast<const Number*>(from->data()));
  });
}

}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cufftResult cufftXtSetCallback(cufftHandle plan, void** callbacks, cufftXtCallbackType type, void** infos) {
  return library_call<cufftResult>(__func__, [&] {
    if (first_of(callbacks) == nullptr) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::transform_callback_null};
    return set_callback(plan, type, first_of(callbacks), first_of(infos));
  });
}
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
  return library_call<cufftResult>(__func__, [&] { return set_callback(plan, type, nullptr, nullptr); });
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t size) {
  return library_call<cufftResult>(
      __func__, [&] { return with_callback(plan, type, [&](TransformCallback& mine) { mine.shared = size; }); });
}

}  // extern "C"
