// SPDX-License-Identifier: Apache-2.0
// cuRAND's tables and distributions for kernels, its version, and the names of its statuses.
#include <warpfiber/cuda/curand/host_api.h>
#include <warpfiber/cuda/curand/poisson.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "cuda_libraries/curand/statuses.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/copies.hpp"
#include "random/poisson_tables.hpp"
#include "random/sobol_tables.hpp"

using namespace warpfiber;
using warpfiber::cuda_libraries::CurandResult;
using warpfiber::cuda_libraries::library_call;
using warpfiber::record::ReasonKind;

namespace {

/// The table of a set, if it is one of `plain` and `scrambled`.
template <class Table>
CurandResult put_directions(Table** to, curandDirectionVectorSet_t set, curandDirectionVectorSet_t plain,
                            curandDirectionVectorSet_t scrambled, const Table* (*table)(bool)) {
  if (to == nullptr) return {CURAND_STATUS_OUT_OF_RANGE, ReasonKind::result_pointer_null};
  if (set != plain && set != scrambled) {
    return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_table_unknown, static_cast<int>(set)}};
  }
  *to = const_cast<Table*>(table(set == scrambled));
  return {};
}

std::size_t bytes_of(const random::HistogramColumns& columns) {
  return sizeof(curandDiscreteDistribution_st) + columns.bounds.size() * sizeof(double) +
         columns.others.size() * sizeof(unsigned);
}

/// A distribution as it is in the memory at `place`, its histogram after it.
std::vector<std::byte> image_of(double mean, const random::HistogramColumns& columns, std::byte* place) {
  std::vector<std::byte> image(bytes_of(columns));
  curandDiscreteDistribution_st distribution{mean, sqrt(mean), columns.view()};
  std::size_t used = sizeof distribution;
  const auto put = [&](const auto& values) {
    std::memcpy(image.data() + used, values.data(), std::span(values).size_bytes());
    return std::exchange(used, used + std::span(values).size_bytes()) + place;
  };
  if (!columns.bounds.empty()) {
    distribution.histogram.bounds = reinterpret_cast<const double*>(put(columns.bounds));
    distribution.histogram.others = reinterpret_cast<const unsigned*>(put(columns.others));
  }
  std::memcpy(image.data(), &distribution, sizeof distribution);
  return image;
}

CurandResult create_distribution(double mean, curandDiscreteDistribution_t* to) {
  if (to == nullptr) return {CURAND_STATUS_NOT_INITIALIZED, ReasonKind::result_pointer_null};
  if (const CurandResult wrong = cuda_libraries::check_mean(mean); wrong.failed()) return wrong;
  random::HistogramColumns columns;
  if (mean < random::kLeastWithoutTables) columns = random::poisson_histogram(mean);
  void* memory = nullptr;
  Error error = device_memory::malloc_device(&memory, bytes_of(columns));
  if (error != Error::success) return cuda_libraries::library_result(error, CURAND_STATUS_ALLOCATION_FAILED);
  const std::vector<std::byte> made = image_of(mean, columns, static_cast<std::byte*>(memory));
  error = device_memory::copy(device_memory::line(memory, made.size()), device_memory::line(made.data(), made.size()),
                              process::Box{made.size()}, cudaMemcpyHostToDevice, device_memory::kNow);
  if (error == Error::success) *to = static_cast<curandDiscreteDistribution_t>(memory);
  return cuda_libraries::library_result(error, CURAND_STATUS_PREEXISTING_FAILURE);
}

constexpr int kVersion[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};

CurandResult put_property(unsigned type, int* value) {
  if (value == nullptr) return {CURAND_STATUS_OUT_OF_RANGE, ReasonKind::result_pointer_null};
  if (type >= std::size(kVersion)) return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_property_unknown, type}};
  *value = kVersion[type];
  return {};
}

}  // namespace

CurandResult cuda_libraries::check_mean(double mean) {
  constexpr long long kMost = 400'000;  // cuRAND Library, curandGeneratePoisson()
  if (!(mean > 0)) return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_mean_not_positive, fmt::format("{}", mean)}};
  if (mean <= kMost) return {};
  return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::blas_value_too_large, "the mean", fmt::format("{}", mean), kMost}};
}

const char* cuda_libraries::CurandStatuses::name(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_SUCCESS: return "CURAND_STATUS_SUCCESS";
    case CURAND_STATUS_VERSION_MISMATCH: return "CURAND_STATUS_VERSION_MISMATCH";
    case CURAND_STATUS_NOT_INITIALIZED: return "CURAND_STATUS_NOT_INITIALIZED";
    case CURAND_STATUS_ALLOCATION_FAILED: return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_TYPE_ERROR: return "CURAND_STATUS_TYPE_ERROR";
    case CURAND_STATUS_OUT_OF_RANGE: return "CURAND_STATUS_OUT_OF_RANGE";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE: return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case CURAND_STATUS_DOUBLE_PRECISION_REQUIRED: return "CURAND_STATUS_DOUBLE_PRECISION_REQUIRED";
    case CURAND_STATUS_LAUNCH_FAILURE: return "CURAND_STATUS_LAUNCH_FAILURE";
    case CURAND_STATUS_PREEXISTING_FAILURE: return "CURAND_STATUS_PREEXISTING_FAILURE";
    case CURAND_STATUS_INITIALIZATION_FAILED: return "CURAND_STATUS_INITIALIZATION_FAILED";
    case CURAND_STATUS_ARCH_MISMATCH: return "CURAND_STATUS_ARCH_MISMATCH";
    case CURAND_STATUS_INTERNAL_ERROR: return "CURAND_STATUS_INTERNAL_ERROR";
  }
  return "";
}

extern "C" {

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[], curandDirectionVectorSet_t set) {
  return library_call<curandStatus_t>(__func__, [&] {
    return put_directions(vectors, set, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
                          CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, random::sobol_directions32);
  });
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[], curandDirectionVectorSet_t set) {
  return library_call<curandStatus_t>(__func__, [&] {
    return put_directions(vectors, set, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                          CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6, random::sobol_directions64);
  });
}
curandStatus_t curandGetScrambleConstants32(unsigned** constants) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (constants == nullptr) return CurandResult{CURAND_STATUS_OUT_OF_RANGE, ReasonKind::result_pointer_null};
    *constants = const_cast<unsigned*>(random::sobol_constants32());
    return CurandResult{};
  });
}
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (constants == nullptr) return CurandResult{CURAND_STATUS_OUT_OF_RANGE, ReasonKind::result_pointer_null};
    *constants =
        const_cast<unsigned long long*>(reinterpret_cast<const unsigned long long*>(random::sobol_constants64()));
    return CurandResult{};
  });
}
curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t* discrete_distribution) {
  return library_call<curandStatus_t>(__func__, [&] { return create_distribution(lambda, discrete_distribution); });
}
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (discrete_distribution == nullptr) {
      return CurandResult{CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_distribution_null};
    }
    return cuda_libraries::library_result(device_memory::free_device(discrete_distribution),
                                          CURAND_STATUS_PREEXISTING_FAILURE);
  });
}
curandStatus_t curandGetVersion(int* version) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (version == nullptr) return CurandResult{CURAND_STATUS_OUT_OF_RANGE, ReasonKind::result_pointer_null};
    *version = CURAND_VERSION;
    return CurandResult{};
  });
}
// The type of the first argument is in a header that only programs have.
curandStatus_t curandGetProperty(unsigned type, int* value) {
  return library_call<curandStatus_t>(__func__, [&] { return put_property(type, value); });
}

}  // extern "C"
