// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers whose bits look like floats between 2 and 4, brought back in ways that tell their type and by a
// function that does not. WRONG in the environment names the way in which one of them is wrong.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void count(int* to, bool wrong) {
  to[threadIdx.x] = (1 << 30) + 7 * threadIdx.x + (wrong && threadIdx.x == 8);
}

static void download(void* to, const void* from, size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}

static bool is_wrong(const char* way) {
  const char* wrong = std::getenv("WRONG");
  return wrong != nullptr && std::strcmp(wrong, way) == 0;
}

int main() {
  int *device, *shared;
  int host[32];
  cudaMalloc(&device, sizeof host);
  cudaMallocManaged(&shared, sizeof host);
  count<<<1, 32>>>(device, is_wrong("line"));
  for (int i = 0; i < 1; ++i) cudaMemcpy(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  count<<<1, 32>>>(device, is_wrong("function"));
  download(host, device, sizeof host);
  count<<<1, 32>>>(shared, is_wrong("managed"));
  cudaDeviceSynchronize();
  cudaFree(shared);
}
