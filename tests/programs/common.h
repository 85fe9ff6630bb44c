// SPDX-License-Identifier: Apache-2.0
//
// What the programs share: the error check every sample has, a small generator, comparisons and the verdict.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) check_status((call), #call, __FILE__, __LINE__)

inline void check_status(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(status), cudaGetErrorName(status));
  exit(EXIT_FAILURE);
}

// Marsaglia's xorshift32: the same numbers on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed ? seed : 1) {}

  unsigned next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  unsigned below(unsigned limit) { return next() % limit; }
  float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }

 private:
  unsigned state_;
};

template <typename T>
T* device_copy(const std::vector<T>& host) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

// Zero also for streams that do not wait for the default stream.
template <typename T>
T* device_zeros(size_t count) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, count * sizeof(T)));
  CHECK(cudaMemset(device, 0, count * sizeof(T)));
  CHECK(cudaStreamSynchronize(0));
  return device;
}

template <typename T>
std::vector<T> host_copy(const T* device, size_t count) {
  std::vector<T> host(count);
  CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

template <typename T>
bool same(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  if (got.size() != want.size()) {
    printf("%s: %zu values, expected %zu\n", what, got.size(), want.size());
    return false;
  }
  for (size_t i = 0; i < want.size(); ++i)
    if (!(got[i] == want[i])) {
      printf("%s: [%zu] is %.9g, expected %.9g\n", what, i, double(got[i]), double(want[i]));
      return false;
    }
  return true;
}

// Within `tolerance` of the expected value, relative where that is larger than 1.
template <typename T, typename U>
bool near(const char* what, const std::vector<T>& got, const std::vector<U>& want, double tolerance) {
  if (got.size() != want.size()) {
    printf("%s: %zu values, expected %zu\n", what, got.size(), want.size());
    return false;
  }
  for (size_t i = 0; i < want.size(); ++i) {
    double error = fabs(double(got[i]) - double(want[i]));
    if (!(error <= tolerance * fmax(1.0, fabs(double(want[i]))))) {
      printf("%s: [%zu] is %.9g, expected %.9g\n", what, i, double(got[i]), double(want[i]));
      return false;
    }
  }
  return true;
}

inline bool expect(bool condition, const char* what) {
  if (!condition) printf("not so: %s\n", what);
  return condition;
}

inline int verdict(bool passed) {
  puts(passed ? "PASS" : "FAIL");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
