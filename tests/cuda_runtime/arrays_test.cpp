// SPDX-License-Identifier: Apache-2.0
// Arrays: their formats and extents, and copies to and from them.
#include <cuda_runtime.h>

#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace {

cudaArray_t array_of(cudaChannelFormatDesc format, std::size_t width, std::size_t height) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, width, height) == cudaSuccess);
  return array;
}

}  // namespace

TEST_CASE("a format follows from a type") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<ushort2>();
  CHECK(format.x == 16);
  CHECK(format.y == 16);
  CHECK(format.z == 0);
  CHECK(format.f == cudaChannelFormatKindUnsigned);
  CHECK(cudaCreateChannelDesc<float>().f == cudaChannelFormatKindFloat);
  CHECK(cudaCreateChannelDesc<char>().f == cudaChannelFormatKindSigned);
  CHECK(cudaCreateChannelDescHalf2().y == 16);
}

TEST_CASE("a single row goes to an array and back with any pitch") {
  const cudaArray_t array = array_of(cudaCreateChannelDesc<float>(), 6, 2);
  const std::vector<float> from{1, 2, 3, 4, 5, 6};
  REQUIRE(cudaMemcpy2DToArray(array, 0, 1, from.data(), 0, 24, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<float> to(6);
  REQUIRE(cudaMemcpy2DFromArray(to.data(), 0, array, 0, 1, 24, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(to == from);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, from.data(), 0, 12, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidPitchValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("what was copied to an array comes back") {
  const cudaArray_t array = array_of(cudaCreateChannelDesc<float>(), 6, 4);
  std::vector<float> from(24);
  std::iota(from.begin(), from.end(), 1.0F);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, from.data(), 24, 24, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<float> part(6);
  REQUIRE(cudaMemcpy2DFromArray(part.data(), 12, array, 8, 1, 12, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(part == std::vector<float>{9, 10, 11, 15, 16, 17});
  std::vector<float> bytes(8);
  REQUIRE(cudaMemcpyFromArray(bytes.data(), array, 16, 0, 32, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(bytes == std::vector<float>{5, 6, 7, 8, 9, 10, 11, 12});

  const cudaArray_t other = array_of(cudaCreateChannelDesc<float>(), 6, 4);
  REQUIRE(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 2, 24, 2) == cudaSuccess);
  REQUIRE(cudaMemcpy2DFromArray(part.data(), 24, other, 0, 0, 24, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(part == std::vector<float>{13, 14, 15, 16, 17, 18});
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(other) == cudaSuccess);
}

TEST_CASE("a box in an array is measured in its elements") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, make_cudaExtent(3, 2, 2)) == cudaSuccess);
  std::vector<int2> from(12);
  for (int i = 0; i < 12; ++i) from[static_cast<std::size_t>(i)] = make_int2(i, -i);
  cudaMemcpy3DParms down{};
  down.srcPtr = make_cudaPitchedPtr(from.data(), 3 * sizeof(int2), 3, 2);
  down.dstArray = array;
  down.extent = make_cudaExtent(3, 2, 2);
  down.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&down) == cudaSuccess);
  std::vector<int2> last(1);
  cudaMemcpy3DParms up{};
  up.srcArray = array;
  up.srcPos = make_cudaPos(2, 1, 1);
  up.dstPtr = make_cudaPitchedPtr(last.data(), sizeof(int2), 1, 1);
  up.extent = make_cudaExtent(1, 1, 1);
  up.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&up) == cudaSuccess);
  CHECK(last[0].x == 11);
  CHECK(last[0].y == -11);
  down.extent = make_cudaExtent(3, 2, 3);
  CHECK(cudaMemcpy3D(&down) == cudaErrorInvalidValue);

  cudaExtent extent{};
  unsigned flags = 1;
  cudaChannelFormatDesc found{};
  CHECK(cudaArrayGetInfo(&found, &extent, &flags, array) == cudaSuccess);
  CHECK(extent.depth == 2);
  CHECK(found.y == 32);
  CHECK(flags == 0);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("arrays that cannot be, and handles that are none, are refused") {
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float3>();
  CHECK(cudaMallocArray(&array, &format, 4, 4) == cudaErrorInvalidChannelDescriptor);
  format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 0, 4)) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 3, 6), cudaArrayCubemap) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &format, 4, 4, 0x1000) == cudaErrorInvalidValue);

  array = array_of(format, 4, 4);
  float value = 0;
  CHECK(cudaMemcpy2DToArray(array, 4, 0, &value, 16, 16, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 0, 4, &value, 4, 4, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2DFromArray(&value, 4, array, 0, 0, 4, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
}
