// SPDX-License-Identifier: Apache-2.0
//
// Generators of the host, which need no device: orderings, offsets, several calls, settings between calls, and statuses
// of wrong ones.
#include <curand.h>

#include "recording.h"

namespace {

struct Kind {
  curandRngType_t type;
  const char* name;
};
const Kind kKinds[] = {{CURAND_RNG_PSEUDO_XORWOW, "xorwow"},
                       {CURAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a"},
                       {CURAND_RNG_PSEUDO_PHILOX4_32_10, "philox"},
                       {CURAND_RNG_QUASI_SOBOL32, "sobol32"}};
const Kind kOthers[] = {{CURAND_RNG_PSEUDO_MT19937, "mt19937"},
                        {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, "scrambled_sobol32"},
                        {CURAND_RNG_QUASI_SOBOL64, "sobol64"},
                        {CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, "scrambled_sobol64"}};

class Generator {
 public:
  explicit Generator(curandRngType_t type, unsigned long long seed = 0) : quasi_(type >= CURAND_RNG_QUASI_DEFAULT) {
    REQUIRE_SUCCESS(curandCreateGeneratorHost(&generator_, type));
    if (!quasi_) REQUIRE_SUCCESS(curandSetPseudoRandomGeneratorSeed(generator_, seed));
  }
  ~Generator() { curandDestroyGenerator(generator_); }
  operator curandGenerator_t() const { return generator_; }
  bool is_quasi() const { return quasi_; }

  void record(const std::string& key, size_t count) const {
    std::vector<unsigned> numbers(count);
    REQUIRE_SUCCESS(curandGenerate(generator_, numbers.data(), count));
    print_values(key, numbers.data(), count);
  }

 private:
  curandGenerator_t generator_;
  bool quasi_;
};

void record_orderings(const Kind& kind) {
  for (int order : {100, 101, 102, 103, 104, 105, 201}) {
    const Generator generator(kind.type, 0x123456789abcdef);
    const int status = curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(order));
    std::printf("%s ordering %d: %d\n", kind.name, order, status);
    if (status != 0 || kind.type == CURAND_RNG_PSEUDO_MT19937 || kind.type > CURAND_RNG_QUASI_SOBOL32) continue;
    const std::string key = kind.name + std::string(" ordering ") + std::to_string(order);
    generator.record(key, 20000);
    std::vector<double> numbers(10000);
    REQUIRE_SUCCESS(curandGenerateUniformDouble(generator, numbers.data(), 10000));
    print_values(key + " then uniform_double", numbers.data(), 10000, 8);
  }
}

void record_offsets(const Kind& kind) {
  for (unsigned long long offset : {1ull, 3ull, 4095ull, 4096ull, 90000ull, 300003ull, (1ull << 31) + 5}) {
    for (int order : {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY}) {
      const Generator generator(kind.type, 7);
      if (generator.is_quasi()) {
        if (order != CURAND_ORDERING_PSEUDO_DEFAULT) continue;
        REQUIRE_SUCCESS(curandSetQuasiRandomGeneratorDimensions(generator, 5));
      } else if (curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(order)) != 0) {
        continue;
      }
      REQUIRE_SUCCESS(curandSetGeneratorOffset(generator, offset));
      generator.record(kind.name + std::string(" off ") + hex(offset) + " ordering " + std::to_string(order), 5000);
    }
  }
}

void record_calls(const Kind& kind) {
  const std::string key = kind.name + std::string(" call of ");
  const Generator generator(kind.type, 7);
  for (size_t count : {5, 4096, 1, 90000, 100000}) generator.record(key + std::to_string(count), count);
  std::vector<float> normal(1000);
  for (int call = 0; call < 2; ++call) {
    REQUIRE_SUCCESS(curandGenerateNormal(generator, normal.data(), 1000, 1, 2));
    print_values(kind.name + std::string(" call ~normal ") + std::to_string(call), normal.data(), 1000, 16);
  }
}

/// A generator goes on where it was, unless its offset is set.
void record_settings(const Kind& kind) {
  const std::string key = kind.name + std::string(" after ");
  const Generator generator(kind.type);
  generator.record(key + "nothing", 8);
  if (generator.is_quasi()) {
    REQUIRE_SUCCESS(curandSetQuasiRandomGeneratorDimensions(generator, 2));
    generator.record(key + "dimensions", 8);
  } else {
    REQUIRE_SUCCESS(curandSetPseudoRandomGeneratorSeed(generator, 0));
    generator.record(key + "the same seed", 8);
    REQUIRE_SUCCESS(curandSetPseudoRandomGeneratorSeed(generator, 99));
    generator.record(key + "another seed", 8);
    REQUIRE_SUCCESS(curandGenerateSeeds(generator));
    generator.record(key + "seeds", 8);
  }
  REQUIRE_SUCCESS(curandSetGeneratorOffset(generator, 10));
  generator.record(key + "offset", 8);
}

void record_statuses(const Kind& kind) {
  std::vector<double> room(32);
  void* const to = room.data();
  const Generator g(kind.type);
  const auto say = [&](const char* what, int status) { std::printf("%s %s: %d\n", kind.name, what, status); };
  say("seed", curandSetPseudoRandomGeneratorSeed(g, 5));
  say("offset", curandSetGeneratorOffset(g, 6));
  say("seeds", curandGenerateSeeds(g));
  say("0 dimensions", curandSetQuasiRandomGeneratorDimensions(g, 0));
  say("20001 dimensions", curandSetQuasiRandomGeneratorDimensions(g, 20001));
  say("3 dimensions", curandSetQuasiRandomGeneratorDimensions(g, 3));
  if (kind.type == CURAND_RNG_PSEUDO_MT19937) return;
  say("10 bits", curandGenerate(g, static_cast<unsigned*>(to), 10));
  say("10 wide bits", curandGenerateLongLong(g, static_cast<unsigned long long*>(to), 10));
  say("10 uniform", curandGenerateUniform(g, static_cast<float*>(to), 10));
  say("0 uniform", curandGenerateUniform(g, static_cast<float*>(to), 0));
  say("9 normal", curandGenerateNormal(g, static_cast<float*>(to), 9, 0, 1));
  say("9 normal_double", curandGenerateNormalDouble(g, static_cast<double*>(to), 9, 0, 1));
  say("9 log_normal", curandGenerateLogNormal(g, static_cast<float*>(to), 9, 0, 1));
  say("12 normal of deviation -1", curandGenerateNormal(g, static_cast<float*>(to), 12, 0, -1));
  say("12 poisson of mean 0", curandGeneratePoisson(g, static_cast<unsigned*>(to), 12, 0));
  say("12 poisson of mean -1", curandGeneratePoisson(g, static_cast<unsigned*>(to), 12, -1));
}

}  // namespace

int main() {
  for (const Kind& kind : kKinds) {
    record_orderings(kind);
    record_offsets(kind);
    record_calls(kind);
    record_settings(kind);
    record_statuses(kind);
  }
  for (const Kind& kind : kOthers) {
    record_orderings(kind);
    record_statuses(kind);
  }
}
