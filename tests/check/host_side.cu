// SPDX-License-Identifier: Apache-2.0
// Host code that uses memory of the device by itself: in a loop, as the text of printf(), and after the memory was
// freed. What it does without an argument is allowed.
#include <cstdio>
#include <cstring>
#include <thread>

__global__ void count(int* to) {
  to[threadIdx.x] += threadIdx.x;
}

__global__ void write(char* to) {
  to[threadIdx.x] = threadIdx.x < 4 ? 'w' : 0;
}

static int sum_of(const int* values) {
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += values[i];
  return sum;
}

/// Launches, copies and frees of several threads, with memory that the host may use meanwhile.
static void use_all() {
  int* of_device = nullptr;
  int* managed = nullptr;
  int* pinned = nullptr;
  cudaMalloc(&of_device, 32 * sizeof(int));
  cudaMallocManaged(&managed, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < 50; ++round) {
    cudaMemsetAsync(of_device, 0, 32 * sizeof(int), stream);
    count<<<1, 32, 0, stream>>>(of_device);
    cudaMemcpyAsync(pinned, of_device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::memcpy(managed, pinned, 32 * sizeof(int));
    if (sum_of(managed) != 496) std::printf("wrong\n");
  }
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
  cudaFree(managed);
  cudaFree(of_device);
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  int* numbers = nullptr;
  char* text = nullptr;
  cudaMalloc(&numbers, 32 * sizeof(int));
  cudaMalloc(&text, 32);
  cudaMemset(numbers, 0, 32 * sizeof(int));
  count<<<1, 32>>>(numbers);
  write<<<1, 32>>>(text);
  cudaDeviceSynchronize();
  if (asked("sum")) std::printf("PASSED %d\n", sum_of(numbers));
  if (asked("set")) numbers[3] = 1;
  if (asked("text")) std::printf("PASSED %s\n", text);
  if (argc == 1) {
    std::thread other(use_all);
    use_all();
    other.join();
  }
  cudaFree(text);
  cudaFree(numbers);
  if (asked("freed")) std::printf("PASSED %d\n", sum_of(numbers));
  std::printf("over\n");
}
