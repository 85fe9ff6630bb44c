// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R12
// why: the host reads and writes managed and pinned memory between kernels, each time after a synchronisation
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void step(int* managed, int* pinned) {
  managed[threadIdx.x] += pinned[threadIdx.x];
  pinned[threadIdx.x] += 1;
}

int main() {
  int *managed, *pinned, bad = 0;
  cudaStream_t s, apart;
  cudaEvent_t done;
  CK(cudaMallocManaged(&managed, 64 * sizeof(int)));
  CK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  CK(cudaEventCreate(&done));
  for (int i = 0; i < 64; ++i) managed[i] = pinned[i] = i;
  step<<<1, 64, 0, s>>>(managed, pinned);
  CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 64; ++i) managed[i] -= 1;
  step<<<1, 64, 0, s>>>(managed, pinned);
  CK(cudaEventRecord(done, s));
  CK(cudaEventSynchronize(done));
  for (int i = 0; i < 64; ++i) bad += managed[i] != 3 * i || pinned[i] != i + 2;
  CK(cudaMemset(managed, 0, 64 * sizeof(int)));  // returns when it is done
  step<<<1, 64, 0, apart>>>(managed, pinned);
  CK(cudaStreamSynchronize(apart));
  for (int i = 0; i < 64; ++i) bad += managed[i] != i + 2;
  CK(cudaFree(managed));
  CK(cudaFreeHost(pinned));
  CK(cudaEventDestroy(done));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(apart));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
