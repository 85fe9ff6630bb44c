// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: A1
// why: a tile of records is copied by cooperative_groups::memcpy_async and read before the wait
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
struct Particle {
  float mass, x, y, z;
};
__global__ void centre(const Particle* in, float* out) {
  __shared__ Particle tile[32];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 32, sizeof(Particle) * 32);  // @A
  const float mass = tile[threadIdx.x].mass;  // @B
  cg::wait(block);
  atomicAdd(out, mass * tile[threadIdx.x].x);
}

int main() {
  Particle h[64], *in;
  float sum = 0, *out;
  for (auto& p : h) p = Particle{1, 2, 3, 4};
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof sum));
  CK(cudaMemset(out, 0, sizeof sum));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  centre<<<2, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("%g\n", double(sum));
  CK(cudaFree(in));
  CK(cudaFree(out));
  return 0;
}
