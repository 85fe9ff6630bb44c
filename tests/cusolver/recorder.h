// SPDX-License-Identifier: Apache-2.0
// What the recorded programs share: the functions of one type under names without it, matrices, and what is printed.
#pragma once

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#define FUNCTIONS(t, Type, RealType, sy, mqr, gqr)                                            \
  struct t {                                                                                  \
    using T = Type;                                                                           \
    using R = RealType;                                                                       \
    static constexpr const char* name = #t;                                                   \
    static constexpr auto potrf_bufferSize = cusolverDn##t##potrf_bufferSize;                 \
    static constexpr auto potrf = cusolverDn##t##potrf;                                       \
    static constexpr auto potrs = cusolverDn##t##potrs;                                       \
    static constexpr auto potri_bufferSize = cusolverDn##t##potri_bufferSize;                 \
    static constexpr auto potri = cusolverDn##t##potri;                                       \
    static constexpr auto potrfBatched = cusolverDn##t##potrfBatched;                         \
    static constexpr auto potrsBatched = cusolverDn##t##potrsBatched;                         \
    static constexpr auto getrf_bufferSize = cusolverDn##t##getrf_bufferSize;                 \
    static constexpr auto getrf = cusolverDn##t##getrf;                                       \
    static constexpr auto getrs = cusolverDn##t##getrs;                                       \
    static constexpr auto geqrf_bufferSize = cusolverDn##t##geqrf_bufferSize;                 \
    static constexpr auto geqrf = cusolverDn##t##geqrf;                                       \
    static constexpr auto ormqr_bufferSize = cusolverDn##t##mqr##_bufferSize;                 \
    static constexpr auto ormqr = cusolverDn##t##mqr;                                         \
    static constexpr auto orgqr_bufferSize = cusolverDn##t##gqr##_bufferSize;                 \
    static constexpr auto orgqr = cusolverDn##t##gqr;                                         \
    static constexpr auto syevd_bufferSize = cusolverDn##t##sy##evd_bufferSize;               \
    static constexpr auto syevd = cusolverDn##t##sy##evd;                                     \
    static constexpr auto syevj_bufferSize = cusolverDn##t##sy##evj_bufferSize;               \
    static constexpr auto syevj = cusolverDn##t##sy##evj;                                     \
    static constexpr auto syevjBatched_bufferSize = cusolverDn##t##sy##evjBatched_bufferSize; \
    static constexpr auto syevjBatched = cusolverDn##t##sy##evjBatched;                       \
    static constexpr auto sygvd_bufferSize = cusolverDn##t##sy##gvd_bufferSize;               \
    static constexpr auto sygvd = cusolverDn##t##sy##gvd;                                     \
    static constexpr auto gesvd_bufferSize = cusolverDn##t##gesvd_bufferSize;                 \
    static constexpr auto gesvd = cusolverDn##t##gesvd;                                       \
    static constexpr auto gesvdj_bufferSize = cusolverDn##t##gesvdj_bufferSize;               \
    static constexpr auto gesvdj = cusolverDn##t##gesvdj;                                     \
    static constexpr auto gesvdjBatched_bufferSize = cusolverDn##t##gesvdjBatched_bufferSize; \
    static constexpr auto gesvdjBatched = cusolverDn##t##gesvdjBatched;                       \
  };
FUNCTIONS(S, float, float, sy, ormqr, orgqr)
FUNCTIONS(D, double, double, sy, ormqr, orgqr)
FUNCTIONS(C, cuComplex, float, he, unmqr, ungqr)
FUNCTIONS(Z, cuDoubleComplex, double, he, unmqr, ungqr)

#define STATUS(call) std::printf("%s -> %d\n", #call, int(call))

using Number = std::complex<double>;
const auto kLower = CUBLAS_FILL_MODE_LOWER, kUpper = CUBLAS_FILL_MODE_UPPER;
const auto kPlain = CUBLAS_OP_N, kTransposed = CUBLAS_OP_T, kAdjoint = CUBLAS_OP_C;
const auto kVectors = CUSOLVER_EIG_MODE_VECTOR, kNoVectors = CUSOLVER_EIG_MODE_NOVECTOR;
const int kUnset = 77;

template <class T>
T make(Number value) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(value.real());
  else
    return T{decltype(T::x)(value.real()), decltype(T::x)(value.imag())};
}
template <class T>
Number back(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return {value.x, value.y};
}

