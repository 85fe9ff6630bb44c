// SPDX-License-Identifier: Apache-2.0
// What the tests of each framework launch.
#pragma once

#include <cstdio>

/// Every thread reads its neighbour's value. With `waits` after it is there.
__global__ void rotate(int* out, bool waits) {
  __shared__ int s[64];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = t;  // @stored
  if (waits) __syncthreads();
  out[t] = s[(t + 1) % 64];  // @rotate
}

__global__ void all_in_one_place(int* out) {
  *out = static_cast<int>(threadIdx.x);  // @one
}

__global__ void half_waits() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();  // @half
  } else {
    __syncthreads();
  }
}

/// Answers 1 with 2 until it gets -1.
__global__ void serve(volatile int* word) {
  for (int asked = *word; asked != -1; asked = *word) {
    if (asked == 1) *word = 2;
  }
}

struct Words {
  int* words = nullptr;
  Words() { cudaMalloc(&words, 64 * sizeof(int)); }
  ~Words() { cudaFree(words); }
};

inline void rotate_right() {
  const Words to;
  rotate<<<1, 64>>>(to.words, true);
  cudaDeviceSynchronize();
}

inline void rotate_wrong() {
  const Words to;
  rotate<<<1, 64>>>(to.words, false);
  cudaDeviceSynchronize();
}

/// Returns before the kernel has run.
inline void launch_unawaited() {
  static const Words to;
  all_in_one_place<<<1, 64>>>(to.words);
}

inline cudaError_t ask_for_too_much() {
  void* too_much = nullptr;
  return cudaMalloc(&too_much, size_t{1} << 50);
}

inline void ask_and_ignore() {
  void* too_much = nullptr;
  cudaMalloc(&too_much, size_t{1} << 50);  // @ignored
}
