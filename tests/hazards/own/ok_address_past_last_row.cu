// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M3
// why: addresses past the end of a row and of the last row end loops; nothing is accessed there, and the last member of a structure has as many elements as were allocated
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Message {
  int size;
  int words[1];
};

__global__ void sums(const int* in, Message* message, int rows) {
  __shared__ int tile[8][8];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  const int* const row_end = &tile[threadIdx.y][8];
  for (const int* p = tile[threadIdx.y]; p != row_end; ++p) sum += *p;
  message->words[threadIdx.y] = sum;
  if (threadIdx.y != 0) return;
  const int* const end = &tile[rows][0];
  int all = 0;
  for (const int* p = &tile[0][0]; p != end; ++p) all += *p;
  message->size = all;
}

int main() {
  int h[64], result[9], *in;
  Message* message;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&message, sizeof result));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, dim3(8, 8)>>>(in, message, 8);
  CK(cudaGetLastError());
  CK(cudaMemcpy(result, message, sizeof result, cudaMemcpyDeviceToHost));
  std::printf("%s\n", result[0] == 2016 && result[1] == 28 && result[8] == 476 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(message));
  return result[0] == 2016 ? 0 : 1;
}
