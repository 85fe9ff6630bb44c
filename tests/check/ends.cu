// SPDX-License-Identifier: Apache-2.0
// Ends in the ways that its arguments name, one after another.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
__global__ void stop() {
  if (threadIdx.x == 3) __trap();
}

__global__ void pass() {}

__global__ void leave() {
  exit(5);
}

__device__ int words[8];

__global__ void race_and_leave() {
  words[0] = threadIdx.x;
  if (threadIdx.x == 31) exit(5);
}

__global__ void race_often() {
  words[blockIdx.x % 8] = blockIdx.x * blockDim.x + threadIdx.x;
}

void go(const std::string& way) {
  if (way == "trap") stop<<<2, 32>>>();
  if (way == "well") pass<<<2, 32>>>();
  if (way == "exit") leave<<<1, 1>>>();
  if (way == "race-exit") race_and_leave<<<1, 32>>>();
  if (way == "races") race_often<<<4096, 256>>>();
  if (way == "refused") stop<<<1, 2048>>>();
  const cudaError_t error = way == "fail" ? cudaSuccess : cudaDeviceSynchronize();
  if (way == "crash") raise(SIGSEGV);
  if (way == "abort") abort();
  if (way == "killed") raise(SIGKILL);
  if (way == "stop-checker") kill(getppid(), SIGTERM);
  while (way == "stop-checker" || way == "for-ever") pause();
  if (way == "fail") exit(3);
  for (int i = 0; way == "print" && i < 1'000'000; ++i) printf("%d %s\n", i, cudaGetErrorName(error));
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) go(argv[i]);
}
