// SPDX-License-Identifier: Apache-2.0
// Threads that look at what others write and work meanwhile, without a call that would let others run: the one that the
// argument names.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kThreads = 512;

/// Each row needs those behind it, which start last. Its thread goes through numbers of its own while it waits.
__global__ void solves(volatile int* rows, unsigned* numbers) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned number = row;
  int sum = 1;
  for (int next = 1; next <= 3;) {
    if (row + next >= kThreads) {
      ++next;
    } else if (const int other = rows[row + next]; other != 0) {
      sum = (sum + other) % 1000 + 1;
      ++next;
    } else {
      number = number * 1664525 + 1013904223;
    }
  }
  rows[row] = sum;
  numbers[row] = number;
}
__device__ bool is_ready(const int* rows, int row) {
  return row >= kThreads || *reinterpret_cast<const volatile int*>(rows + row) != 0;
}
/// The same through a function.
__global__ void asks(int* rows, unsigned* numbers) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    ++numbers[row];
    if (is_ready(rows, row + 1)) {
      rows[row] = row + 1;
      done = true;
    }
  }
}
/// A token goes round; nothing of a thread tells how far.
__global__ void passes(volatile int* token, unsigned* turns) {
  const int mine = threadIdx.x;
  const int threads = blockDim.x;
  for (int now = *token; now < 200 * threads; now = *token) {
    if (now % threads == mine) {
      ++turns[mine];
      *token = now + 1;
    }
  }
}

int main(int, char** arguments) {
  const auto is = [arguments](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  int* rows;
  unsigned* numbers;
  cudaMalloc(&rows, kThreads * sizeof *rows);
  cudaMalloc(&numbers, kThreads * sizeof *numbers);
  cudaMemset(rows, 0, kThreads * sizeof *rows);
  cudaMemset(numbers, 0, kThreads * sizeof *numbers);
  if (is("solves")) solves<<<kThreads / 64, 64>>>(rows, numbers);
  if (is("asks")) asks<<<kThreads / 64, 64>>>(rows, numbers);
  if (is("passes")) passes<<<1, 32>>>(rows, numbers);
  std::vector<int> all(kThreads);
  std::vector<unsigned> counts(kThreads);
  const cudaError_t error = cudaMemcpy(all.data(), rows, kThreads * sizeof *rows, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts.data(), numbers, kThreads * sizeof *numbers, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = kThreads - 1; row >= 0; --row) {
    int sum = 1;
    for (int next = 1; next <= 3 && row + next < kThreads; ++next) sum = (sum + all[row + next]) % 1000 + 1;
    if (is("solves")) wrong += all[row] != sum;
    if (is("asks")) wrong += all[row] != row + 1;
    if (is("passes")) wrong += row < 32 && counts[row] != 200;
  }
  std::printf("%s %d\n", cudaGetErrorName(error), wrong);
}
