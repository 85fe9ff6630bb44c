// SPDX-License-Identifier: Apache-2.0
//
// curand and its distributions over MTGP32, for threads of kernels. The threads of a block call together: each makes
// one number, and the state goes on by as many. Two barriers of the block are in each call. One number becomes one, as
// with quasirandom generators. Accesses to a state are the caller's, so threads of two blocks on one state are a race.
#pragma once

#include <warpfiber/cuda/curand/mtgp32_states.hpp>
#include <warpfiber/cuda/curand/poisson.hpp>
#include <warpfiber/intrinsics/builtins.hpp>

// Ends the launch. <assert.h> declares it only where NDEBUG is not defined.
extern "C" __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file, unsigned line,
                                                        const char* function) noexcept;

namespace warpfiber::random {

inline WARPFIBER_INLINED unsigned int& mtgp32_word(curandStateMtgp32* state, unsigned int place) noexcept {
  return state->s[(place + static_cast<unsigned int>(state->offset)) & MTGP32_STATE_MASK];
}

/// The word that follows those of `index`, and the number that it is tempered to.
inline WARPFIBER_INLINED unsigned int next_mtgp32(curandStateMtgp32* state, unsigned int index) noexcept {
  const mtgp32_kernel_params_t* const sets = state->k;
  const int set = state->pIdx;
  const unsigned int pick = index + sets->pos_tbl[set];
  unsigned int word = (mtgp32_word(state, index) & sets->mask[0]) ^ mtgp32_word(state, index + 1);
  word ^= word << sets->sh1_tbl[set];
  word ^= mtgp32_word(state, pick) >> sets->sh2_tbl[set];
  word ^= sets->param_tbl[set][word & 15];
  mtgp32_word(state, index + MTGPDC_N) = word;
  unsigned int helper = mtgp32_word(state, pick - 1);
  helper ^= helper >> 16;
  helper ^= helper >> 8;
  return word ^ sets->temper_tbl[set][helper & 15];
}

/// All threads have read what they need before the first one moves the state, and none begins again before that.
inline WARPFIBER_INLINED void advance_mtgp32(curandStateMtgp32* state, bool first, unsigned int count,
                                             Site site) noexcept {
  __syncthreads(site);
  if (first) state->offset = static_cast<int>(static_cast<unsigned int>(state->offset) + count) & MTGP32_STATE_MASK;
  __syncthreads(site);
}

}  // namespace warpfiber::random

/// The next 32 bits, of a state that all threads of the block draw from, at most 256. More end the launch with the
/// finding `assert`. So does a block with a third dimension that is not as long as its first: NVIDIA's function
/// mistakes the one for the other there, and threads get wrong or equal numbers.
inline WARPFIBER_INLINED unsigned int curand(curandStateMtgp32_t* state,
                                             warpfiber::Site site = warpfiber::Site::here()) {
  const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  if (WARPFIBER_UNLIKELY(threads > MTGPDC_FLOOR_2P)) {
    __assert_fail("threads_of_block <= 256", site.file, site.line, "curand() of MTGP32");
  }
  if (WARPFIBER_UNLIKELY(blockDim.z != 1 && blockDim.z != blockDim.x)) {
    __assert_fail("depth_of_block == 1 || depth_of_block == width_of_block", site.file, site.line,
                  "curand() of MTGP32");
  }
  const unsigned int index = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned int bits = warpfiber::random::next_mtgp32(state, index);
  warpfiber::random::advance_mtgp32(state, index == 0, threads, site);
  return bits;
}

/// The number at `index`, from 0 to n - 1, of the `n` that the threads of the block draw from this state. All threads
/// of the block call, of whichever state. `n` is a char, as NVIDIA's: 256 of them are 0.
inline WARPFIBER_INLINED unsigned int curand_mtgp32_specific(curandStateMtgp32_t* state, unsigned char index,
                                                             unsigned char n,
                                                             warpfiber::Site site = warpfiber::Site::here()) {
  if (WARPFIBER_UNLIKELY(index >= n)) {
    __assert_fail("index < n", site.file, site.line, "curand_mtgp32_specific()");
  }
  const unsigned int bits = warpfiber::random::next_mtgp32(state, index);
  warpfiber::random::advance_mtgp32(state, index == 0, n, site);
  return bits;
}

inline WARPFIBER_INLINED float curand_uniform(curandStateMtgp32_t* state,
                                              warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::unit(curand(state, site));
}
/// Of 32 bits only.
inline WARPFIBER_INLINED double curand_uniform_double(curandStateMtgp32_t* state,
                                                      warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::unit_double(curand(state, site));
}
inline WARPFIBER_INLINED float curand_normal(curandStateMtgp32_t* state,
                                             warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::inverse_normal(curand(state, site));
}
inline WARPFIBER_INLINED double curand_normal_double(curandStateMtgp32_t* state,
                                                     warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::inverse_normal_double(curand(state, site));
}
inline WARPFIBER_INLINED float curand_log_normal(curandStateMtgp32_t* state, float mean, float stddev,
                                                 warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::log_normal(curand_normal(state, site), mean, stddev);
}
inline WARPFIBER_INLINED double curand_log_normal_double(curandStateMtgp32_t* state, double mean, double stddev,
                                                         warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::log_normal(curand_normal_double(state, site), mean, stddev);
}
inline WARPFIBER_INLINED unsigned int curand_poisson(curandStateMtgp32_t* state, double lambda,
                                                     warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::random::quasi_poisson(curand(state, site), lambda);
}
inline WARPFIBER_INLINED unsigned int curand_discrete(curandStateMtgp32_t* state,
                                                      curandDiscreteDistribution_t discrete_distribution,
                                                      warpfiber::Site site = warpfiber::Site::here()) {
  using namespace warpfiber::random;
  const curandDiscreteDistribution_st& of = *discrete_distribution;
  if (of.histogram.columns != 0) return count_in(of.histogram, unit_double(curand(state, site)));
  return rounded_count(curand_normal_double(state, site), of.mean, of.deviation);
}

// NVIDIA's write the new word where other threads of the block still read, so no number of theirs is defined.
__attribute__((unavailable("NVIDIA's has a race"))) float curand_mtgp32_single(curandStateMtgp32_t* state);
__attribute__((unavailable("NVIDIA's has a race"))) float curand_mtgp32_single_specific(curandStateMtgp32_t* state,
                                                                                        unsigned char index,
                                                                                        unsigned char n);
