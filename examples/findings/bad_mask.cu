// SPDX-License-Identifier: Apache-2.0
//
// A shuffle in a branch whose mask contains all lanes, and two ways to correct it.
#include <cstdio>

__global__ void broadcast(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 20) v = __shfl_sync(0xffffffff, v, 0);
  __syncwarp();
  out[lane] = v;
}

__global__ void broadcast_to_some(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  const unsigned low = __ballot_sync(0xffffffff, lane < 20);
  if (lane < 20) v = __shfl_sync(low, v, 0);
  __syncwarp();
  out[lane] = v;
}

__global__ void broadcast_by_all(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  const int first = __shfl_sync(0xffffffff, v, 0);
  if (lane < 20) v = first;
  out[lane] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  broadcast_to_some<<<1, 32>>>(out);
  broadcast_by_all<<<1, 32>>>(out);
  broadcast<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
