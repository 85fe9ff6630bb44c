// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp put what they keep side by side. A ballot and a shuffle are taken for barriers, which they are not.
#include <cstdio>

__global__ void compact(const int* in, int* out) {
  __shared__ int kept[32];
  const int lane = threadIdx.x;
  const bool keeps = in[lane] % 3 == 0;
  const unsigned all = __ballot_sync(~0U, keeps);
  if (keeps) kept[__popc(all & ((1U << lane) - 1))] = lane;
  const int count = __shfl_sync(~0U, __popc(all), 0);
  if (lane < count) out[lane] = kept[lane];
}

int main() {
  int values[32], *in, *out, first = 0;
  for (int i = 0; i < 32; ++i) values[i] = i;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  compact<<<1, 32>>>(in, out);
  const cudaError_t error = cudaMemcpy(&first, out + 1, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%s: %d\n", cudaGetErrorString(error), first);
}