template <class T>
T* device_copy(const std::vector<Number>& values) {
  std::vector<T> host;
  for (const Number value : values) host.push_back(make<T>(value));
  T* at;
  cudaMalloc(&at, host.size() * sizeof(T));
  cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

template <class T>
std::vector<Number> host_copy(const T* at, std::size_t count) {
  cudaDeviceSynchronize();
  std::vector<T> host(count);
  cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::vector<Number> values;
  for (const T& value : host) values.push_back(back(value));
  return values;
}

inline void print(const char* name, const std::vector<Number>& values) {
  std::printf("%s:", name);
  for (const Number value : values) {
    std::printf(" %.17g", value.real());
    if (value.imag() != 0) std::printf(" %.17g", value.imag());
  }
  std::printf("\n");
}
template <class T>
void print(const char* name, const T* at, std::size_t count) {
  print(name, host_copy(at, count));
}
// Numbers of one type, real and imaginary parts of all of them.
template <class T>
void print_parts(const char* name, const T* at, std::size_t count) {
  std::printf("%s:", name);
  for (const Number value : host_copy(at, count)) {
    std::printf(" %.17g", value.real());
    if constexpr (!std::is_arithmetic_v<T>) std::printf(" %.17g", value.imag());
  }
  std::printf("\n");
}

// devInfo is an integer of device memory; it is printed and set back to what no function writes.
struct Info {
  int* at;
  explicit Info(int count = 1) {
    cudaMalloc(&at, count * sizeof(int));
    set(count);
  }
  void set(int count = 1) {
    const std::vector<int> values(count, kUnset);
    cudaMemcpy(at, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  }
  void show(int count = 1) {
    cudaDeviceSynchronize();
    std::vector<int> values(count);
    cudaMemcpy(values.data(), at, count * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("devInfo ->");
    for (const int value : values) std::printf(" %d", value);
    std::printf("\n");
    set(count);
  }
};

// Hermitian, positive definite, with eigenvalues apart; of real types its real part.
const std::vector<Number> kDefinite = {{6, 0},       {1, -1},   {0.5, 0.25}, {-1, 0.5},  //
                                       {1, 1},       {5, 0},    {2, -0.5},   {0.25, 0},  //
                                       {0.5, -0.25}, {2, 0.5},  {4, 0},      {1, 0.75},  //
                                       {-1, -0.5},   {0.25, 0}, {1, -0.75},  {3, 0}};
const std::vector<Number> kGeneral = {{1, 1},  {4, 0},     {7, -1}, {-2, 0},   //
                                      {2, 0},  {-5, 2},    {8, 0},  {1, 0.5},  //
                                      {3, -1}, {6, 0},     {0, 1},  {0.5, 0},  //
                                      {-1, 0}, {0.25, -2}, {2, 0},  {3.5, 0.75}};
const std::vector<Number> kSingular = {1, 2, 3, 4, 2, 4, 6, 8, 1, 0, 1, 5, 0, 1, 2, 7};
const std::vector<Number> kIndefinite = {4, 2, 1, 0, 2, 1, 3, 1, 1, 3, -2, 2, 0, 1, 2, 5};
const std::vector<Number> kRight = {1, {2, 1}, 3, {4, -1}, {5, 2}, 6, {-7, 1}, 8};

// One part of the whole, by its number. False where there is none.
template <template <class> class Recorder>
bool record_part(cusolverDnHandle_t handle, int number, void (*generic)(cusolverDnHandle_t)) {
  constexpr int kParts = Recorder<S>::kParts;
  switch (number / kParts) {
    case 0: Recorder<S>(handle).part(number % kParts); return true;
    case 1: Recorder<D>(handle).part(number % kParts); return true;
    case 2: Recorder<C>(handle).part(number % kParts); return true;
    case 3: Recorder<Z>(handle).part(number % kParts); return true;
  }
  if (number > 4 * kParts) return false;
  generic(handle);
  return true;
}

// With an argument: that part only, so that a device's error in one does not reach the others.
template <template <class> class Recorder>
int record(int count, char** arguments, void (*generic)(cusolverDnHandle_t)) {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  cusolverDnHandle_t handle;
  cusolverDnCreate(&handle);
  if (count > 1) return record_part<Recorder>(handle, std::atoi(arguments[1]), generic) ? 0 : 1;
  for (int number = 0; record_part<Recorder>(handle, number, generic); ++number) {
  }
  return 0;
}
