// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S5
// why: a cooperative relaxation in two buffers with a maximum by atomics that one thread sets back between two grid.sync()
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
struct State {
  float* cell[2];
  int* largest;
  int n;
};
__global__ void relax(State state, int* rounds) {
  cg::grid_group grid = cg::this_grid();
  const int i = int(grid.thread_rank());
  int from = 0;
  for (int r = 1;; ++r, from = 1 - from) {
    if (i > 0 && i < state.n - 1) {
      const float next = 0.5f * (state.cell[from][i - 1] + state.cell[from][i + 1]);
      atomicMax(state.largest, int(fabsf(next - state.cell[from][i]) * 1000));
      state.cell[1 - from][i] = next;
    } else if (i < state.n) {
      state.cell[1 - from][i] = state.cell[from][i];
    }
    grid.sync();
    const int largest = *state.largest;
    grid.sync();
    if (largest < 20 || r == 500) {
      if (i == 0) *rounds = r;
      return;
    }
    if (i == 0) *state.largest = 0;
    grid.sync();
  }
}

int main() {
  constexpr int n = 90;
  float h[n] = {};
  State state{{nullptr, nullptr}, nullptr, n};
  int r = 0, *rounds, bad = 0;
  h[0] = 1;
  for (auto& cell : state.cell) CK(cudaMalloc(&cell, sizeof h));
  CK(cudaMalloc(&state.largest, sizeof(int)));
  CK(cudaMalloc(&rounds, sizeof(int)));
  CK(cudaMemset(state.largest, 0, sizeof(int)));
  CK(cudaMemcpy(state.cell[0], h, sizeof h, cudaMemcpyHostToDevice));
  void* arguments[] = {&state, &rounds};
  CK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(relax), dim3(3), dim3(32), arguments, 0, nullptr));
  CK(cudaMemcpy(&r, rounds, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(h, state.cell[r % 2], sizeof h, cudaMemcpyDeviceToHost));
  bad = r < 2 || r == 500 || h[0] != 1 || h[1] <= h[2];
  for (auto& cell : state.cell) CK(cudaFree(cell));
  CK(cudaFree(state.largest));
  CK(cudaFree(rounds));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
