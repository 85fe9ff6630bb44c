// SPDX-License-Identifier: Apache-2.0
// Sizes whose sums and products do not fit 64 bits, and sizes that no device has: refused, and nothing is touched.
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "support/catch.hpp"

namespace {

constexpr std::size_t kMost = SIZE_MAX;
constexpr std::size_t kHuge = std::size_t{1} << 32;  // its square wraps around to 0

struct Device {
  explicit Device(std::size_t bytes) { REQUIRE(cudaMalloc(&at, bytes) == cudaSuccess); }
  ~Device() { cudaFree(at); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  char* at = nullptr;
};

cudaError_t make_array(cudaExtent extent, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags);
  CHECK((error == cudaSuccess) == (array != nullptr));
  cudaFreeArray(array);
  return error;
}

}  // namespace

TEST_CASE("an array has the limits of the device") {
  CHECK(make_array({131072, 1, 0}) == cudaSuccess);
  CHECK(make_array({32768, 2, 4}, cudaArrayLayered) == cudaSuccess);
  CHECK(make_array({8192, 1, 32768}) == cudaSuccess);  // the other limits of a volume
  CHECK(make_array({16, 16, 6}, cudaArrayCubemap) == cudaSuccess);
  for (const std::size_t size : {std::size_t{131073}, kHuge, kMost / 16 + 1, kMost}) {
    CHECK(make_array({size, 0, 0}) == cudaErrorInvalidValue);
    CHECK(make_array({size, size, 0}) == cudaErrorInvalidValue);
    CHECK(make_array({1, size, 0}) == cudaErrorInvalidValue);
    CHECK(make_array({1, 1, size}) == cudaErrorInvalidValue);
    CHECK(make_array({size, 0, size}, cudaArrayLayered) == cudaErrorInvalidValue);
    CHECK(make_array({1, 1, size}, cudaArrayLayered) == cudaErrorInvalidValue);
    CHECK(make_array({size, size, 6}, cudaArrayCubemap) == cudaErrorInvalidValue);
  }
  CHECK(make_array({16384, 16384, 16384}) == cudaErrorMemoryAllocation);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, kHuge, kHuge) == cudaErrorInvalidValue);
  CHECK(array == nullptr);
}

TEST_CASE("allocations whose sizes do not fit are refused") {
  void* memory = nullptr;
  std::size_t pitch = 0;
  cudaPitchedPtr pitched{};
  for (const std::size_t size : {kHuge, kMost / 512, kMost - 4095, kMost - 511, kMost}) {
    CHECK(cudaMallocPitch(&memory, &pitch, size, kHuge) == cudaErrorMemoryAllocation);
    CHECK(cudaMallocPitch(&memory, &pitch, 1, size) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc3D(&pitched, {size, kHuge, kHuge}) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc3D(&pitched, {1, kHuge, size}) == cudaErrorMemoryAllocation);
  }
  for (const std::size_t size : {kMost / 2, kMost - 4095, kMost - 1024, kMost - 511, kMost}) {
    CHECK(cudaMalloc(&memory, size) == cudaErrorMemoryAllocation);
    CHECK(cudaMallocManaged(&memory, size) == cudaErrorMemoryAllocation);
    CHECK(cudaMallocHost(&memory, size) == cudaErrorMemoryAllocation);
    CHECK(cudaMallocAsync(&memory, size, nullptr) == cudaErrorMemoryAllocation);
    CHECK(cudaHostRegister(&pitch, size, 0) == cudaErrorInvalidValue);
  }
  CHECK(memory == nullptr);
}

