// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K5
// why: whichever lanes __activemask finds, they elect one of themselves and only count; any outcome is right
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count_odd(const int* in, int* out) {
  if (in[threadIdx.x] % 2) {
    const unsigned active = __activemask();
    const int leader = __ffs(int(active)) - 1;
    if (int(threadIdx.x % 32) == leader) atomicAdd(out + 1, 1);
    atomicAdd(out, 1);
  }
}

int main() {
  int h[64], r[2], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i * 3;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof r));
  count_odd<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  const bool bad = r[0] != 32 || r[1] < 2;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
