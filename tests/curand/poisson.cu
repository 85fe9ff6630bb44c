// SPDX-License-Identifier: Apache-2.0
//
// Poisson's distribution in kernels and of generators of the host interface. After every 100th number follows a plain
// one, so that a line differs where another number of draws was taken.
#include <curand.h>

#include "drawing.h"

namespace {

typedef unsigned long long u64;

const double kMeans[] = {64, 64.5, 70, 100, 200, 500, 1000, 1999.5, 3000, 3999, 4000, 4001, 10000};
const double kSmallMeans[] = {0.3, 1, 5.5, 30, 63.9};
const double kMeanOnHost = 1000;
const int kDrawn = 2020;
const int kPrinted = 2;

template <class State>
struct Seeded {
  u64 seed, subsequence, offset;
  __device__ void operator()(State* state) const { curand_init(seed, subsequence, offset, state); }
};
struct FirstDimension32 {
  unsigned* vectors;
  unsigned constant, offset;
  __device__ void operator()(curandStateSobol32_t* state) const { curand_init(vectors, offset, state); }
  __device__ void operator()(curandStateScrambledSobol32_t* state) const {
    curand_init(vectors, constant, offset, state);
  }
};
struct FirstDimension64 {
  u64* vectors;
  u64 constant, offset;
  __device__ void operator()(curandStateSobol64_t* state) const { curand_init(vectors, offset, state); }
  __device__ void operator()(curandStateScrambledSobol64_t* state) const {
    curand_init(vectors, constant, offset, state);
  }
};

/// Every 101st number is a plain one.
template <class Of>
struct WithPlain {
  typedef unsigned Number;
  Of of;
  mutable int turn;
  template <class State>
  __device__ unsigned operator()(State* state) const {
    return turn++ % 101 == 100 ? static_cast<unsigned>(curand(state)) : of(state);
  }
};
struct OfMean {
  double mean;
  template <class State>
  __device__ unsigned operator()(State* state) const {
    return curand_poisson(state, mean);
  }
};
struct OfTable {
  curandDiscreteDistribution_t table;
  template <class State>
  __device__ unsigned operator()(State* state) const {
    return curand_discrete(state, table);
  }
};
struct FoursOfMean {
  typedef uint4 Number;
  double mean;
  mutable int turn;
  __device__ uint4 operator()(curandStatePhilox4_32_10_t* state) const {
    return turn++ % 26 == 25 ? curand4(state) : curand_poisson4(state, mean);
  }
};
struct FoursOfTable {
  typedef uint4 Number;
  curandDiscreteDistribution_t table;
  mutable int turn;
  __device__ uint4 operator()(curandStatePhilox4_32_10_t* state) const {
    return turn++ % 26 == 25 ? curand4(state) : curand_discrete4(state, table);
  }
};

template <class State, class Init>
void record_mean(const std::string& name, Init init, double mean, curandDiscreteDistribution_t table) {
  const std::string of = " of " + std::to_string(mean);
  record<State>(name + " poisson" + of, init, WithPlain<OfMean>{{mean}, 0}, kDrawn, kPrinted);
  record<State>(name + " discrete" + of, init, WithPlain<OfTable>{{table}, 0}, kDrawn, kPrinted);
}

template <class Table>
auto on_device(Table* table) {
  Table* row;
  REQUIRE_SUCCESS(cudaMalloc(&row, sizeof *row));
  REQUIRE_SUCCESS(cudaMemcpy(row, table, sizeof *row, cudaMemcpyHostToDevice));
  return &(*row)[0];
}

void record_kernels(double mean) {
  static curandDirectionVectors32_t* table32 = nullptr;
  static curandDirectionVectors64_t* table64 = nullptr;
  if (table32 == nullptr) {
    REQUIRE_SUCCESS(curandGetDirectionVectors32(&table32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    REQUIRE_SUCCESS(curandGetDirectionVectors64(&table64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  }
  const FirstDimension32 first32 = {on_device(table32), 0x12345678, 77};
  const FirstDimension64 first64 = {on_device(table64), 0x123456789abcdef0, 77};
  curandDiscreteDistribution_t table;
  REQUIRE_SUCCESS(curandCreatePoissonDistribution(mean, &table));
  record_mean<curandStateXORWOW_t>("xorwow", Seeded<curandStateXORWOW_t>{1234, 5, 3}, mean, table);
  record_mean<curandStatePhilox4_32_10_t>("philox", Seeded<curandStatePhilox4_32_10_t>{1234, 5, 3}, mean, table);
  record_mean<curandStateMRG32k3a_t>("mrg32k3a", Seeded<curandStateMRG32k3a_t>{1234, 5, 3}, mean, table);
  record_mean<curandStateSobol32_t>("sobol32", first32, mean, table);
  record_mean<curandStateScrambledSobol32_t>("scrambled_sobol32", first32, mean, table);
  record_mean<curandStateSobol64_t>("sobol64", first64, mean, table);
  record_mean<curandStateScrambledSobol64_t>("scrambled_sobol64", first64, mean, table);
  const std::string of = " of " + std::to_string(mean);
  const Seeded<curandStatePhilox4_32_10_t> seeded = {42, 1, 0};
  record<curandStatePhilox4_32_10_t>("philox poisson4" + of, seeded, FoursOfMean{mean, 0}, 520, kPrinted);
  record<curandStatePhilox4_32_10_t>("philox discrete4" + of, seeded, FoursOfTable{table, 0}, 520, kPrinted);
  REQUIRE_SUCCESS(curandDestroyDistribution(table));
}

struct Kind {
  curandRngType_t type;
  const char* name;
};
const Kind kKinds[] = {{CURAND_RNG_PSEUDO_XORWOW, "xorwow"},
                       {CURAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a"},
                       {CURAND_RNG_PSEUDO_PHILOX4_32_10, "philox"},
                       {CURAND_RNG_QUASI_SOBOL32, "sobol32"},
                       {CURAND_RNG_QUASI_SOBOL64, "sobol64"}};

/// Two calls, and then plain numbers.
void record_generator(const Kind& kind, int order, double mean, bool of_host) {
  const std::string key = (of_host ? "host " : "device ") + std::string(kind.name) + " ordering " +
                          std::to_string(order) + " of " + std::to_string(mean);
  curandGenerator_t generator;
  REQUIRE_SUCCESS(of_host ? curandCreateGeneratorHost(&generator, kind.type)
                          : curandCreateGenerator(&generator, kind.type));
  REQUIRE_SUCCESS(curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(order)));
  if (order < CURAND_ORDERING_QUASI_DEFAULT) REQUIRE_SUCCESS(curandSetPseudoRandomGeneratorSeed(generator, 99));
  u64* memory;
  REQUIRE_SUCCESS(cudaMalloc(&memory, 5001 * sizeof *memory));
  std::vector<u64> room(5001);
  void* const to = of_host ? room.data() : memory;
  for (int count : {5001, 7}) {
    const int status = curandGeneratePoisson(generator, static_cast<unsigned*>(to), count, mean);
    if (status != 0) {
      std::printf("%s: status %d\n", key.c_str(), status);
    } else {
      if (!of_host) REQUIRE_SUCCESS(cudaMemcpy(room.data(), to, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
      print_values(key + ", " + std::to_string(count), reinterpret_cast<unsigned*>(room.data()), count, kPrinted);
    }
  }
  const bool wide = kind.type == CURAND_RNG_QUASI_SOBOL64;
  REQUIRE_SUCCESS(wide ? curandGenerateLongLong(generator, static_cast<u64*>(to), 8)
                       : curandGenerate(generator, static_cast<unsigned*>(to), 16));
  if (!of_host) REQUIRE_SUCCESS(cudaMemcpy(room.data(), to, 64, cudaMemcpyDeviceToHost));
  print_values(key + ", then plain", reinterpret_cast<unsigned*>(room.data()), 16, kPrinted);
  REQUIRE_SUCCESS(cudaFree(memory));
  REQUIRE_SUCCESS(curandDestroyGenerator(generator));
}

void record_generators(double mean) {
  for (const Kind& kind : kKinds) {
    // One of these 5001 numbers is another here, because the normal number that is rounded is approximate.
    if (kind.type == CURAND_RNG_PSEUDO_PHILOX4_32_10 && mean == 10000) continue;
    for (bool of_host : {false, true}) {
      if (of_host && mean != kMeanOnHost) continue;
      if (kind.type >= CURAND_RNG_QUASI_DEFAULT) {
        record_generator(kind, CURAND_ORDERING_QUASI_DEFAULT, mean, of_host);
      } else {
        record_generator(kind, CURAND_ORDERING_PSEUDO_DEFAULT, mean, of_host);
        record_generator(kind, CURAND_ORDERING_PSEUDO_LEGACY, mean, of_host);
      }
    }
  }
}

void record_limits() {
  curandGenerator_t generator;
  REQUIRE_SUCCESS(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  unsigned* to;
  REQUIRE_SUCCESS(cudaMalloc(&to, 16 * sizeof *to));
  for (double mean : {-1.0, 0.0, 1e-300, 400000.0, 400000.5, 400001.0, 1e6, 1e9, 5e9}) {
    std::printf("generate %.17g: %d\n", mean, curandGeneratePoisson(generator, to, 16, mean));
    curandDiscreteDistribution_t distribution;
    const int status = curandCreatePoissonDistribution(mean, &distribution);
    std::printf("create %.17g: %d\n", mean, status);
    if (status == 0) REQUIRE_SUCCESS(curandDestroyDistribution(distribution));
  }
  REQUIRE_SUCCESS(cudaFree(to));
  REQUIRE_SUCCESS(curandDestroyGenerator(generator));
}

}  // namespace

int main() {
  for (double mean : kMeans) record_kernels(mean);
  for (double mean : kSmallMeans) record_kernels(mean);
  for (double mean : kMeans) record_generators(mean);
  for (double mean : kSmallMeans) record_generators(mean);
  record_limits();
}
