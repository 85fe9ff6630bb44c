// SPDX-License-Identifier: Apache-2.0
// Memory of the host and names of the host's copies, given to kernels.
#include <cstdio>
#include <cstring>
#include <vector>

__device__ int numbers[32];
__device__ int (*known)(int);

__device__ int twice(int x) {
  return 2 * x;
}

__global__ void learn() {
  known = twice;
}

__global__ void count(int* out) {
  out[threadIdx.x] += threadIdx.x;
}

__global__ void apply(int (*f)(int), int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}

__global__ void look(int* out, const int* hint, bool use) {
  out[threadIdx.x] = use ? hint[threadIdx.x] : 1;
}

int main(int count_of_words, char** words) {
  const char* what = count_of_words > 1 ? words[1] : "";
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  std::vector<int> heap(32);
  int stack[32] = {};
  int* out = nullptr;
  cudaMalloc(&out, sizeof stack);
  cudaMemset(out, 0, sizeof stack);
  if (is("heap")) count<<<1, 32>>>(heap.data());
  if (is("stack")) count<<<1, 32>>>(stack);
  if (is("array")) count<<<1, 32>>>(numbers);
  if (is("function")) apply<<<1, 32>>>(twice, out);
  if (is("unused")) look<<<1, 32>>>(out, heap.data(), false);
  if (is("asked")) {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, numbers);
    count<<<1, 32>>>(static_cast<int*>(address));
    learn<<<1, 1>>>();
    int (*f)(int) = nullptr;
    cudaMemcpyFromSymbol(&f, known, sizeof f);
    apply<<<1, 32>>>(f, out);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
