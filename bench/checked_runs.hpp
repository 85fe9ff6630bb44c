// SPDX-License-Identifier: Apache-2.0
// The input, the check and the figure of each kernel of measured_kernels.hpp; how it is launched is the caller's. Used
// by the benchmarks of fibers and of regions.
#pragma once

#include <warpfiber/buffer.hpp>
#include <warpfiber/half.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "measure.hpp"

namespace warpfiber::bench {

/// `launch_once(in, out, blocks)` sums blocks of `threads` floats.
template <class LaunchOnce>
void run_block_reduce(benchmark::State& state, unsigned threads, LaunchOnce&& launch_once) {
  constexpr unsigned kElements = 1u << 22;
  const unsigned blocks = kElements / threads;
  Buffer<float> in(kElements);
  Buffer<float> out(blocks);
  in.fill(1.0f);
  const double seconds = seconds_of(state, Clock::cpu, [&] { launch_once(in.data(), out.data(), blocks); });
  const bool right =
      std::all_of(out.data(), out.data() + blocks, [&](float sum) { return sum == static_cast<float>(threads); });
  require_right(state, right);
  state.counters["ns_per_element"] = seconds * kNanoseconds / kElements;
}

/// `launch_once(in, out, blocks)` handles 2^10 blocks of `threads` numbers from 0 to 250; `expect` makes what a group
/// of `size` of them becomes.
template <class LaunchOnce, class Expect>
void run_groups(benchmark::State& state, unsigned threads, unsigned size, LaunchOnce&& launch_once, Expect expect) {
  constexpr unsigned kBlocks = 1u << 10;
  std::vector<unsigned> values(kBlocks * threads);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = i * 2654435761u % 251;
  const Buffer<unsigned> in(values);
  Buffer<unsigned> out(values.size());
  const double seconds = seconds_of(state, Clock::cpu, [&] { launch_once(in.data(), out.data(), kBlocks); });
  for (auto group = values.begin(); group != values.end(); group += size) expect(group, group + size);
  require_right(state, out.download() == values);
  state.counters["ns_per_thread"] = seconds * kNanoseconds / static_cast<double>(values.size());
}

// What groups become.
inline constexpr auto kSummed = [](auto begin, auto end) { std::fill(begin, end, std::accumulate(begin, end, 0u)); };
inline constexpr auto kScanned = [](auto begin, auto end) { std::partial_sum(begin, end, begin); };
inline constexpr auto kSorted = [](auto begin, auto end) { std::sort(begin, end); };

inline constexpr unsigned kMatrixSize = 512;

/// The loop over i, j, k that a programmer would write first.
void multiply_serially(const float* a, const float* b, float* c, unsigned n);

/// Small whole numbers, so that sums of products are exact in any order. They differ by `step`.
template <class Number>
std::vector<Number> matrix_of(unsigned step) {
  std::vector<Number> values(kMatrixSize * kMatrixSize);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Number>(static_cast<float>(i * step % 7));
  return values;
}

/// `multiply(a, b, c)` multiplies matrices.
template <class Multiply>
void run_matmul(benchmark::State& state, Clock clock, Multiply&& multiply) {
  const Buffer<float> a(matrix_of<float>(3));
  const Buffer<float> b(matrix_of<float>(5));
  Buffer<float> c(kMatrixSize * kMatrixSize);
  const double seconds = seconds_of(state, clock, [&] {
    multiply(a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  });
  std::vector<float> expected(kMatrixSize * kMatrixSize);
  multiply_serially(a.data(), b.data(), expected.data(), kMatrixSize);
  require_right(state, c.download() == expected);
  state.counters["ms"] = seconds * kMilliseconds;
}

/// `multiply(a, b, c)` multiplies a matrix by rows by one by columns. In one of 16 by 16 by 16 are as many products as
/// in a matrix operation of a warp.
template <class Multiply>
void run_half_matmul(benchmark::State& state, Multiply&& multiply) {
  constexpr double kProducts = (kMatrixSize / 16.0) * (kMatrixSize / 16.0) * (kMatrixSize / 16.0);
  const Buffer<half> a(matrix_of<half>(3));
  const Buffer<half> b(matrix_of<half>(5));
  Buffer<float> c(kMatrixSize * kMatrixSize);
  const double seconds = seconds_of(state, Clock::cpu, [&] { multiply(a.data(), b.data(), c.data()); });
  const std::vector<float> rows = matrix_of<float>(3);
  const std::vector<float> columns = matrix_of<float>(5);
  std::vector<float> by_rows(columns.size());
  for (unsigned i = 0; i < columns.size(); ++i) by_rows[i % kMatrixSize * kMatrixSize + i / kMatrixSize] = columns[i];
  std::vector<float> expected(columns.size());
  multiply_serially(rows.data(), by_rows.data(), expected.data(), kMatrixSize);
  require_right(state, c.download() == expected);
  state.counters["ms"] = seconds * kMilliseconds;
  state.counters["us_per_product"] = seconds * kMicroseconds / kProducts;
}

}  // namespace warpfiber::bench
