// SPDX-License-Identifier: Apache-2.0
// Allocation: every kind of memory, what may be done with it, and what is refused.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/catch.hpp"

namespace {

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  return free;
}

cudaMemoryType type_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  REQUIRE(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes.type;
}

}  // namespace

TEST_CASE("device memory counts against the model's memory until it is freed") {
  const std::size_t before = free_memory();
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 512 == 0);
  CHECK(free_memory() == before - 1000);
  CHECK(type_of(memory) == cudaMemoryTypeDevice);
  CHECK(type_of(memory + 10) == cudaMemoryTypeDevice);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(free_memory() == before);
  CHECK(type_of(memory) == cudaMemoryTypeUnregistered);
}

TEST_CASE("fresh device memory holds neither zeroes nor what was there before") {
  std::uint32_t* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  std::vector<std::uint32_t> words(16, 0);
  REQUIRE(cudaMemcpy(words.data(), memory, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const std::uint32_t word : words) CHECK(word == 0x5ead5eadU);
  REQUIRE(cudaFree(memory) == cudaSuccess);
}

TEMPLATE_TEST_CASE("a program that looks for large differences finds fresh memory", "", float, double, int) {
  constexpr std::size_t kCount = 16;
  TestType* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, kCount * sizeof(TestType)) == cudaSuccess);
  std::vector<TestType> values(kCount);
  REQUIRE(cudaMemcpy(values.data(), memory, kCount * sizeof(TestType), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const TestType value : values) CHECK(std::fabs(static_cast<double>(value) - 3.57) > 1e9);
  REQUIRE(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("pointers to const memory can be allocated to") {
  const float* device = nullptr;
  const volatile int* managed = nullptr;
  const double* host = nullptr;
  CHECK(cudaMalloc(&device, 64) == cudaSuccess);
  CHECK(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CHECK(cudaMallocHost(&host, 64) == cudaSuccess);
  CHECK(type_of(device) == cudaMemoryTypeDevice);
  CHECK(cudaFree(const_cast<float*>(device)) == cudaSuccess);
  CHECK(cudaFree(const_cast<int*>(managed)) == cudaSuccess);
  CHECK(cudaFreeHost(const_cast<double*>(host)) == cudaSuccess);
}

TEST_CASE("nothing is allocated for 0 bytes, and freeing null is no error") {
  int* memory = reinterpret_cast<int*>(std::uintptr_t{8});
  CHECK(cudaMalloc(&memory, 0) == cudaSuccess);
  CHECK(memory == nullptr);
  memory = reinterpret_cast<int*>(std::uintptr_t{8});
  CHECK(cudaMallocManaged(&memory, 0) == cudaSuccess);
  CHECK(memory == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(nullptr, nullptr) == cudaSuccess);
}

TEST_CASE("rows of nothing and no rows have no pitch") {
  const auto [width, height] = GENERATE(table<std::size_t, std::size_t>({{0, 4}, {4, 0}, {0, 0}}));
  char* memory = reinterpret_cast<char*>(std::uintptr_t{8});
  std::size_t pitch = 7;
  CHECK(cudaMallocPitch(&memory, &pitch, width, height) == cudaSuccess);
  CHECK(memory == nullptr);
  CHECK(pitch == 0);
  cudaPitchedPtr pitched{};
  CHECK(cudaMalloc3D(&pitched, make_cudaExtent(width, height, 1)) == cudaSuccess);
  CHECK(pitched.ptr == nullptr);
}

TEST_CASE("absurd sizes are out of memory") {
  void* memory = nullptr;
  const std::size_t bytes = GENERATE(std::size_t{1} << 40, std::numeric_limits<std::size_t>::max(),
                                     std::numeric_limits<std::size_t>::max() - 255);
  CHECK(cudaMalloc(&memory, bytes) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocManaged(&memory, bytes) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocHost(&memory, bytes) == cudaErrorMemoryAllocation);
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&memory, &pitch, 1024, bytes) == cudaErrorMemoryAllocation);
  // Longer than the device's memPitch: that is a limit of copies.
  CHECK(cudaMallocPitch(&memory, &pitch, bytes, 1) == cudaErrorMemoryAllocation);
  CHECK(memory == nullptr);
}

TEST_CASE("a pointer that was freed, or that nobody allocated, cannot be freed") {
  char* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 100) == cudaSuccess);
  CHECK(cudaFree(memory + 1) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(memory) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  int on_host = 0;
  CHECK(cudaFree(&on_host) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(&on_host) == cudaErrorInvalidValue);
}

