// SPDX-License-Identifier: Apache-2.0
// What the recorded programs have in common: device memory, and lines of output (README.md).
#pragma once

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* at = nullptr;
  cudaMalloc(&at, (values.size() + 1) * sizeof(T));
  cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

inline void* device_bytes(std::size_t size) {
  void* at = nullptr;
  cudaMalloc(&at, size + 1024);
  return at;
}

inline void print_number(double value) {
  std::printf(" %.17g", value);
}
inline void print_number(cuComplex value) {
  std::printf(" %.17g %.17g", double(value.x), double(value.y));
}
inline void print_number(cuDoubleComplex value) {
  std::printf(" %.17g %.17g", value.x, value.y);
}

template <class T>
void print(const char* name, const T* at, std::size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (const T value : values) print_number(value);
  std::printf("\n");
}

/// Numbers of the host that a call has written.
template <class... Numbers>
void print_all(const char* name, Numbers... numbers) {
  std::printf("%s:", name);
  (print_number(double(numbers)), ...);
  std::printf("\n");
}

#define STATUS(call) std::printf("%s -> %d\n", #call, int(call))

template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr cudaDataType kType = CUDA_R_32F;
  static float value(double real, double) { return float(real); }
};
template <>
struct TypeOf<double> {
  static constexpr cudaDataType kType = CUDA_R_64F;
  static double value(double real, double) { return real; }
};
template <>
struct TypeOf<cuComplex> {
  static constexpr cudaDataType kType = CUDA_C_32F;
  static cuComplex value(double real, double imaginary) { return make_cuComplex(float(real), float(imaginary)); }
};
template <>
struct TypeOf<cuDoubleComplex> {
  static constexpr cudaDataType kType = CUDA_C_64F;
  static cuDoubleComplex value(double real, double imaginary) { return make_cuDoubleComplex(real, imaginary); }
};

/// Each number as a T; of a complex type the imaginary part is half of the number.
template <class T>
T* device_values(const std::vector<double>& numbers) {
  std::vector<T> values;
  for (const double number : numbers) values.push_back(TypeOf<T>::value(number, number / 2));
  return device_copy(values);
}

constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto kTransposed = CUSPARSE_OPERATION_TRANSPOSE;
constexpr auto kConjugated = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
constexpr auto k32 = CUSPARSE_INDEX_32I;
constexpr auto k64 = CUSPARSE_INDEX_64I;
constexpr auto kZero = CUSPARSE_INDEX_BASE_ZERO;
constexpr auto kOne = CUSPARSE_INDEX_BASE_ONE;
