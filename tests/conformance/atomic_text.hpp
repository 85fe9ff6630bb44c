// SPDX-License-Identifier: Apache-2.0
//
// What the conformance programs of atomics share: short names of types, launching or leaving, text and its hash.
#pragma once

#include <warpfiber/warpfiber.hpp>
#ifndef __CUDACC__
#include <warpfiber/intrinsics/nv_atomics.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <string>

using u64 = unsigned long long;
using i64 = long long;

struct alignas(16) Pair {
  u64 low, high;
};

template <class... Parameters, class... Arguments>
void run(unsigned grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) {
  const warpfiber::LaunchResult result = warpfiber::launch({.grid = grid, .block = block}, kernel, arguments...);
  if (result.ok()) return;
  std::printf("FAILED %s\n", result.message());
  std::exit(1);
}

inline u64 hash(const std::string& text) {
  u64 result = 14695981039346656037ULL;
  for (const char letter : text) result = (result ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return result;
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}
