// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R12
// why: copy in, kernel, copy out in chunks over three streams; managed result polled by cudaStreamQuery and read after
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scale(int* chunk, int n, int* done) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) chunk[i] *= 2;
  if (i == 0) *done = 1;
}

int main() {
  const int chunk = 100, chunks = 6;
  int *pinned, *device, *done, bad = 0;
  CK(cudaMallocHost(&pinned, chunks * chunk * sizeof(int)));
  CK(cudaMalloc(&device, chunks * chunk * sizeof(int)));
  CK(cudaMallocManaged(&done, chunks * sizeof(int)));
  for (int i = 0; i < chunks * chunk; ++i) pinned[i] = i;
  for (int i = 0; i < chunks; ++i) done[i] = 0;
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) CK(cudaStreamCreate(&stream));
  for (int i = 0; i < chunks; ++i) {
    cudaStream_t stream = streams[i % 3];
    int* to = device + i * chunk;
    CK(cudaMemcpyAsync(to, pinned + i * chunk, chunk * sizeof(int), cudaMemcpyHostToDevice, stream));
    scale<<<4, 32, 0, stream>>>(to, chunk, done + i);
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(pinned + i * chunk, to, chunk * sizeof(int), cudaMemcpyDeviceToHost, stream));
  }
  for (cudaStream_t stream : streams) {
    cudaError_t state;
    while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady) {
    }
    CK(state);
  }
  for (int i = 0; i < chunks; ++i) bad += done[i] != 1;
  for (int i = 0; i < chunks * chunk; ++i) bad += pinned[i] != 2 * i;
  for (cudaStream_t stream : streams) CK(cudaStreamDestroy(stream));
  CK(cudaFreeHost(pinned));
  CK(cudaFree(device));
  CK(cudaFree(done));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
