// SPDX-License-Identifier: Apache-2.0
// Plans of transforms as the program numbers them, and how calls of cuFFT end. A plan is not changed once it has a
// transform, so what a stream has to do may keep it.
#pragma once

#include <warpfiber/cuda/cufft/host_api.h>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "cuda_libraries/cufft/callbacks.hpp"
#include "cuda_libraries/library_call.hpp"
#include "numerics/fft/array_transform.hpp"

namespace warpfiber::cuda_libraries {

using numerics::fft::ArrayLayout;
using numerics::fft::ArrayTransform;
using CufftResult = LibraryResult<cufftResult>;

struct CufftStatuses {
  static constexpr cufftResult in_kernel = CUFFT_INTERNAL_ERROR;
  static constexpr cufftResult in_forked_child = CUFFT_SETUP_FAILED;
  static constexpr cufftResult no_memory = CUFFT_ALLOC_FAILED;
  static constexpr cufftResult not_supported = CUFFT_NOT_SUPPORTED;
  static constexpr const char* page = "docs/cufft.md";
  static const char* name(cufftResult status);
};

/// How one side's arrays lie: as the program says, or one after the other.
struct SideLayout {
  ArrayLayout layout{};
  bool is_basic = true;
};

/// What a plan transforms, and from which layout to which.
struct TransformPlan {
  TransformPlan(cufftType of, const numerics::fft::Extents& size, std::size_t count, const SideLayout& from,
                const SideLayout& to);

  /// The layouts of a transform; real arrays of one in place have room for the complex ones.
  [[nodiscard]] std::array<ArrayLayout, 2> layouts(bool in_place) const;

  cufftType type;
  numerics::fft::Extents extents;
  std::size_t batch;
  SideLayout input;
  SideLayout output;
  ArrayTransform transform;
  std::size_t work_size = 0;  // bytes that the program may have allocated for it
};

/// What the program has under a handle. Without a `plan` it is not made yet.
struct NumberedPlan {
  std::shared_ptr<const TransformPlan> plan{};
  cudaStream_t stream = nullptr;
  TransformCallbacks callbacks{};
};

struct FourierPlans {
  base::Mutex mutex;
  cufftHandle last WARPFIBER_GUARDED_BY(mutex) = 0;
  std::map<cufftHandle, NumberedPlan> plans WARPFIBER_GUARDED_BY(mutex){};
};

FourierPlans& fourier_plans();

/// A new handle.
CufftResult create_plan(cufftHandle* handle);

/// Calls `change` with the plan under the handle, if there is one.
CufftResult with_plan(cufftHandle handle, const std::function<CufftResult(NumberedPlan&)>& change);

/// "CUFFT_R2C", or a number if there is no such type.
std::string transform_type_name(cufftType type);

/// One transform that the program asks for.
struct TransformCall {
  cufftType type;
  void* from;
  void* to;
  int direction = CUFFT_FORWARD;
};
/// The transform, as an operation of the plan's stream.
CufftResult execute(cufftHandle handle, const TransformCall& request);
/// The same as the plan says. The direction is for complex numbers alone.
CufftResult execute_as_planned(cufftHandle handle, void* from, void* to, int direction);

/// Bytes of a number of the input and of the output.
struct ElementSizes {
  std::size_t input;
  std::size_t output;
};
ElementSizes element_sizes(cufftType type);

/// Whether numbers of the type are of double precision.
constexpr bool is_double(cufftType type) {
  return (type & 0x40) != 0;
}

}  // namespace warpfiber::cuda_libraries

/// Found by the type of its argument.
warpfiber::cuda_libraries::CufftStatuses library_statuses(cufftResult status);
