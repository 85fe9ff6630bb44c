// SPDX-License-Identifier: Apache-2.0
//
// What the conformance programs intrinsics.cpp and mathematics.cpp share: names of types, and evaluating a function on
// the GPU or here. A function is a type with a static `run` that takes Arguments and yields the bits of its answer.
#pragma once

#include <warpfiber/warpfiber.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

struct Arguments {
  u64 bits[3];
};

// ---- bits

template <class T>
__device__ T from_bits(u64 bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
__device__ u64 to_bits(T value) {
  u64 bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

// ---- running a function over arguments

template <class Function>
__global__ void evaluate_kernel(const Arguments* arguments, u64* answers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) answers[i] = Function::run(arguments[i]);
}

template <class Function>
std::vector<u64> evaluate(const std::vector<Arguments>& arguments) {
  const int count = static_cast<int>(arguments.size());
  warpfiber::Buffer<Arguments> in(arguments.size());
  warpfiber::Buffer<u64> out(arguments.size());
  in.upload(arguments);
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  const auto launched =
      warpfiber::launch({.grid = blocks, .block = 256}, evaluate_kernel<Function>, in.data(), out.data(), count);
  if (!launched.ok()) std::exit(1);
  return out.download();
}

// ---- host side

template <class T>
inline u64 host_bits(T value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T host_value(u64 bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline u64 scrambled(u64 x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
