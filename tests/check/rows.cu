// SPDX-License-Identifier: Apache-2.0
// Neighbouring threads access neighbouring words, which the code counts instead of telling each, and somewhere among them
// is the defect that the argument names.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 256, kBlocks = 64, kCount = kThreads * kBlocks;

__device__ int index_here() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void add(const int* in, int* out, int n) {
  const int i = index_here();
  if (i < n) out[i] = in[i] + out[i];
}

__global__ void neighbours(int* out, int* sums) {
  const int i = index_here();
  out[i] = i;
  if (threadIdx.x != 0) sums[i] = out[i - 1];
}

__global__ void blocks_before(int* out, int* sums) {
  const int i = index_here();
  out[i] = i;
  if (blockIdx.x != 0) sums[i] = out[i - kThreads];
}

__global__ void one_other(int* out) {
  const int i = index_here();
  if (threadIdx.x == 200) out[i - 100] = 2;
  out[i] = 1;
}

__global__ void skips_one(int* fresh, int* sums) {
  const int i = index_here();
  if (i != kCount / 2 + 77) fresh[i] = i;
  __syncthreads();
  sums[i] = fresh[i];
}

int main(int argc, char** argv) {
  const char* defect = argc > 1 ? argv[1] : "none";
  const auto is = [defect](const char* name) { return std::strcmp(defect, name) == 0; };
  int *in = nullptr, *out = nullptr, *fresh = nullptr;
  cudaMalloc(&in, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  cudaMalloc(&fresh, kCount * sizeof(int));
  cudaMemset(in, 0, kCount * sizeof(int));
  cudaMemset(out, 0, kCount * sizeof(int));
  add<<<kBlocks, kThreads>>>(in, out, kCount - 100);
  add<<<kBlocks, kThreads>>>(in, out, kCount - 100);
  if (is("beyond")) add<<<kBlocks + 1, kThreads>>>(in, out, kCount + 100);
  if (is("null")) add<<<kBlocks, kThreads>>>(in, nullptr, kCount);
  if (is("neighbours")) neighbours<<<kBlocks, kThreads>>>(in, out);
  if (is("blocks")) blocks_before<<<kBlocks, kThreads>>>(in, out);
  if (is("one")) one_other<<<kBlocks, kThreads>>>(in);
  if (is("skips")) skips_one<<<kBlocks, kThreads>>>(fresh, in);
  if (is("freed")) {
    cudaFree(in);
    add<<<kBlocks, kThreads>>>(in, out, kCount);
  }
  if (is("streams")) {
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    add<<<kBlocks, kThreads, 0, one>>>(in, out, kCount);
    add<<<kBlocks, kThreads, 0, other>>>(in, out, kCount);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(fresh);
  if (!is("freed")) cudaFree(in);
}
