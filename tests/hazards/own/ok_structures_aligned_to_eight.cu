// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M12
// why: structures of 16 bytes need an address that is a multiple of 8, and compilers copy them whole
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Found {
  bool any;
  long long where;
};

struct Partial {
  long long count;
  Found found[4];
};

__global__ void turn(Found* out) {
  __shared__ Partial partial;
  partial.found[threadIdx.x] = Found{threadIdx.x % 2 == 0, threadIdx.x};
  __syncthreads();
  out[threadIdx.x] = partial.found[3 - threadIdx.x];
}

int main() {
  Found* out;
  Found r[4];
  CK(cudaMalloc(&out, sizeof r + 8));
  turn<<<1, 4>>>(reinterpret_cast<Found*>(reinterpret_cast<char*>(out) + 8));
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, reinterpret_cast<char*>(out) + 8, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  int bad = 0;
  for (int i = 0; i < 4; ++i) bad += r[i].where != 3 - i || r[i].any != (i % 2 == 1);
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
