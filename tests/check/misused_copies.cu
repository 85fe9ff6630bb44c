// SPDX-License-Identifier: Apache-2.0
// Memory of copies and barriers that are used wrongly has the name that the program has for it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

struct Row {
  int key;
  float items[15];
};

__global__ void misaligned_source(const Row* rows) {
  __shared__ alignas(16) float tile[2][16];
  __shared__ Barrier done;
  if (threadIdx.x == 0) init(&done, 1);
  if (threadIdx.x == 0) cuda::memcpy_async(tile[1], &rows[2].items[4], cuda::aligned_size_t<16>(32), done);
}

__global__ void misaligned_destination(const Row* rows) {
  __shared__ alignas(16) float tile[2][16];
  __shared__ Barrier done;
  if (threadIdx.x == 0) init(&done, 1);
  if (threadIdx.x == 0) cuda::memcpy_async(&tile[1][2], rows, cuda::aligned_size_t<16>(32), done);
}

__global__ void misaligned_in_dynamic(const Row* rows) {
  extern __shared__ Row cache[];
  __shared__ Barrier done;
  if (threadIdx.x == 0) init(&done, 1);
  if (threadIdx.x == 0) cuda::memcpy_async(&cache[1].items[0], rows, cuda::aligned_size_t<16>(32), done);
}

__device__ Row table[4];

__global__ void not_to_shared(const Row* rows) {
  __pipeline_memcpy_async(&table[3].items[1], rows, 8);
}

__global__ void never_made(const Row*) {
  __shared__ Barrier done[2];
  if (threadIdx.x == 0) static_cast<void>(done[1].arrive());
}

__global__ void too_many(const Row*) {
  __shared__ Barrier done[2];
  if (threadIdx.x == 0) {
    init(&done[1], 4);
    static_cast<void>(done[1].arrive(5));
  }
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  Row* memory = nullptr;
  cudaMalloc(&memory, 4 * sizeof(Row));
  cudaMemset(memory, 0, 4 * sizeof(Row));
  if (std::strcmp(mistake, "source") == 0) misaligned_source<<<1, 32>>>(memory);
  if (std::strcmp(mistake, "destination") == 0) misaligned_destination<<<1, 32>>>(memory);
  if (std::strcmp(mistake, "dynamic") == 0) misaligned_in_dynamic<<<1, 32, 256>>>(memory);
  if (std::strcmp(mistake, "global") == 0) not_to_shared<<<1, 1>>>(memory);
  if (std::strcmp(mistake, "made") == 0) never_made<<<1, 32>>>(memory);
  if (std::strcmp(mistake, "many") == 0) too_many<<<1, 32>>>(memory);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(memory);
}
