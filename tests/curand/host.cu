// SPDX-License-Identifier: Apache-2.0
//
// Generators of the host interface: what each kind makes of its default and of another seed, and statuses of wrong calls.
#include <curand.h>

#include "recording.h"

namespace {

struct Kind {
  curandRngType_t type;
  const char* name;
  bool quasi, wide;
};

const Kind kKinds[] = {{CURAND_RNG_PSEUDO_DEFAULT, "default", false, false},
                       {CURAND_RNG_PSEUDO_XORWOW, "xorwow", false, false},
                       {CURAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a", false, false},
                       {CURAND_RNG_PSEUDO_PHILOX4_32_10, "philox", false, false},
                       {CURAND_RNG_QUASI_DEFAULT, "quasi", true, false},
                       {CURAND_RNG_QUASI_SOBOL32, "sobol32", true, false},
                       {CURAND_RNG_QUASI_SOBOL64, "sobol64", true, true}};

class Recorder {
 public:
  Recorder(const std::string& prefix, const Kind& kind, bool of_host, unsigned long long seed)
      : prefix_(prefix + kind.name + (seed == 0 ? " " : " seed " + std::to_string(seed) + " ")),
        kind_(kind),
        of_host_(of_host),
        seed_(seed) {
    REQUIRE_SUCCESS(cudaMalloc(&memory_, kBytes));
  }
  ~Recorder() { cudaFree(memory_); }

  template <class T, class Call>
  void record(const char* text, size_t count, size_t first, Call call) {
    curandGenerator_t generator;
    REQUIRE_SUCCESS(of_host_ ? curandCreateGeneratorHost(&generator, kind_.type)
                             : curandCreateGenerator(&generator, kind_.type));
    if (seed_ != 0) REQUIRE_SUCCESS(curandSetPseudoRandomGeneratorSeed(generator, seed_));
    std::vector<T> numbers(count);
    const int status = call(generator, of_host_ ? numbers.data() : static_cast<T*>(memory_));
    if (status != 0) {
      std::printf("%s%s: status %d\n", prefix_.c_str(), text, status);
    } else {
      if (!of_host_) cudaMemcpy(numbers.data(), memory_, count * sizeof(T), cudaMemcpyDeviceToHost);
      print_values(prefix_ + text, numbers.data(), count, first);
    }
    REQUIRE_SUCCESS(curandDestroyGenerator(generator));
  }

 private:
  static const size_t kBytes = 1 << 17;
  std::string prefix_;
  Kind kind_;
  bool of_host_;
  unsigned long long seed_;
  void* memory_;
};

// `~` before calls whose numbers are approximate.
#define RECORD(recorder, mark, T, count, first, ...) \
  recorder.record<T>(mark #__VA_ARGS__, count, first, [](curandGenerator_t g, T* p) { return __VA_ARGS__; })

void record_kind(const std::string& prefix, const Kind& kind, bool of_host, unsigned long long seed) {
  Recorder recorder(prefix, kind, of_host, seed);
  if (kind.wide) {
    RECORD(recorder, "", unsigned long long, 10000, 8, curandGenerateLongLong(g, p, 10000));
  } else {
    RECORD(recorder, "", unsigned, 10000, 8, curandGenerate(g, p, 10000));
    RECORD(recorder, "", unsigned, 1, 8, curandGenerate(g, p, 1));
    RECORD(recorder, "", unsigned long long, 10, 8, curandGenerateLongLong(g, p, 10));
  }
  RECORD(recorder, "", float, 10000, 4, curandGenerateUniform(g, p, 10000));
  RECORD(recorder, "", double, 10000, 8, curandGenerateUniformDouble(g, p, 10000));
  RECORD(recorder, "~", float, 10000, 16, curandGenerateNormal(g, p, 10000, 1, 2));
  RECORD(recorder, "~", float, 10000, 8, curandGenerateLogNormal(g, p, 10000, 1, 0.5f));
  RECORD(recorder, "~", float, 9999, 4, curandGenerateNormal(g, p, 9999, 1, 2));
  if (kind.quasi) return;
  RECORD(recorder, "~", double, 10000, 16, curandGenerateNormalDouble(g, p, 10000, 1, 2));
  RECORD(recorder, "~", double, 10000, 8, curandGenerateLogNormalDouble(g, p, 10000, 1, 0.5));
}

}  // namespace

int main() {
  for (const Kind& kind : kKinds) record_kind("", kind, false, 0);
  for (const Kind& kind : kKinds) record_kind("host ", kind, true, 0);
  record_kind("host ", kKinds[1], true, 1234);
}
