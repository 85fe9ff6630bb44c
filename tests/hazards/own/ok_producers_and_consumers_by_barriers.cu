// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: warps that fill stages and warps that empty them meet at pairs of cuda::barriers and never at a __syncthreads()
#include <cuda/barrier>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kStages = 2, kWidth = 32;
struct Ring {
  Barrier full[kStages], empty[kStages];
};
__device__ void produce(Ring& ring, int (*stage)[kWidth], const int* in, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    ring.empty[r % kStages].arrive_and_wait();
    stage[r % kStages][threadIdx.x] = in[r * kWidth + threadIdx.x];
    (void)ring.full[r % kStages].arrive();
  }
}
__device__ void consume(Ring& ring, int (*stage)[kWidth], int* out, int rounds) {
  int sum = 0;
  for (int s = 0; s < kStages; ++s) (void)ring.empty[s].arrive();
  for (int r = 0; r < rounds; ++r) {
    ring.full[r % kStages].arrive_and_wait();
    sum += stage[r % kStages][(threadIdx.x + 1) % kWidth];
    if (r + kStages < rounds) (void)ring.empty[r % kStages].arrive();
  }
  out[threadIdx.x] = sum;
}
__global__ void work(const int* in, int* out, int rounds) {
  __shared__ Ring ring;
  __shared__ int stage[kStages][kWidth];
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    for (int s = 0; s < kStages; ++s) {
      init(&ring.full[s], 2 * kWidth);
      init(&ring.empty[s], 2 * kWidth);
    }
  }
  __syncthreads();
  if (threadIdx.y == 0) {
    produce(ring, stage, in, rounds);
  } else {
    consume(ring, stage, out, rounds);
  }
}

int main() {
  constexpr int rounds = 7;
  int h[rounds * kWidth], got[kWidth], *in, *out, bad = 0;
  for (int i = 0; i < rounds * kWidth; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof got));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  work<<<1, dim3(kWidth, 2)>>>(in, out, rounds);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kWidth; ++i) bad += got[i] != rounds * ((i + 1) % kWidth) + kWidth * 21;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
