// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators of the host interface. Numbers are made when they are asked for and written in the order of the
// generator's stream. Statuses are those that cuRAND 10.4 returned.
#include <warpfiber/cuda/curand/host_api.h>

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda_libraries/curand/statuses.hpp"
#include "device_memory/copies.hpp"
#include "device_memory/ordering.hpp"
#include "random/generator.hpp"
#include "random/sobol_tables.hpp"
#include "record/reason.hpp"

using namespace warpfiber;
using warpfiber::cuda_libraries::CurandResult;
using warpfiber::cuda_libraries::library_call;
using warpfiber::random::Method;
using warpfiber::random::Numbers;
using warpfiber::random::RandomForm;
using warpfiber::record::ReasonKind;

/// A generator of the program. What it is set to holds from the next numbers on.
struct curandGenerator_st {
  random::GeneratorSettings settings{};
  bool of_host = false;
  cudaStream_t stream = nullptr;
  std::unique_ptr<random::NumberGenerator> engine{};  // null: the settings have changed
};

namespace {

CurandResult set_method(curandRngType_t type, random::GeneratorSettings& settings) {
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: settings.method = Method::xorwow; return {};
    case CURAND_RNG_PSEUDO_MRG32K3A: settings.method = Method::mrg32k3a; return {};
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: settings.method = Method::philox; return {};
    case CURAND_RNG_PSEUDO_MT19937: settings.method = Method::mt19937; return {};
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32: settings.method = Method::sobol32; return {};
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: settings.method = Method::scrambled_sobol32; return {};
    case CURAND_RNG_QUASI_SOBOL64: settings.method = Method::sobol64; return {};
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: settings.method = Method::scrambled_sobol64; return {};
    case CURAND_RNG_PSEUDO_MTGP32: return {CURAND_STATUS_TYPE_ERROR, ReasonKind::random_mtgp32_missing};
    default: return {CURAND_STATUS_TYPE_ERROR, {ReasonKind::random_generator_unknown, static_cast<int>(type)}};
  }
}

CurandResult create(curandGenerator_t* generator, curandRngType_t type, bool of_host) {
  if (generator == nullptr) return {CURAND_STATUS_NOT_INITIALIZED, ReasonKind::result_pointer_null};
  auto made = std::make_unique<curandGenerator_st>();
  made->of_host = of_host;
  CurandResult result = set_method(type, made->settings);
  if (!result.failed()) *generator = made.release();
  return result;
}

CurandResult check_applies(curandGenerator_t generator, bool applies, const char* kind) {
  if (generator == nullptr) return {CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_generator_null};
  if (!applies) return {CURAND_STATUS_TYPE_ERROR, {ReasonKind::random_for_others, kind}};
  return {};
}

/// The next numbers are those of the settings at the place where the generator is.
void begin_here(curandGenerator_t generator, const random::GeneratorSettings& settings) {
  const std::uint64_t offset =
      generator->engine == nullptr ? generator->settings.offset : generator->engine->position();
  generator->settings = settings;
  generator->settings.offset = offset;
  generator->engine.reset();
}

/// Changes the settings of a generator, if they apply to its kind. Only setting the offset moves it.
template <class Change>
CurandResult change(curandGenerator_t generator, bool applies, const char* kind, Change make) {
  if (CurandResult wrong = check_applies(generator, applies, kind); wrong.failed()) return wrong;
  random::GeneratorSettings changed = generator->settings;
  make(changed);
  if (changed != generator->settings) begin_here(generator, changed);
  return {};
}

CurandResult set_offset(curandGenerator_t generator, unsigned long long offset) {
  // As on the device: std::mt19937 has no jump.
  const bool jumps = generator == nullptr || generator->settings.method != Method::mt19937;
  if (CurandResult wrong = check_applies(generator, jumps, "one with offsets"); wrong.failed()) return wrong;
  generator->settings.offset = offset;
  generator->engine.reset();
  return {};
}

CurandResult make_seeds(curandGenerator_t generator) {
  if (CurandResult wrong = check_applies(generator, true, ""); wrong.failed()) return wrong;
  begin_here(generator, generator->settings);
  return {};
}

bool is_quasi(curandGenerator_t generator) {
  return generator != nullptr && random::is_quasi(generator->settings.method);
}

CurandResult set_dimensions(curandGenerator_t generator, unsigned dimensions) {
  if (is_quasi(generator) && (dimensions == 0 || dimensions > random::kSobolDimensions)) {
    return {
        CURAND_STATUS_OUT_OF_RANGE,
        {ReasonKind::random_dimensions_beyond, record::Quantity{dimensions, "dimension"}, random::kSobolDimensions}};
  }
  return change(generator, is_quasi(generator), "quasirandom",
                [=](random::GeneratorSettings& settings) { settings.dimensions = dimensions; });
}

/// As cuRAND 10.4 has it for generators of the host. What depends on the device is for those of the device.
bool has_order(curandGenerator_t generator, curandOrdering_t order) {
  const Method method = generator->settings.method;
  if (random::is_quasi(method)) return order == CURAND_ORDERING_QUASI_DEFAULT;
  switch (order) {
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY: return true;
    case CURAND_ORDERING_PSEUDO_BEST: return method != Method::mt19937 || !generator->of_host;
    case CURAND_ORDERING_PSEUDO_SEEDED: return method == Method::xorwow;
    case CURAND_ORDERING_PSEUDO_DYNAMIC: return method != Method::mt19937 && !generator->of_host;
    default: return false;
  }
}

