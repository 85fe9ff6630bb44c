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

/// Where the element is that the thread handles, from the first one of the array; `count` and more: none.
std::size_t index_of_thread() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

template <class Number>
using LoadCallback = Number (*)(void* data, std::size_t offset, void* info, void* shared);
template <class Number>
using StoreCallback = void (*)(void* data, std::size_t offset, Number value, void* info, void* shared);

template <class Number>
void load_elements(LoadCallback<Number> load, void* data, void* info, ElementBox box, Number* to) {
  const std::size_t i = index_of_thread();
  if (i >= box.count * box.rows) return;
  const std::size_t offset = box.first + i / box.count * box.pitch + i % box.count;
  to[offset] = load(data, offset, info, dynamic_shared<char>());
}

template <class Number>
void store_elements(StoreCallback<Number> store, void* data, void* info, ElementBox box, const Number* from) {
  const std::size_t i = index_of_thread();
  if (i >= box.count * box.rows) return;
  const std::size_t offset = box.first + i / box.count * box.pitch + i % box.count;
  store(data, offset, from[offset], info, dynamic_shared<char>());
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

template <class Number>
Error load_as(cudaStream_t stream, const TransformCallback& callback, void* data, const std::vector<ElementBox>& boxes,
              const StagedArray& to) {
  return launch_for_each(stream, &load_elements<Number>, reinterpret_cast<LoadCallback<Number>>(callback.function),
                         callback, data, boxes, reinterpret_cast<Number*>(to->data()));
}

template <class Number>
Error store_as(cudaStream_t stream, const TransformCallback& callback, void* data, const std::vector<ElementBox>& boxes,
               const StagedArray& from) {
  return launch_for_each(stream, &store_elements<Number>, reinterpret_cast<StoreCallback<Number>>(callback.function),
                         callback, data, boxes, reinterpret_cast<const Number*>(from->data()));
}

CufftResult set_callback(NumberedPlan& numbered, cufftHandle handle, cufftXtCallbackType type,
                         const TransformCallback& callback) {
  if (numbered.plan == nullptr) return {CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_empty, handle}};
  const auto [load, store] = callback_types(numbered.plan->type);
  if (type != load && type != store) {
    return {CUFFT_INVALID_TYPE,
            {ReasonKind::transform_plan_of_other_type, handle, transform_type_name(numbered.plan->type)}};
  }
  TransformCallback& mine = type == load ? numbered.callbacks.load : numbered.callbacks.store;
  const std::size_t shared = mine.shared;
  mine = callback;
  mine.shared = shared;
  return {};
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
  switch (type) {
    case CUFFT_CB_LD_REAL: return load_as<cufftReal>(stream, callback, data, boxes, to);
    case CUFFT_CB_LD_REAL_DOUBLE: return load_as<cufftDoubleReal>(stream, callback, data, boxes, to);
    case CUFFT_CB_LD_COMPLEX_DOUBLE: return load_as<cufftDoubleComplex>(stream, callback, data, boxes, to);
    default: return load_as<cufftComplex>(stream, callback, data, boxes, to);
  }
}

Error store_by_callback(cudaStream_t stream, cufftXtCallbackType type, const TransformCallback& callback, void* data,
                        const std::vector<ElementBox>& boxes, const StagedArray& from) {
  switch (type) {
    case CUFFT_CB_ST_REAL: return store_as<cufftReal>(stream, callback, data, boxes, from);
    case CUFFT_CB_ST_REAL_DOUBLE: return store_as<cufftDoubleReal>(stream, callback, data, boxes, from);
    case CUFFT_CB_ST_COMPLEX_DOUBLE: return store_as<cufftDoubleComplex>(stream, callback, data, boxes, from);
    default: return store_as<cufftComplex>(stream, callback, data, boxes, from);
  }
}

}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cufftResult cufftXtSetCallback(cufftHandle plan, void** callbacks, cufftXtCallbackType type, void** infos) {
  return library_call<cufftResult>(__func__, [&] {
    if (first_of(callbacks) == nullptr) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::transform_callback_null};
    return with_plan(plan, [&](NumberedPlan& numbered) {
      return set_callback(numbered, plan, type, {.function = first_of(callbacks), .info = first_of(infos)});
    });
  });
}
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
  return library_call<cufftResult>(__func__, [&] {
    return with_plan(plan, [&](NumberedPlan& numbered) { return set_callback(numbered, plan, type, {}); });
  });
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_plan(plan, [&](NumberedPlan& numbered) {
      const bool loads = type <= CUFFT_CB_LD_REAL_DOUBLE;
      TransformCallback kept = loads ? numbered.callbacks.load : numbered.callbacks.store;
      const CufftResult wrong = set_callback(numbered, plan, type, kept);
      if (!wrong.failed()) (loads ? numbered.callbacks.load : numbered.callbacks.store).shared = size;
      return wrong;
    });
  });
}

}  // extern "C"
