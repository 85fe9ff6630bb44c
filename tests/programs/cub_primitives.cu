// SPDX-License-Identifier: Apache-2.0
//
// The distribution's own CUB, unchanged, in kernels of the program: reductions and sorts of a block, scans of a warp,
// loads and stores by warps; and a reduction of a device with its two calls.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kThreads = 128;
constexpr int kItems = 4;

__global__ void sort_block(int* numbers, int* sum, int* sums_of_warps) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::WarpScan<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan[kThreads / 32];
  } storage;
  int items[kItems];
  Load(storage.load).Load(numbers, items);
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  const int total = Reduce(storage.reduce).Sum(items);
  if (threadIdx.x == 0) *sum = total;
  __syncthreads();
  int before = 0;
  Scan(storage.scan[threadIdx.x / 32]).ExclusiveSum(items[0], before);
  if (threadIdx.x % 32 == 31) sums_of_warps[threadIdx.x / 32] = before + items[0];
  cub::StoreDirectBlocked(threadIdx.x, numbers, items);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorName(error));
  std::exit(1);
}

}  // namespace

int main() {
  constexpr int size = kThreads * kItems;
  std::vector<int> numbers(size);
  for (int i = 0; i < size; ++i) numbers[i] = i * 7919 % 1009 - 300;
  int* device = nullptr;
  int* results = nullptr;
  check(cudaMalloc(&device, size * sizeof(int)));
  check(cudaMalloc(&results, 6 * sizeof(int)));
  check(cudaMemcpy(device, numbers.data(), size * sizeof(int), cudaMemcpyHostToDevice));
  sort_block<<<1, kThreads>>>(device, results, results + 1);

  void* temporary = nullptr;
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Max(temporary, bytes, device, results + 5, size));
  check(cudaMalloc(&temporary, bytes));
  check(cub::DeviceReduce::Max(temporary, bytes, device, results + 5, size));

  std::vector<int> sorted(size);
  int found[6] = {};
  check(cudaMemcpy(sorted.data(), device, size * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost));
  for (void* memory : {static_cast<void*>(device), static_cast<void*>(results), temporary}) check(cudaFree(memory));

  std::sort(numbers.begin(), numbers.end());
  int sum = 0;
  int of_warps[4] = {};
  for (int i = 0; i < size; ++i) sum += numbers[i];
  for (int thread = 0; thread < kThreads; ++thread) of_warps[thread / 32] += numbers[thread * kItems];
  const bool right = sorted == numbers && found[0] == sum && std::equal(of_warps, of_warps + 4, found + 1) &&
                     found[5] == numbers.back();
  std::printf("%s\n", right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