CurandResult set_order(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return {CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_generator_null};
  if (!has_order(generator, order)) {
    return {CURAND_STATUS_OUT_OF_RANGE, {ReasonKind::random_ordering_unknown, static_cast<int>(order)}};
  }
  return change(generator, true, "", [=](random::GeneratorSettings& settings) {
    settings.order = order == CURAND_ORDERING_PSEUDO_SEEDED   ? random::StreamOrder::seeded
                     : order == CURAND_ORDERING_PSEUDO_LEGACY ? random::StreamOrder::legacy
                                                              : random::StreamOrder::standard;
  });
}

bool makes_pairs(Method method) {
  return method == Method::xorwow || method == Method::mrg32k3a;
}

CurandResult check_length(const random::GeneratorSettings& settings, std::size_t count, RandomForm form) {
  const bool normal = form >= RandomForm::normal && form <= RandomForm::log_normal_double;
  if (normal && makes_pairs(settings.method) && count % 2 != 0) {
    return {CURAND_STATUS_LENGTH_NOT_MULTIPLE,
            {ReasonKind::random_numbers_in_pairs, record::Quantity{count, "number"}}};
  }
  if (random::is_quasi(settings.method) && count % settings.dimensions != 0) {
    return {CURAND_STATUS_LENGTH_NOT_MULTIPLE,
            {ReasonKind::random_dimensions_uneven, record::Quantity{count, "number"},
             record::Quantity{settings.dimensions, "dimension"}}};
  }
  return {};
}

CurandResult check_form(Method method, RandomForm form) {
  if (form == RandomForm::bits && random::has_64_bits(method)) {
    return {CURAND_STATUS_TYPE_ERROR, ReasonKind::random_bits_wide};
  }
  if (form == RandomForm::bits64 && !random::has_64_bits(method)) {
    return {CURAND_STATUS_TYPE_ERROR, ReasonKind::random_bits_narrow};
  }
  return {};
}

CurandResult generate(curandGenerator_t generator, void* to, std::size_t count, const Numbers& numbers) {
  if (generator == nullptr) return {CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_generator_null};
  if (const Error failure = device_memory::device_failure(); failure != Error::success && !generator->of_host) {
    return {CURAND_STATUS_PREEXISTING_FAILURE, record::stated(error_name(failure))};
  }
  CurandResult wrong = check_form(generator->settings.method, numbers.form);
  if (!wrong.failed()) wrong = check_length(generator->settings, count, numbers.form);
  if (wrong.failed() || count == 0) return wrong;
  if (generator->engine == nullptr) generator->engine = random::make_generator(generator->settings);
  if (generator->of_host) {
    generator->engine->fill(to, count, numbers);
    return {};
  }
  const auto made = std::make_shared<std::vector<std::byte>>(count * random::size_of(numbers.form));
  generator->engine->fill(made->data(), count, numbers);
  return cuda_libraries::library_result(device_memory::write(to, made, generator->stream),
                                        CURAND_STATUS_LAUNCH_FAILURE);
}

CurandResult generate_counts(curandGenerator_t generator, unsigned* to, std::size_t count, double mean) {
  if (const CurandResult wrong = cuda_libraries::check_mean(mean); wrong.failed()) return wrong;
  return generate(generator, to, count, {RandomForm::poisson, mean});
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
  return library_call<curandStatus_t>(__func__, [&] { return create(generator, rng_type, false); });
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
  return library_call<curandStatus_t>(__func__, [&] { return create(generator, rng_type, true); });
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (generator == nullptr) return CurandResult{CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_generator_null};
    delete generator;
    return CurandResult{};
  });
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return library_call<curandStatus_t>(__func__, [&] {
    if (generator == nullptr) return CurandResult{CURAND_STATUS_NOT_INITIALIZED, ReasonKind::random_generator_null};
    generator->stream = stream;
    return CurandResult{};
  });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return library_call<curandStatus_t>(__func__, [&] {
    return change(generator, !is_quasi(generator), "pseudorandom",
                  [=](random::GeneratorSettings& settings) { settings.seed = seed; });
  });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return library_call<curandStatus_t>(__func__, [&] { return set_offset(generator, offset); });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  return library_call<curandStatus_t>(__func__, [&] { return set_order(generator, order); });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned num_dimensions) {
  return library_call<curandStatus_t>(__func__, [&] { return set_dimensions(generator, num_dimensions); });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return library_call<curandStatus_t>(__func__, [&] { return make_seeds(generator); });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
  return library_call<curandStatus_t>(__func__, [&] { return generate(generator, to, count, {RandomForm::bits}); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to, size_t count) {
  return library_call<curandStatus_t>(__func__, [&] { return generate(generator, to, count, {RandomForm::bits64}); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return library_call<curandStatus_t>(__func__, [&] { return generate(generator, to, count, {RandomForm::uniform}); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return library_call<curandStatus_t>(__func__,
                                      [&] { return generate(generator, to, count, {RandomForm::uniform_double}); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count, float mean, float stddev) {
  return library_call<curandStatus_t>(__func__, [&] {
    return generate(generator, to, count, {RandomForm::normal, mean, stddev});
  });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count, double mean,
                                          double stddev) {
  return library_call<curandStatus_t>(__func__, [&] {
    return generate(generator, to, count, {RandomForm::normal_double, mean, stddev});
  });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count, float mean, float stddev) {
  return library_call<curandStatus_t>(__func__, [&] {
    return generate(generator, to, count, {RandomForm::log_normal, mean, stddev});
  });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count, double mean,
                                             double stddev) {
  return library_call<curandStatus_t>(__func__, [&] {
    return generate(generator, to, count, {RandomForm::log_normal_double, mean, stddev});
  });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* to, size_t count, double lambda) {
  return library_call<curandStatus_t>(__func__, [&] { return generate_counts(generator, to, count, lambda); });
}

}  // extern "C"
