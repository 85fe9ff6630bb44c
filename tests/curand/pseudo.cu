// SPDX-License-Identifier: Apache-2.0
//
// XORWOW, Philox 4x32-10 and MRG32k3a in kernels: seeds, subsequences, offsets and jumps, and every distribution.
#include "drawing.h"

namespace {

typedef unsigned long long u64;

const u64 kSeeds[] = {0, 1, 42, 1234, 0xdeadbeef, 0x123456789abcdef0, ~0ull};
const u64 kSubsequences[] = {0, 1, 2, 3, 7, 1000, 4095, 4096, (1ull << 20) + 7, (1ull << 32) + 5};
const u64 kLargeSubsequences[] = {(1ull << 63) + 1, ~0ull};
const u64 kOffsets[] = {0,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        100,
                        4096,
                        (1ull << 20) + 3,
                        (1ull << 32) + 1,
                        (1ull << 34) + 6,
                        (1ull << 40) + 9,
                        1ull << 63,
                        ~0ull};

template <class State>
struct Seeded {
  u64 seed, subsequence, offset;
  __device__ void operator()(State* state) const { curand_init(seed, subsequence, offset, state); }
};

enum Jump { kNumbers, kSequences };
template <class State>
struct Jumped {
  Jump jump;
  u64 n;
  __device__ void operator()(State* state) const {
    curand_init(77, 3, 1, state);
    curand(state);
    if (jump == kNumbers) {
      skipahead(n, state);
    } else {
      skipahead_sequence(n, state);
    }
  }
};
struct JumpedSubsequences {
  u64 n;
  __device__ void operator()(curandStateMRG32k3a* state) const {
    curand_init(77, 3, 1, state);
    curand(state);
    skipahead_subsequence(n, state);
  }
};
/// 2^67 numbers on.
template <class State>
struct Around {
  __device__ void operator()(State* state) const {
    curand_init(77, 0, 0, state);
    for (int i = 0; i < 8; ++i) skipahead(~0ull, state);
    skipahead(8ull, state);
  }
};

/// NVIDIA's MRG32k3a has 2^51 subsequences.
template <class State>
struct Generator {
  const char* name;
  bool has_all_subsequences;
};

template <class State>
void record_starts(Generator<State> generator) {
  const std::string name = generator.name;
  for (u64 x : kSeeds) record<State>(name + " seed " + hex(x), Seeded<State>{x, 0, 0}, Bits{}, 256);
  for (u64 x : kSubsequences) record<State>(name + " sub " + hex(x), Seeded<State>{1234, x, 0}, Bits{}, 256);
  for (u64 x : kOffsets) record<State>(name + " off " + hex(x), Seeded<State>{1234, 0, x}, Bits{}, 256);
  for (u64 x : kOffsets) record<State>(name + " sub 5 off " + hex(x), Seeded<State>{99, 5, x}, Bits{}, 64);
  if (!generator.has_all_subsequences) return;
  for (u64 x : kLargeSubsequences) record<State>(name + " sub " + hex(x), Seeded<State>{1234, x, 0}, Bits{}, 256);
  record<State>(name + " all large", Seeded<State>{~0ull, ~0ull, ~0ull}, Bits{}, 256);
}

template <class State>
void record_jumps(const std::string& name) {
  for (u64 x : kOffsets) record<State>(name + " skipahead " + hex(x), Jumped<State>{kNumbers, x}, Bits{}, 64);
  for (u64 x : kSubsequences) {
    record<State>(name + " skipahead_sequence " + hex(x), Jumped<State>{kSequences, x}, Bits{}, 64);
  }
  record<State>(name + " around 2^67", Around<State>(), Bits{}, 64);
  record<State>(name + " sub 1 of the same", Seeded<State>{77, 1, 0}, Bits{}, 64);
}

template <class State>
void record_distributions(const std::string& name) {
  const Seeded<State> a = {1234, 5, 3};
  const Seeded<State> b = {42, 0, 0};
  record<State>(name + " uniform", a, Uniform{}, 4096);
  record<State>(name + " uniform 2", b, Uniform{}, 4096);
  record<State>(name + " uniform_double", a, UniformDouble{}, 4096);
  record<State>(name + " uniform_double 2", b, UniformDouble{}, 4096);
  record<State>(name + " ~normal", a, Normal{}, 128, 128);
  record<State>(name + " ~normal_double", a, NormalDouble{}, 64, 64);
  record<State>(name + " ~normal2", a, Normal2{}, 16, 16);
  record<State>(name + " ~normal2_double", a, Normal2Double{}, 16, 16);
  record<State>(name + " ~log_normal 1 0.5", a, LogNormal{1, 0.5}, 64, 64);
  record<State>(name + " ~log_normal_double 1 0.5", a, LogNormalDouble{1, 0.5}, 32, 32);
  record<State>(name + " ~log_normal2 1 0.5", a, LogNormal2{1, 0.5}, 8, 8);
  record<State>(name + " ~log_normal2_double 1 0.5", a, LogNormal2Double{1, 0.5}, 8, 8);
  record<State>(name + " ~mixed", a, Mixed{}, 33, 33);
  for (double mean : {0.1, 1.0, 5.5, 30.0, 63.9, 4001.0, 10000.0, 1e6}) {
    record<State>(name + " poisson " + std::to_string(mean), a, Poisson{mean}, 2000);
  }
}

template <class State>
void record_all(Generator<State> generator) {
  record_starts(generator);
  record_jumps<State>(generator.name);
  record_distributions<State>(generator.name);
}

void record_fours() {
  typedef curandStatePhilox4_32_10_t State;
  const Seeded<State> a = {1234, 5, 3};
  record<State>("philox curand4", a, Bits4{}, 256);
  record<State>("philox curand4 aligned", Seeded<State>{42, 0, 0}, Bits4{}, 256);
  record<State>("philox uniform4", a, Uniform4{}, 1024);
  record<State>("philox uniform2_double", a, Uniform2Double{}, 1024);
  record<State>("philox ~normal4", a, Normal4{}, 16, 16);
  record<State>("philox ~log_normal4 1 0.5", a, LogNormal4{1, 0.5}, 8, 8);
}

}  // namespace

int main() {
  record_all(Generator<curandStateXORWOW_t>{"xorwow", true});
  record_all(Generator<curandStatePhilox4_32_10_t>{"philox", true});
  record_all(Generator<curandStateMRG32k3a_t>{"mrg32k3a", false});
  record_fours();
  for (u64 x : kSubsequences) {
    record<curandStateMRG32k3a_t>("mrg32k3a skipahead_subsequence " + hex(x), JumpedSubsequences{x}, Bits{}, 64);
  }
}
