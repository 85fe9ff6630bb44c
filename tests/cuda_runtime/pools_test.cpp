// SPDX-License-Identifier: Apache-2.0
// Memory pools: what is in use, the attributes, and which pool cudaMallocAsync takes from.
#include <cuda_runtime.h>

#include <cstdint>

#include "support/catch.hpp"

namespace {

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = 0;
  REQUIRE(cudaMemPoolGetAttribute(pool, which, &value) == cudaSuccess);
  return value;
}

cudaMemPool_t new_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  return pool;
}

}  // namespace

TEST_CASE("a device's default pool counts what cudaMallocAsync takes") {
  cudaMemPool_t pool = nullptr;
  cudaMemPool_t current = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(pool == current);
  const std::uint64_t before = attribute(pool, cudaMemPoolAttrUsedMemCurrent);
  char* memory = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 1000, nullptr) == cudaSuccess);
  CHECK(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == before + 1000);
  REQUIRE(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == before);
  CHECK(attribute(pool, cudaMemPoolAttrUsedMemHigh) >= before + 1000);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
}

TEST_CASE("attributes of a pool are kept") {
  const cudaMemPool_t pool = new_pool();
  std::uint64_t threshold = 1 << 20;
  CHECK(attribute(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  CHECK(attribute(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
  int reuse = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse) == cudaSuccess);
  CHECK(attribute(pool, cudaMemPoolReuseAllowOpportunistic) == 0);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &threshold) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &threshold) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
}

TEST_CASE("a device can have another pool for cudaMallocAsync") {
  cudaMemPool_t usual = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&usual, 0) == cudaSuccess);
  const cudaMemPool_t pool = new_pool();
  REQUIRE(cudaDeviceSetMemPool(0, pool) == cudaSuccess);
  char* memory = nullptr;
  char* other = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 300, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocFromPoolAsync(&other, 500, pool, nullptr) == cudaSuccess);
  CHECK(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 800);
  char* none = nullptr;
  CHECK(cudaMallocFromPoolAsync(&none, 500, nullptr, nullptr) == cudaErrorInvalidValue);
  // A pool that is destroyed gives its place back to the default one; its memory stays.
  REQUIRE(cudaMemPoolDestroy(pool) == cudaSuccess);
  cudaMemPool_t current = nullptr;
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == usual);
  CHECK(cudaMemset(memory, 0, 300) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFree(other) == cudaSuccess);
}

TEST_CASE("every device reaches every pool, and there are no others") {
  const cudaMemPool_t pool = new_pool();
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  cudaMemAccessDesc access{location, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  cudaMemAccessFlags flags{};
  CHECK(cudaMemPoolGetAccess(&flags, pool, &location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  access.location.id = 9;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetDefaultMemPool(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
}
