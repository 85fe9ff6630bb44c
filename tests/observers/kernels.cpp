// SPDX-License-Identifier: Apache-2.0
// Compiled with access hooks, by the options that Warpfiber::check has for its users.
#include "observers/kernels.hpp"

namespace warpfiber::test {

namespace {

__global__ void copy_kernel(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void count_kernel(unsigned* counter) {
  atomicAdd(counter, 1U);
  __threadfence();
  __threadfence_block();
}

__global__ void poll_kernel(const unsigned* word) {
  (void)*static_cast<const volatile unsigned*>(word);
}

__global__ void race_kernel(unsigned* words) {
  words[threadIdx.x] = threadIdx.x;
  words[(threadIdx.x + 1) % blockDim.x] = threadIdx.x;
}

}  // namespace

LaunchResult copy_words(const unsigned* in, unsigned* out, unsigned threads, const char* policy) {
  return launch({.block = threads, .workers = 1, .policy = policy}, copy_kernel, in, out);
}

LaunchResult count_threads(unsigned* counter, unsigned threads) {
  return launch({.block = threads, .workers = 1}, count_kernel, counter);
}

LaunchResult poll_word(const unsigned* word, unsigned threads) {
  return launch({.block = threads, .workers = 1}, poll_kernel, word);
}

LaunchResult race(unsigned* words, unsigned threads) {
  return launch({.block = threads, .workers = 1}, race_kernel, words);
}

}  // namespace warpfiber::test
