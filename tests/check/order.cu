// SPDX-License-Identifier: Apache-2.0
// Results that depend on the schedule, in the ways that its arguments name, and none of which is a race: numbers that are
// added in any order, elements that are appended in any order, and what depends on who comes first.
#include <cstdio>
#include <cstring>
#include <ctime>

__global__ void add(float* sum) {
  atomicAdd(sum, threadIdx.x == 0 ? 1e8f : 1.0f);
}

__global__ void append(unsigned* list, unsigned* count) {
  list[atomicAdd(count, 1u)] = threadIdx.x;
}

__global__ void count_all(unsigned* count) {
  atomicAdd(count, threadIdx.x);
}

int main(int argc, char** argv) {
  const auto wanted = [&](const char* way) {
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], way) == 0) return true;
    }
    return false;
  };
  float* sum = nullptr;
  unsigned* list = nullptr;
  cudaMalloc(&sum, sizeof *sum);
  cudaMalloc(&list, 65 * sizeof *list);
  cudaMemset(sum, 0, sizeof *sum);
  cudaMemset(list, 0, 65 * sizeof *list);
  if (wanted("add")) add<<<1, 64>>>(sum);
  if (wanted("append")) append<<<1, 64>>>(list, list + 64);
  if (wanted("count")) count_all<<<1, 64>>>(list + 64);
  float total = 0;
  unsigned values[65];
  cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
  cudaMemcpy(values, list, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(sum);
  cudaFree(list);
  if (wanted("time")) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::printf("%ld ns\n", now.tv_nsec);
  }
  if (wanted("print")) std::printf("sum %.9g first %u count %u\n", total, values[0], values[64]);
  if (wanted("pass")) std::printf("%s\n", total > 0 || values[64] != 0 ? "PASS" : "FAIL");
  return wanted("fail") && values[0] % 2 != 0;
}
