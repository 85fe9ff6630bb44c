// SPDX-License-Identifier: Apache-2.0
//
// Sobol's sequences in kernels, with the tables of the host interface: dimensions, offsets, and every distribution.
// Scrambled generators have the plain direction numbers: NVIDIA's scrambled ones are random, and not ours.
#include "drawing.h"

namespace {

template <class Vectors>
struct Plain {
  Vectors* vectors;
  unsigned long long offset;
  template <class State>
  __device__ void operator()(State* state) const {
    curand_init(*vectors, offset, state);
  }
};
template <class Vectors>
struct Scrambled {
  Vectors* vectors;
  unsigned long long constant, offset;
  template <class State>
  __device__ void operator()(State* state) const {
    curand_init(*vectors, constant, offset, state);
  }
};

/// As many rows as are compared.
template <class Vectors>
Vectors* on_device(Vectors* table) {
  constexpr int kRows = 3667;
  Vectors* vectors;
  REQUIRE_SUCCESS(cudaMalloc(&vectors, kRows * sizeof *table));
  REQUIRE_SUCCESS(cudaMemcpy(vectors, table, kRows * sizeof *table, cudaMemcpyHostToDevice));
  return vectors;
}

template <class State, class Init>
void record_distributions(const std::string& name, Init init) {
  record<State>(name + " uniform", init, Uniform{}, 1024);
  record<State>(name + " uniform_double", init, UniformDouble{}, 1024);
  record<State>(name + " ~normal", init, Normal{}, 64, 64);
  record<State>(name + " ~normal_double", init, NormalDouble{}, 32, 32);
  record<State>(name + " ~log_normal 1 0.5", init, LogNormal{1, 0.5}, 16, 16);
  record<State>(name + " ~log_normal_double 1 0.5", init, LogNormalDouble{1, 0.5}, 16, 16);
}

}  // namespace

int main() {
  curandDirectionVectors32_t* table32;
  curandDirectionVectors64_t* table64;
  REQUIRE_SUCCESS(curandGetDirectionVectors32(&table32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  REQUIRE_SUCCESS(curandGetDirectionVectors64(&table64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  std::printf("plain32 first 3667: %016llx\n", hash_of(table32, 3667 * sizeof *table32));
  std::printf("plain64 first 3667: %016llx\n", hash_of(table64, 3667 * sizeof *table64));
  curandDirectionVectors32_t* const vectors32 = on_device(table32);
  curandDirectionVectors64_t* const vectors64 = on_device(table64);
  typedef Plain<curandDirectionVectors32_t> Plain32;
  typedef Plain<curandDirectionVectors64_t> Plain64;
  for (int dimension : {0, 1, 2, 10, 1000, 3666}) {
    for (unsigned long long offset : {0ull, 1ull, 3ull, 4096ull, 0x7fffffffull, 0xffffff00ull, (1ull << 33) + 5}) {
      if (dimension > 2 && offset > 4096) continue;
      const std::string place = " dim " + std::to_string(dimension) + " off " + hex(offset);
      if (offset >> 32 == 0) {
        record<curandStateSobol32_t>("sobol32" + place, Plain32{vectors32 + dimension, offset}, Bits{}, 256);
      }
      record<curandStateSobol64_t>("sobol64" + place, Plain64{vectors64 + dimension, offset}, Bits64{}, 256);
    }
  }
  const Scrambled<curandDirectionVectors32_t> scrambled32 = {vectors32 + 1, 0x12345678, 1};
  const Scrambled<curandDirectionVectors64_t> scrambled64 = {vectors64 + 1, 0x123456789abcdef, 1};
  record<curandStateScrambledSobol32_t>("scrambled32 of plain vectors", scrambled32, Bits{}, 256);
  record<curandStateScrambledSobol64_t>("scrambled64 of plain vectors", scrambled64, Bits64{}, 256);
  record_distributions<curandStateSobol32_t>("sobol32", Plain32{vectors32 + 1, 1});
  record_distributions<curandStateSobol64_t>("sobol64", Plain64{vectors64 + 1, 1});
  record_distributions<curandStateScrambledSobol32_t>("scrambled32", scrambled32);
  record_distributions<curandStateScrambledSobol64_t>("scrambled64", scrambled64);
  for (double mean : {0.1, 1.0, 5.5, 30.0, 100.0, 10000.0}) {
    record<curandStateSobol32_t>("sobol32 poisson " + std::to_string(mean), Plain32{vectors32 + 1, 1}, Poisson{mean},
                                 2000);
  }
}
