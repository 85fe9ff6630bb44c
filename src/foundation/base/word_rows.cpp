// SPDX-License-Identifier: Apache-2.0
//
// Loops over vectors of four words, compiled for AVX2 as well and chosen by what the processor has.
#include "base/word_rows.hpp"

#include "base/targets.hpp"

namespace warpfiber::base {
namespace {

/// Four words at a time, which are a vector's; and four of those, which do not wait for each other.
using WordVector = std::uint64_t __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::size_t kWords = sizeof(WordVector) / sizeof(std::uint64_t);
constexpr std::size_t kVectors = 4;

inline __attribute__((always_inline)) std::uint64_t differ(const std::uint64_t* words, std::size_t count,
                                                           std::uint64_t value) {
  constexpr std::size_t kAtOnce = kVectors * kWords;
  std::uint64_t all = 0;
  if (count < kAtOnce) {
    for (std::size_t i = 0; i < count; ++i) all |= words[i] ^ value;
    return all;
  }
  WordVector differences[kVectors] = {};
  const auto add = [&](const std::uint64_t* from) __attribute__((always_inline)) {
    const auto* vectors = reinterpret_cast<const WordVector*>(from);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) differences[v] |= vectors[v] ^ value;
  };
  const std::uint64_t* const last = words + count - kAtOnce;
  for (; words < last; words += kAtOnce) add(words);
  add(last);  // some words twice rather than one by one
  const WordVector each = differences[0] | differences[1] | differences[2] | differences[3];
  for (std::size_t i = 0; i < kWords; ++i) all |= each[i];
  return all;
}
WARPFIBER_TARGET_AVX2 std::uint64_t differ_wide(const std::uint64_t* words, std::size_t count, std::uint64_t value) {
  return differ(words, count, value);
}

inline __attribute__((always_inline)) void fill(std::uint64_t* words, std::size_t count, std::uint64_t first,
                                                std::uint64_t step) {
  for (std::size_t i = 0; i < count; ++i, first += step) words[i] = first;
}
WARPFIBER_TARGET_AVX2 void fill_wide(std::uint64_t* words, std::size_t count, std::uint64_t first, std::uint64_t step) {
  fill(words, count, first, step);
}

}  // namespace

std::uint64_t differences(const std::uint64_t* words, std::size_t count, std::uint64_t value) {
  return has_avx2() ? differ_wide(words, count, value) : differ(words, count, value);
}

void fill_counting(std::uint64_t* words, std::size_t count, std::uint64_t first, std::uint64_t step) {
  has_avx2() ? fill_wide(words, count, first, step) : fill(words, count, first, step);
}

}  // namespace warpfiber::base
