// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K5
// why: in divergent code, active lanes with one key elect a leader that counts for all of them; any partition is right
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void count(int* bin, int key, int lane) {
  const unsigned peers = __match_any_sync(__activemask(), key);
  if (lane == __ffs(peers) - 1) atomicAdd(bin + key, __popc(peers));
}

__device__ void add(int* sum, int v, int lane) {
  const unsigned active = __activemask();
  const int all = __reduce_add_sync(active, v);
  if (lane == 31 - __clz(active)) atomicAdd(sum, all);
}

__global__ void k(const int* in, int* bins, int* sum) {
  const int v = in[threadIdx.x], lane = threadIdx.x % 32;
  if (v % 3 != 0) count(bins, v % 5, lane);
  for (int i = 0; i < v % 4; ++i) add(sum, i, lane);
}

int main() {
  int h[64], r[6], want[6] = {}, *in, *out;
  for (int i = 0; i < 64; ++i) {
    h[i] = i * 7;
    if (h[i] % 3 != 0) ++want[h[i] % 5];
    for (int j = 0; j < h[i] % 4; ++j) want[5] += j;
  }
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof r));
  k<<<1, 64>>>(in, out, out + 5);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  bool bad = false;
  for (int i = 0; i < 6; ++i) bad |= r[i] != want[i];
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
