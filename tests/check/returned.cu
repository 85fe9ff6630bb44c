// SPDX-License-Identifier: Apache-2.0
// A value from lane 0, which has returned: undefined, though devices give 0.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void share(const int* in, int* out) {
  const int lane = threadIdx.x;
  if (in[lane] == 0) return;
  out[lane] = in[lane] + __shfl_sync(0xffffffffu, in[lane], 0);
}

__global__ void share_in_group(int* out) {
  const auto group = cooperative_groups::coalesced_threads();
  if (group.thread_rank() == 3) return;
  out[threadIdx.x] += group.shfl(1, 3);
}

int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemset(out, 0, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  share<<<1, 32>>>(in, out);
  share_in_group<<<1, 31>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[5]);
}
