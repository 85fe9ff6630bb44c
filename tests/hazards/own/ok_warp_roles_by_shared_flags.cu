// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R8
// why: one warp fills a ring of slots, another empties it; full and empty flags are volatile, with fences of block scope
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int SLOTS = 2, ITEMS = 9;
__global__ void pipe(const int* in, int* out) {
  __shared__ int data[SLOTS][32];
  __shared__ volatile int full[SLOTS];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < SLOTS) full[threadIdx.x] = 0;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < ITEMS; ++i) {
    const int slot = i % SLOTS, want = threadIdx.x >= 32;
    if (lane == 0) {
      while (full[slot] != want) {
      }
      __threadfence_block();
    }
    __syncwarp();
    if (threadIdx.x < 32) {
      data[slot][lane] = in[32 * i + lane];
    } else {
      sum += data[slot][31 - lane];
    }
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      full[slot] = 1 - want;
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

int main() {
  int h[32 * ITEMS], r[32], *in, *out, bad = 0;
  for (int i = 0; i < 32 * ITEMS; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  pipe<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += r[i] != ITEMS * (31 - i) + 32 * ITEMS * (ITEMS - 1) / 2;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
