// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// why: warp-specialised roles over cuda::barrier pairs: warp 0 fills, warp 1 drains, neither meets the other elsewhere
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using barrier_t = cuda::barrier<cuda::thread_scope_block>;
__global__ void pipe(const int* in, int* out, int tiles) {
  __shared__ int buf[32];
  __shared__ cuda::std::aligned_storage_t<sizeof(barrier_t), alignof(barrier_t)> mem[2];
  barrier_t* full = reinterpret_cast<barrier_t*>(&mem[0]);
  barrier_t* empty = reinterpret_cast<barrier_t*>(&mem[1]);
  if (threadIdx.x == 0) {
    init(full, 64);
    init(empty, 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < tiles; ++i) {
      empty->arrive_and_wait();
      buf[lane] = in[32 * i + lane];
      (void)full->arrive();
    }
  } else {
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
      (void)empty->arrive();
      full->arrive_and_wait();
      sum += buf[31 - lane];
    }
    out[lane] = sum;
  }
}

int main() {
  int h[128], r[32], *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  pipe<<<1, 64>>>(in, out, 4);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += r[i] != 4 * (31 - i) + 192;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
