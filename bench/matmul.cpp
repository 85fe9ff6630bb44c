// SPDX-License-Identifier: Apache-2.0
// The tiled matrix product of the CUDA C++ Programming Guide ("Shared Memory") on two workers, beside the serial loop
// over i, j, k that a programmer would write first, and the one over i, k, j, which compilers vectorise. Wall time,
// because the figure is about getting done sooner.
#include <warpfiber/buffer.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/shared.hpp>

#include <algorithm>
#include <vector>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

constexpr unsigned kSize = 512;
constexpr unsigned kTile = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, unsigned n) {
  auto& a_tile = shared<float[kTile][kTile], struct a_tiles>();
  auto& b_tile = shared<float[kTile][kTile], struct b_tiles>();
  const unsigned column = threadIdx.x;
  const unsigned row = threadIdx.y;
  const unsigned i = blockIdx.y * kTile + row;
  const unsigned j = blockIdx.x * kTile + column;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += kTile) {
    a_tile[row][column] = a[i * n + first + column];
    b_tile[row][column] = b[(first + row) * n + j];
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) sum += a_tile[row][k] * b_tile[k][column];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

__attribute__((noinline)) void multiply_serially(const float* a, const float* b, float* c, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (unsigned k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

__attribute__((noinline)) void multiply_by_rows(const float* a, const float* b, float* c, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    float* const row = c + i * n;
    std::fill(row, row + n, 0.0f);
    for (unsigned k = 0; k < n; ++k) {
      const float by = a[i * n + k];
      for (unsigned j = 0; j < n; ++j) row[j] += by * b[k * n + j];
    }
  }
}

/// Small whole numbers, so that sums are exact in any order.
std::vector<float> matrix(unsigned step) {
  std::vector<float> values(kSize * kSize);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * step % 7);
  return values;
}

template <class Call>
void run_matmul(benchmark::State& state, Call&& call) {
  const Buffer<float> a(matrix(3));
  const Buffer<float> b(matrix(5));
  Buffer<float> c(kSize * kSize);
  const double seconds = seconds_of(state, Clock::wall, [&] {
    call(a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  });
  std::vector<float> expected(kSize * kSize);
  multiply_serially(a.data(), b.data(), expected.data(), kSize);
  require_right(state, c.download() == expected);
  state.counters["ms"] = seconds * kMilliseconds;
}

void matmul_plain(benchmark::State& state) {
  run_matmul(state, [](const float* a, const float* b, float* c) { multiply_serially(a, b, c, kSize); });
}
BENCHMARK(matmul_plain);

void matmul_ikj(benchmark::State& state) {
  run_matmul(state, [](const float* a, const float* b, float* c) { multiply_by_rows(a, b, c, kSize); });
}
BENCHMARK(matmul_ikj);

void matmul_tiled(benchmark::State& state) {
  const LaunchConfig config{.grid = dim3(kSize / kTile, kSize / kTile), .block = dim3(kTile, kTile), .workers = 2};
  run_matmul(state, [&](const float* a, const float* b, float* c) {
    require(state, launch(config, multiply_tiles, a, b, c, kSize));
  });
}
BENCHMARK(matmul_tiled);

}  // namespace
}  // namespace warpfiber::bench
