// SPDX-License-Identifier: Apache-2.0
// Arrays with given numbers in device memory, and lines that recorded programs print: "what : status values".
#pragma once

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

/// Between -0.5 and 0.5, exact in single precision.
inline double input(std::uint32_t k) {
  return double((k * 2654435761u) >> 8) / (1 << 24) - 0.5;
}

template <class T>
T number(double real, double imaginary) {
  if constexpr (std::is_same_v<T, float2> || std::is_same_v<T, double2>)
    return T{decltype(T::x)(real), decltype(T::x)(imaginary)};
  else if constexpr (std::is_integral_v<T>)
    return T(real * 200);
  else if constexpr (std::is_pointer_v<T>)
    return nullptr;
  else
    return T(static_cast<float>(real));
}

inline void print(float value) {
  std::printf(" %a", double(value));
}
inline void print(double value) {
  std::printf(" %a", value);
}
inline void print(int value) {
  std::printf(" %d", value);
}
inline void print(std::int8_t value) {
  std::printf(" %d", int(value));
}
inline void print(std::uint8_t value) {
  std::printf(" %d", int(value));
}
inline void print(float2 value) {
  print(value.x), print(value.y);
}
inline void print(double2 value) {
  print(value.x), print(value.y);
}
inline void print(__half value) {
  print(float(value));
}
inline void print(__nv_bfloat16 value) {
  print(float(value));
}
inline void print(__nv_fp8_e4m3 value) {
  print(float(value));
}
inline void print(__nv_fp8_e5m2 value) {
  print(float(value));
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(int count, int seed = 0, double scale = 1) : host_(count) {
    for (int i = 0; i < count; ++i)
      host_[i] = number<T>(scale * input(seed + 2 * i + 1), scale * input(seed + 2 * i + 2));
    cudaMalloc(&at_, count * sizeof(T));
    write();
  }
  ~DeviceArray() { cudaFree(at_); }
  DeviceArray(const DeviceArray&) = delete;

  operator T*() const { return at_; }
  /// Integers from -4 to 4 only.
  void make_integers() {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = number<T>(int(i * 7 % 9) - 4, int(i * 5 % 9) - 4);
    write();
  }
  /// The diagonal of a matrix of order 5 away from zero.
  void make_dominant(int leading) {
    for (int i = 0; i < 5; ++i) host_[i * (leading + 1)] = number<T>(2 + i, 0.5);
    write();
  }
  /// Matrices of order 4, one after the other, each with four large elements in rows and columns of their own.
  void make_regular() {
    for (std::size_t i = 0; i < host_.size(); ++i)
      if (i % 16 / 4 == (i + i / 16) % 4) host_[i] = number<T>(2 + 0.25 * double(i % 7), 0.5);
    write();
  }
  /// All numbers away from zero.
  void make_large() {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = number<T>(2 + 0.25 * double(i % 5), 0.5);
    write();
  }
  /// What has not changed since the last time is a point.
  void print_changes() {
    std::vector<T> now(host_.size());
    cudaMemcpy(now.data(), at_, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (std::memcmp(&now[i], &host_[i], sizeof(T)) == 0)
        std::printf(" .");
      else
        print(now[i]);
    }
    host_ = now;
  }

 private:
  void write() { cudaMemcpy(at_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice); }

  std::vector<T> host_;
  T* at_ = nullptr;
};

template <class T>
void show(const char* what, cublasStatus_t status, DeviceArray<T>& array) {
  std::printf("%s : %d", what, int(status));
  array.print_changes();
  std::printf("\n");
}

template <class... Values>
void say(const char* what, cublasStatus_t status, const Values&... values) {
  std::printf("%s : %d", what, int(status));
  (print(values), ...);
  std::printf("\n");
}

inline void tell(const char* what, cublasStatus_t status) {
  std::printf("%s -> %d\n", what, int(status));
}
