// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of the test kit: a sum that is right under every schedule and with every block size, and others
// that are each wrong in one way.
#pragma once

#include <warpfiber/testing.hpp>
#include <warpfiber/warpfiber.hpp>

#include <vector>

namespace warpfiber::test {

/// Adds `n` values. Any block size up to 1,024, any warp size.
inline void sum_all(const int* in, unsigned n, int* out) {
  WARPFIBER_SHARED(int, total);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (i < n) atomicAdd(&total, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}

/// Forgets the values past the last full warp of 32 lanes.
inline void sum_full_warps(const int* in, unsigned n, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.x / 32 < blockDim.x / 32) atomicAdd(out, in[i]);
}

/// Whoever comes last says its number.
inline void last_one_wins(int* out) {
  atomicExch(out, static_cast<int>(threadIdx.x));
}

/// The barrier is for the first half of the block only.
inline void half_waits(int* out) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
    out[0] = 1;
  } else {
    __syncthreads();
    out[1] = 1;
  }
}

/// Nobody ever sets the flag.
inline void waits_for_ever(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

/// Goes wrong at one of its elements.
inline void stops_at_ten(unsigned n, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i == 10) __trap();
  if (i == 0) *out = 1;
}

inline std::vector<int> numbers(unsigned n) {
  std::vector<int> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<int>(i % 17);
  return values;
}

/// A run of a kernel that sums 1,000 numbers; returns the sum.
inline auto summing(void (*kernel)(const int*, unsigned, int*)) {
  return [kernel](testing::Trial& trial) {
    constexpr unsigned kValues = 1000;
    Buffer<int> in(numbers(kValues));
    Buffer<int> out(1);
    out.fill(0);
    trial.launch({.grid = trial.grid(kValues, 128), .block = trial.block(128)}, kernel, in.data(), kValues, out.data());
    return out.download();
  };
}

/// A run of a kernel with one block of 64 threads and two words that are zero before it.
inline auto two_words(void (*kernel)(int*)) {
  return [kernel](testing::Trial& trial) {
    Buffer<int> out(2);
    out.fill(0);
    trial.launch({.block = trial.block(64)}, kernel, out.data());
    return out.download();
  };
}

}  // namespace warpfiber::test
