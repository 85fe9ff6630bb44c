// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M12
// why: pairs of doubles lie behind a header of eight bytes in dynamic shared memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Header {
  int count, flags;
};
__device__ __noinline__ void store(double2* pairs, int i) {
  pairs[i] = make_double2(i, -i);  // @A
}
__global__ void fill(double* out) {
  extern __shared__ __align__(16) unsigned char memory[];
  double2* pairs = reinterpret_cast<double2*>(memory + sizeof(Header));
  store(pairs, int(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = pairs[31 - threadIdx.x].y;
}

int main() {
  double* out;
  CK(cudaMalloc(&out, 32 * sizeof(double)));
  fill<<<1, 32, sizeof(Header) + 32 * sizeof(double2)>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
  return 0;
}
