// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R1
// why: whole records are put into shared memory by memcpy and taken out by their neighbours with no barrier between
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct alignas(16) Body {
  float4 position, velocity;
};
__global__ void rotate(Body* bodies, int bytes) {
  __shared__ Body tile[64];
  const unsigned i = threadIdx.x, next = (i + 32) % 64;
  memcpy(&tile[i], &bodies[i], bytes);    // @A
  memcpy(&bodies[i], &tile[next], bytes);  // @B
}

int main() {
  Body h[64] = {}, *bodies;
  for (int i = 0; i < 64; ++i) h[i].position.x = float(i);
  CK(cudaMalloc(&bodies, sizeof h));
  CK(cudaMemcpy(bodies, h, sizeof h, cudaMemcpyHostToDevice));
  rotate<<<1, 64>>>(bodies, sizeof(Body));
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, bodies, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("first from %g\n", double(h[0].position.x));
  CK(cudaFree(bodies));
  return 0;
}
