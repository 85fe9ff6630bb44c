// SPDX-License-Identifier: Apache-2.0
//
// The initialisation is that of Saito's and Matsumoto's MTGP for one 32-bit seed: the words are those of the linear
// congruence of Mersenne Twisters, combined with a pattern that is different for each parameter set.
#include "random/mtgp32.hpp"

#include <algorithm>

namespace warpfiber::random {
namespace {

curandStateMtgp32 first_state(const mtgp32_params_fast_t& set, std::uint32_t seed) {
  const std::uint32_t hidden = set.tbl[4] ^ set.tbl[8] << 16;
  std::uint32_t pattern = hidden + (hidden >> 16);
  pattern += pattern >> 8;
  curandStateMtgp32 state{};
  std::fill_n(state.s, MTGPDC_N, (pattern & 0xff) * 0x01010101u);
  state.s[0] = seed;
  state.s[1] = hidden;
  for (std::uint32_t i = 1; i < MTGPDC_N; ++i) {
    const std::uint32_t before = state.s[i - 1];
    state.s[i] ^= 1812433253u * (before ^ before >> 30) + i;
  }
  return state;
}

}  // namespace

mtgp32_kernel_params_t mtgp32_kernel_sets(const mtgp32_params_fast_t* sets) {
  mtgp32_kernel_params_t made{};
  made.mask[0] = sets[0].mask;
  for (unsigned i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    made.pos_tbl[i] = static_cast<unsigned>(sets[i].pos);
    made.sh1_tbl[i] = static_cast<unsigned>(sets[i].sh1);
    made.sh2_tbl[i] = static_cast<unsigned>(sets[i].sh2);
    std::ranges::copy(sets[i].tbl, made.param_tbl[i]);
    std::ranges::copy(sets[i].tmp_tbl, made.temper_tbl[i]);
    std::ranges::copy(sets[i].flt_tmp_tbl, made.single_temper_tbl[i]);
  }
  return made;
}

std::vector<curandStateMtgp32> mtgp32_states(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t* kernel_sets,
                                             unsigned count, std::uint64_t seed) {
  const auto folded = static_cast<std::uint32_t>(seed ^ seed >> 32);
  std::vector<curandStateMtgp32> states;
  states.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    curandStateMtgp32 state = first_state(sets[i], folded + i + 1);
    state.pIdx = static_cast<int>(i);
    state.k = kernel_sets;
    states.push_back(state);
  }
  return states;
}

}  // namespace warpfiber::random
