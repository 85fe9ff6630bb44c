// SPDX-License-Identifier: Apache-2.0
// What a reset of a device does with memory.
#include <cuda_runtime.h>

#include <vector>

#include "runtime/reset.hpp"
#include "support/catch.hpp"

TEST_CASE("nothing that a device had is left after its memory is released") {
  std::size_t before = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  char* device = nullptr;
  char* pinned = nullptr;
  std::vector<char> registered(64);
  cudaArray_t array = nullptr;
  cudaMemPool_t pool = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered.data(), registered.size(), 0) == cudaSuccess);
  REQUIRE(cudaMallocArray(&array, &format, 4, 4) == cudaSuccess);
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);

  warpfiber::runtime::release_all(0);

  CHECK(cudaFree(device) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(registered.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  std::size_t after = 0;
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == before);
}