TEST_CASE("copies and fills of boxes that do not fit are refused") {
  const Device memory(4096);
  std::vector<char> host(4096, 1);
  for (const std::size_t pitch : {kHuge, kMost / 2, kMost}) {
    for (const std::size_t height : {kHuge, kMost / 2 + 2, kMost}) {
      CHECK(cudaMemcpy2D(memory.at, pitch, host.data(), pitch, 1, height, cudaMemcpyHostToDevice) != cudaSuccess);
      CHECK(cudaMemcpy2D(host.data(), pitch, memory.at, pitch, 1, height, cudaMemcpyDeviceToHost) != cudaSuccess);
      CHECK(cudaMemcpy2D(memory.at, 1, host.data(), pitch, 1, height, cudaMemcpyHostToDevice) != cudaSuccess);
      CHECK(cudaMemset2D(memory.at, pitch, 0, 1, height) != cudaSuccess);
      CHECK(cudaMemset2D(memory.at, pitch, 0, pitch, height) != cudaSuccess);
      CHECK(cudaMemset3D({memory.at, pitch, 1, height}, 0, {1, height, height}) != cudaSuccess);
      CHECK(cudaMemset3D({memory.at, 1, 1, 0}, 0, {1, 1, height}) != cudaSuccess);
    }
  }
  for (const std::size_t bytes : {kMost / 2, kMost - 4095, kMost}) {
    CHECK(cudaMemcpy(memory.at, host.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpy(host.data(), memory.at, bytes, cudaMemcpyDeviceToHost) != cudaSuccess);
    CHECK(cudaMemset(memory.at, 0, bytes) != cudaSuccess);
    CHECK(cudaMemcpy(host.data(), host.data() + 1, bytes, cudaMemcpyHostToHost) != cudaSuccess);
  }
}

TEST_CASE("boxes of arrays and volumes that do not fit are refused") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 16, 16) == cudaSuccess);
  const Device memory(4096);
  std::vector<char> host(4096, 1);
  for (const std::size_t size : {kHuge, kMost / 16 + 2, kMost / 2 + 2, kMost}) {
    CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), 256, 256, size, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, size, size, host.data(), 256, 1, 1, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, size, host.data(), 16, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host.data(), size, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(cudaMemcpyFromArray(host.data(), array, size, 1, 16, cudaMemcpyDeviceToHost) != cudaSuccess);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {host.data(), 16, 16, 16};
    copy.dstArray = array;
    copy.extent = {size, 1, 1};  // of elements
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) != cudaSuccess);
    copy.extent = {1, 1, 1};
    copy.dstPos = {size, 0, 0};
    CHECK(cudaMemcpy3D(&copy) != cudaSuccess);
    copy.dstArray = nullptr;
    copy.dstPtr = {memory.at, 16, 16, 16};
    copy.dstPos = {0, 0, size};
    CHECK(cudaMemcpy3D(&copy) != cudaSuccess);
    copy.dstPos = {0, 0, 0};
    copy.srcPtr.ysize = 0;  // all slices in one place
    copy.extent = {1, 1, size};
    CHECK(cudaMemcpy3D(&copy) != cudaSuccess);
  }
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("a texture of memory has the limits of the device") {
  const Device memory(4096);
  cudaTextureObject_t texture = 0;
  const cudaTextureDesc how{};
  for (const std::size_t size : {std::size_t{131104}, kHuge, kMost / 4 + 1, kMost}) {
    cudaResourceDesc plane{};
    plane.resType = cudaResourceTypePitch2D;
    plane.res.pitch2D = {memory.at, cudaCreateChannelDesc<float>(), size, size, size / 32 * 32};
    CHECK(cudaCreateTextureObject(&texture, &plane, &how, nullptr) == cudaErrorInvalidValue);
    plane.res.pitch2D = {memory.at, cudaCreateChannelDesc<float>(), size, 1, 512};
    CHECK(cudaCreateTextureObject(&texture, &plane, &how, nullptr) == cudaErrorInvalidValue);
  }
  cudaResourceDesc row{};
  row.resType = cudaResourceTypeLinear;
  row.res.linear = {memory.at, cudaCreateChannelDesc<float>(), kMost};
  CHECK(cudaCreateTextureObject(&texture, &row, &how, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("symbols, prefetches and advice have no range that wraps around") {
  char* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 4096) == cudaSuccess);
  const cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(managed + 1, kMost, here, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(managed + 1, kMost, cudaMemAdviseSetReadMostly, here) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
}
