// SPDX-License-Identifier: Apache-2.0
// The two functions of curand_mtgp32_host.h: what the host prepares for MTGP32 is copied to the device.
#include "random/mtgp32.hpp"

#include <warpfiber/cuda/curand/host_api.h>

#include <cstddef>
#include <vector>

#include "cuda_libraries/curand/statuses.hpp"
#include "device_memory/copies.hpp"

using namespace warpfiber;
using warpfiber::cuda_libraries::CurandResult;
using warpfiber::cuda_libraries::library_call;
using warpfiber::record::ReasonKind;

namespace {

constexpr int kSets = CURAND_NUM_MTGP32_PARAMS;

CurandResult to_device(void* to, const void* from, std::size_t bytes) {
  const Error error = device_memory::copy(device_memory::line(to, bytes), device_memory::line(from, bytes),
                                          process::Box{bytes}, cudaMemcpyHostToDevice, device_memory::kNow);
  return cuda_libraries::library_result(error, CURAND_STATUS_INITIALIZATION_FAILED);
}

/// Sets of another period have states of another size.
CurandResult check_sets(const mtgp32_params_fast_t* sets, int count) {
  for (int i = 0; i < count; ++i) {
    if (sets[i].mexp == MTGPDC_MEXP) continue;
    return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_mtgp32_period, i, sets[i].mexp, MTGPDC_MEXP}};
  }
  return {};
}

CurandResult make_constants(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t* to) {
  if (sets == nullptr || to == nullptr) return {CURAND_STATUS_INITIALIZATION_FAILED, ReasonKind::result_pointer_null};
  const mtgp32_kernel_params_t made = random::mtgp32_kernel_sets(sets);
  return to_device(to, &made, sizeof made);
}

CurandResult make_states(curandStateMtgp32* to, const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t* kernel_sets,
                         int count, unsigned long long seed) {
  if (to == nullptr || sets == nullptr || kernel_sets == nullptr) {
    return {CURAND_STATUS_INITIALIZATION_FAILED, ReasonKind::result_pointer_null};
  }
  if (count < 0 || count > kSets) {
    return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_mtgp32_states, count, kSets}};
  }
  if (CurandResult wrong = check_sets(sets, count); wrong.failed()) return wrong;
  const std::vector<curandStateMtgp32> made =
      random::mtgp32_states(sets, kernel_sets, static_cast<unsigned>(count), seed);
  return to_device(to, made.data(), made.size() * sizeof made.front());
}

}  // namespace

extern "C" {

curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t* p) {
  return library_call<curandStatus_t>(__func__, [&] { return make_constants(params, p); });
}
curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, const mtgp32_params_fast_t params[],
                                           mtgp32_kernel_params_t* k, int n, unsigned long long seed) {
  return library_call<curandStatus_t>(__func__, [&] { return make_states(s, params, k, n, seed); });
}

}  // extern "C"
