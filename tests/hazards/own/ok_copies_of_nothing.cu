// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// row: A1
// why: copies of no bytes read and write nothing, whatever their addresses hold; nor does one that only fills with zeroes read
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* never_written, int* out, int bytes) {
  __shared__ int s[64];
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  s[t] = t;
  block.sync();
  cg::memcpy_async(cg::this_thread(), s, never_written, bytes);
  cg::memcpy_async(block, s + 8, never_written, bytes);
  cg::wait(block);
  __pipeline_memcpy_async(s + t, never_written + t, 4, 4 - bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t] + 1;
}

int main() {
  int r[64], *in, *out, bad = 0;
  CK(cudaMalloc(&in, sizeof r));
  CK(cudaMalloc(&out, sizeof r));
  load<<<1, 64>>>(in, out, 0);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 64; ++t) bad += r[t] != 1;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
