// SPDX-License-Identifier: Apache-2.0
// The tiled matrix product of the CUDA C++ Programming Guide ("Shared Memory") on two workers, beside the serial loop
// over i, j, k that a programmer would write first, and the one over i, k, j, which compilers vectorise. Wall time,
// because the figure is about getting done sooner; CPU time of the last, which is held against one worker
// (regions.cpp). And the product of halves by the matrix operations of warps, beside that of cuBLAS.
#include <cublas_v2.h>

#include "checked_runs.hpp"
#include "measured_kernels.hpp"

namespace warpfiber::bench {

__attribute__((noinline)) void multiply_serially(const float* a, const float* b, float* c, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (unsigned k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

namespace {

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

void matmul_plain(benchmark::State& state) {
  run_matmul(state, Clock::wall,
             [](const float* a, const float* b, float* c) { multiply_serially(a, b, c, kMatrixSize); });
}
BENCHMARK(matmul_plain);

void matmul_ikj(benchmark::State& state) {
  run_matmul(state, Clock::cpu,
             [](const float* a, const float* b, float* c) { multiply_by_rows(a, b, c, kMatrixSize); });
}
BENCHMARK(matmul_ikj);

void matmul_tiled(benchmark::State& state) {
  const LaunchConfig config{
      .grid = dim3(kMatrixSize / kTile, kMatrixSize / kTile), .block = dim3(kTile, kTile), .workers = 2};
  run_matmul(state, Clock::wall, [&](const float* a, const float* b, float* c) {
    require(state, launch(config, multiply_tiles, a, b, c, kMatrixSize));
  });
}
BENCHMARK(matmul_tiled);

void matmul_wmma(benchmark::State& state) {
  const LaunchConfig config{
      .grid = kMatrixSize / kTile * (kMatrixSize / kTile) * kLanes / kThreads, .block = kThreads, .workers = 1};
  run_half_matmul(state, [&](const half* a, const half* b, float* c) {
    require(state, launch(config, multiply_fragments, a, b, c, kMatrixSize));
  });
}
BENCHMARK(matmul_wmma);

void matmul_cublas(benchmark::State& state) {
  cublasHandle_t handle = nullptr;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return state.SkipWithError("no handle");
  run_half_matmul(state, [&](const half* a, const half* b, float* c) {
    const float one = 1, zero = 0;
    const int n = kMatrixSize;  // columns first: the transposed product
    const auto status = cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16F, n, a, CUDA_R_16F,
                                     n, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    if (status != CUBLAS_STATUS_SUCCESS || cudaDeviceSynchronize() != cudaSuccess)
      state.SkipWithError("the product failed");
  });
  cublasDestroy(handle);
}
BENCHMARK(matmul_cublas);

}  // namespace
}  // namespace warpfiber::bench