TEST_CASE("pinned memory is the host's and has a device address") {
  int* memory = nullptr;
  REQUIRE(cudaHostAlloc(&memory, 400, cudaHostAllocPortable | cudaHostAllocMapped) == cudaSuccess);
  memory[99] = 7;
  int* device = nullptr;
  CHECK(cudaHostGetDevicePointer(&device, memory, 0) == cudaSuccess);
  CHECK(device[99] == 7);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, memory) == cudaSuccess);
  CHECK(flags == (cudaHostAllocPortable | cudaHostAllocMapped));
  CHECK(type_of(memory) == cudaMemoryTypeHost);
  CHECK(cudaHostGetDevicePointer(&device, memory, 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(memory) == cudaSuccess);
  CHECK(cudaHostAlloc(&memory, 400, 0x100) == cudaErrorInvalidValue);
}

TEST_CASE("memory of the program can be registered once and unregistered once") {
  std::vector<char> memory(4096);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, memory.data()) == cudaErrorInvalidValue);
  REQUIRE(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault) == cudaSuccess);
  CHECK(type_of(memory.data() + 4095) == cudaMemoryTypeHost);
  CHECK(cudaHostRegister(memory.data() + 100, 10, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(memory.data() + 100) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(memory.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(memory.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostRegister(nullptr, 10, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(memory.data(), 0, 0) == cudaErrorInvalidValue);
}

TEST_CASE("memory that CUDA has allocated can be neither registered nor unregistered") {
  char* pinned = nullptr;
  char* device = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  CHECK(cudaHostRegister(pinned, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(device, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(pinned) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(nullptr) == cudaErrorInvalidValue);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, device) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("managed memory is everybody's") {
  int* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, 40) == cudaSuccess);
  memory[9] = 3;
  CHECK(type_of(memory) == cudaMemoryTypeManaged);
  int ordinary[10] = {};
  CHECK(cudaMemPrefetchAsync(ordinary, sizeof ordinary, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(ordinary, sizeof ordinary, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(nullptr, ordinary, 0, cudaMemAttachGlobal) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(memory, 40, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(memory, 40, cudaCpuDeviceId) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(memory, 40, 7) == cudaErrorInvalidDevice);
  CHECK(cudaMemPrefetchAsync(memory, 41, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, 40, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  CHECK(cudaMemAdvise(memory, 40, static_cast<cudaMemoryAdvise>(7), 0) == cudaErrorInvalidValue);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, memory) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaMallocManaged(&memory, 40, 0) == cudaErrorInvalidValue);
}

TEST_CASE("rows of pitched memory begin at multiples of the texture alignment") {
  char* memory = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&memory, &pitch, 513, 3) == cudaSuccess);
  CHECK(pitch == 1024);
  CHECK(cudaMemset2D(memory, pitch, 0, 513, 3) == cudaSuccess);
  CHECK(cudaMemset2D(memory, pitch, 0, 513, 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  cudaPitchedPtr pitched{};
  REQUIRE(cudaMalloc3D(&pitched, make_cudaExtent(10, 3, 2)) == cudaSuccess);
  CHECK(pitched.pitch == 512);
  CHECK(pitched.xsize == 10);
  CHECK(pitched.ysize == 3);
  CHECK(cudaMemset3D(pitched, 1, make_cudaExtent(10, 3, 2)) == cudaSuccess);
  CHECK(cudaMemset3D(pitched, 1, make_cudaExtent(10, 3, 3)) == cudaErrorInvalidValue);
  CHECK(cudaFree(pitched.ptr) == cudaSuccess);
}

TEST_CASE("memory can come and go in the order of a stream") {
  int* memory = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 400, nullptr) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 0, 400, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(memory + 1, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  int on_host = 0;
  CHECK(cudaFreeAsync(&on_host, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("a place for the result is asked for") {
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocHost(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaMemGetInfo(nullptr, nullptr) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(nullptr, nullptr) == cudaErrorInvalidValue);
}
