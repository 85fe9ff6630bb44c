// SPDX-License-Identifier: Apache-2.0
// What the programs share: a table of kernels that all have the same parameters, their input, and what is printed of
// their results. The same text has to come from threads as fibers and from regions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned kWords = 1u << 14;  // of the input and of the output
constexpr unsigned kFull = 0xffffffffu;

using Kernel = void (*)(const unsigned* in, unsigned* out);

struct Test {
  const char* name;
  Kernel kernel;
  dim3 grid;
  dim3 block;
  unsigned shared_bytes;
};

inline void require(cudaError_t status, const char* name) {
  if (status == cudaSuccess) return;
  printf("%s: %s\n", name, cudaGetErrorName(status));
  exit(1);
}

/// A hash of all of the output (FNV-1a), the sum of its words, and six of them.
inline void print_result(const char* name, const unsigned* words) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  unsigned sum = 0;
  for (unsigned i = 0; i < kWords; ++i) {
    hash = (hash ^ words[i]) * 0x100000001b3ull;
    sum += words[i];
  }
  printf("%s %016llx %08x ", name, hash, sum);
  for (unsigned i : {0u, 1u, 31u, 32u, 63u, 99u}) printf(" %08x", words[i]);
  printf("\n");
}

/// Memory that all launches use until one of them fails.
class Memory {
 public:
  Memory() {
    require(cudaMalloc(&in, kWords * sizeof(unsigned)), "input");
    require(cudaMalloc(&out, kWords * sizeof(unsigned)), "output");
    std::vector<unsigned> words(kWords);
    for (unsigned i = 0; i < kWords; ++i) words[i] = (i + 1) * 2654435761u ^ i >> 3;
    require(cudaMemcpy(in, words.data(), kWords * sizeof(unsigned), cudaMemcpyHostToDevice), "copy of the input");
  }

  unsigned* in = nullptr;
  unsigned* out = nullptr;
};

/// How many tests failed, which is printed of each.
template <unsigned kCount>
int run_all(const Test (&tests)[kCount]) {
  Memory memory;
  std::vector<unsigned> words(kWords);
  int failures = 0;
  for (const Test& test : tests) {
    require(cudaMemset(memory.out, 0, kWords * sizeof(unsigned)), test.name);
    test.kernel<<<test.grid, test.block, test.shared_bytes>>>(memory.in, memory.out);
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) {
      require(cudaMemcpy(words.data(), memory.out, kWords * sizeof(unsigned), cudaMemcpyDeviceToHost), test.name);
      print_result(test.name, words.data());
    } else {
      printf("%s: %s\n", test.name, cudaGetErrorName(status));
      ++failures;
      require(cudaDeviceReset(), test.name);
      memory = Memory();
    }
    fflush(stdout);
  }
  return failures;
}
