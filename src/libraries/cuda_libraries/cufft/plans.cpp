// SPDX-License-Identifier: Apache-2.0
// How plans of cuFFT are made, numbered and destroyed. Layouts: cuFFT Library, "Advanced Data Layout"; statuses are
// those that cuFFT returned on an H200.
#include "cuda_libraries/cufft/plans.hpp"

#include <fmt/format.h>

#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::cuda_libraries {

using numerics::fft::Extents;
using numerics::fft::TransformKind;

namespace {

TransformKind kind_of(cufftType type) {
  switch (type) {
    case CUFFT_R2C:
    case CUFFT_D2Z: return TransformKind::real_to_complex;
    case CUFFT_C2R:
    case CUFFT_Z2D: return TransformKind::complex_to_real;
    default: return TransformKind::complex_to_complex;
  }
}

/// Arrays one after the other, whose lines have room for `width` elements.
ArrayLayout basic_layout(const Extents& extents, std::size_t width) {
  const auto last = static_cast<std::size_t>(extents.rank) - 1;
  ArrayLayout layout;
  layout.embed = extents.length;
  layout.embed.at(last) = width;
  layout.distance = 1;
  for (std::size_t d = 0; d <= last; ++d) layout.distance *= layout.embed.at(d);
  return layout;
}

/// What cuFFT keeps for the process.
struct CufftState {
  static CufftState the_process;

  base::Service<FourierPlans> plans;
};

constinit CufftState CufftState::the_process;

}  // namespace

const char* CufftStatuses::name(cufftResult status) {
  switch (status) {
    case CUFFT_SUCCESS: return "CUFFT_SUCCESS";
    case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
    case CUFFT_NOT_SUPPORTED: return "CUFFT_NOT_SUPPORTED";
    default: return "an error of cuFFT";
  }
}

std::string transform_type_name(cufftType type) {
  switch (type) {
    case CUFFT_R2C: return "CUFFT_R2C";
    case CUFFT_C2R: return "CUFFT_C2R";
    case CUFFT_C2C: return "CUFFT_C2C";
    case CUFFT_D2Z: return "CUFFT_D2Z";
    case CUFFT_Z2D: return "CUFFT_Z2D";
    case CUFFT_Z2Z: return "CUFFT_Z2Z";
  }
  return fmt::format("0x{:x}", static_cast<unsigned>(type));
}

TransformPlan::TransformPlan(cufftType of, const Extents& size, std::size_t count, const SideLayout& from,
                             const SideLayout& to)
    : type(of), extents(size), batch(count), input(from), output(to), transform(kind_of(of), size, count) {}

std::array<ArrayLayout, 2> TransformPlan::layouts(bool in_place) const {
  const bool real_input = kind_of(type) == TransformKind::real_to_complex;
  const bool real_output = kind_of(type) == TransformKind::complex_to_real;
  std::size_t from_width = transform.input_width(), to_width = transform.output_width();
  if (in_place && real_input) from_width = 2 * to_width;
  if (in_place && real_output) to_width = 2 * from_width;
  return {input.is_basic ? basic_layout(extents, from_width) : input.layout,
          output.is_basic ? basic_layout(extents, to_width) : output.layout};
}

FourierPlans& fourier_plans() {
  return CufftState::the_process.plans.get();
}

CufftResult create_plan(cufftHandle* handle) {
  if (handle == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
  FourierPlans& all = fourier_plans();
  const base::Lock lock(all.mutex);
  all.plans[++all.last] = {};
  *handle = all.last;
  return {};
}

CufftResult with_plan(cufftHandle handle, const std::function<CufftResult(NumberedPlan&)>& change) {
  FourierPlans& all = fourier_plans();
  const base::Lock lock(all.mutex);
  const auto found = all.plans.find(handle);
  if (found == all.plans.end()) return {CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_unknown, handle}};
  return change(found->second);
}

}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  return library_call<cufftResult>(__func__, [&] { return create_plan(handle); });
}
cufftResult cufftDestroy(cufftHandle plan) {
  return library_call<cufftResult>(__func__, [&] {
    FourierPlans& all = fourier_plans();
    const warpfiber::base::Lock lock(all.mutex);
    if (all.plans.erase(plan) == 1) return CufftResult{};
    return CufftResult{CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_unknown, plan}};
  });
}
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return library_call<cufftResult>(__func__, [&] {
    return with_plan(plan, [&](NumberedPlan& numbered) {
      numbered.stream = stream;
      return CufftResult{};
    });
  });
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return library_call<cufftResult>(__func__,
                                   [&] { return with_plan(plan, [](NumberedPlan&) { return CufftResult{}; }); });
}
cufftResult cufftSetWorkArea(cufftHandle plan, void*) {
  return library_call<cufftResult>(__func__,
                                   [&] { return with_plan(plan, [](NumberedPlan&) { return CufftResult{}; }); });
}
cufftResult cufftGetVersion(int* version) {
  return library_call<cufftResult>(__func__, [&] {
    if (version == nullptr) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
    *version = CUFFT_VERSION;
    return CufftResult{};
  });
}
// The type of the first argument is in a header that only programs have.
cufftResult cufftGetProperty(unsigned type, int* value) {
  return library_call<cufftResult>(__func__, [&] {
    constexpr int kVersion[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (value == nullptr) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
    if (type > 2) return CufftResult{CUFFT_INVALID_TYPE, {ReasonKind::transform_property_unknown, type}};
    *value = kVersion[type];
    return CufftResult{};
  });
}

}  // extern "C"
