// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: addressing and filtering against the formulas of the programming guide, formats, and objects
// that cannot be made.
#include <cuda_runtime.h>

#include <warpfiber/cuda/texture.hpp>
#include <warpfiber/launch.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using Catch::Approx;

constexpr int kWidth = 5;
constexpr int kHeight = 4;
constexpr int kDepth = 3;

float value_at(int x, int y, int z) {
  return static_cast<float>(1 + x * x + 10 * y + 100 * z * z);
}

/// An array of floats with value_at() in it, and a texture of it.
class Texture {
 public:
  Texture(int width, int height, int depth, cudaTextureDesc description, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    REQUIRE(cudaMalloc3DArray(&array_, &format, make_cudaExtent(size(width), size(height), size(depth)), flags) ==
            cudaSuccess);
    std::vector<float> values;
    for (int z = 0; z < std::max(depth, 1); ++z)
      for (int y = 0; y < std::max(height, 1); ++y)
        for (int x = 0; x < width; ++x) values.push_back(value_at(x, y, z));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), size(width) * 4, size(width), size(std::max(height, 1)));
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(size(width), size(std::max(height, 1)), size(std::max(depth, 1)));
    copy.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    REQUIRE(cudaCreateTextureObject(&object_, &resource, &description, nullptr) == cudaSuccess);
  }
  ~Texture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  cudaTextureObject_t object() const { return object_; }
  cudaArray_t array() const { return array_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

cudaTextureDesc described(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised) {
  cudaTextureDesc description{};
  for (cudaTextureAddressMode& axis : description.addressMode) axis = mode;
  description.filterMode = filter;
  description.normalizedCoords = normalised ? 1 : 0;
  description.borderColor[0] = -7;
  return description;
}

/// The guide's addressing, by the coordinate rather than the index: a texel's centre is folded back into the texture.
double texel(cudaTextureAddressMode mode, int index, int size) {
  double at = (index + 0.5) / size;
  if (mode == cudaAddressModeBorder && (at < 0 || at > 1)) return -7;
  if (mode == cudaAddressModeWrap) at -= std::floor(at);
  if (mode == cudaAddressModeMirror) {
    const double turn = std::floor(at);
    at -= turn;
    if (std::fmod(turn, 2) != 0) at = 1 - at;
  }
  const int folded = std::min(std::max(static_cast<int>(std::floor(at * size)), 0), size - 1);
  return value_at(folded, 0, 0);
}

double expected_1d(cudaTextureAddressMode mode, cudaTextureFilterMode filter, double x) {
  if (filter == cudaFilterModePoint) return texel(mode, static_cast<int>(std::floor(x)), kWidth);
  const double low = std::floor(x - 0.5);
  const double weight = x - 0.5 - low;
  const int index = static_cast<int>(low);
  return (1 - weight) * texel(mode, index, kWidth) + weight * texel(mode, index + 1, kWidth);
}

cudaResourceDesc linear_resource(void* memory, cudaChannelFormatDesc format, std::size_t bytes) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

}  // namespace

TEST_CASE("formats and shapes have CUDA's numbers") {
  const cudaChannelFormatDesc planes = cudaCreateChannelDescNV12();
  CHECK((planes.x == 8 && planes.y == 8 && planes.z == 8 && planes.w == 0 && planes.f == cudaChannelFormatKindNV12));
  CHECK((cudaTextureType1D == 1 && cudaTextureType3D == 3 && cudaTextureTypeCubemapLayered == 0xFC));
  CHECK((cudaSurfaceType2D == 2 && cudaSurfaceTypeCubemap == 0x0C && cudaSurfaceType2DLayered == 0xF2));
}

TEST_CASE("every addressing and filtering mode follows the programming guide") {
  const auto mode = GENERATE(cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror);
  const auto filter = GENERATE(cudaFilterModePoint, cudaFilterModeLinear);
  const Texture texture(kWidth, 0, 0, described(mode, filter, true));
  for (int step = -47; step < 70; ++step) {
    // Places whose weights are whole numbers of 1/256.
    const double x = step * 0.375 / 2 + 1.0 / 32;
    CAPTURE(static_cast<int>(mode), static_cast<int>(filter), x);
    const float found = tex1D<float>(texture.object(), static_cast<float>(x / kWidth));
    CHECK(found == Approx(expected_1d(mode, filter, x)).margin(0.15));
  }
}

TEST_CASE("coordinates in texels clamp where only normalised ones could wrap") {
  const Texture texture(kWidth, 0, 0, described(cudaAddressModeWrap, cudaFilterModePoint, false));
  CHECK(tex1D<float>(texture.object(), 2.9F) == value_at(2, 0, 0));
  CHECK(tex1D<float>(texture.object(), -3.0F) == value_at(0, 0, 0));
  CHECK(tex1D<float>(texture.object(), 99.0F) == value_at(4, 0, 0));
}

TEST_CASE("two and three dimensions are filtered along each") {
  const Texture plane(kWidth, kHeight, 0, described(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(tex2D<float>(plane.object(), 2.5F, 1.5F) == value_at(2, 1, 0));
  CHECK(tex2D<float>(plane.object(), 3.0F, 1.5F) == (value_at(2, 1, 0) + value_at(3, 1, 0)) / 2);
  CHECK(tex2D<float>(plane.object(), 3.0F, 2.0F) ==
        (value_at(2, 1, 0) + value_at(3, 1, 0) + value_at(2, 2, 0) + value_at(3, 2, 0)) / 4);
  const float4 around = tex2Dgather<float4>(plane.object(), 2.0F, 2.0F);
  CHECK(around.x == value_at(1, 2, 0));
  CHECK(around.y == value_at(2, 2, 0));
  CHECK(around.z == value_at(2, 1, 0));
  CHECK(around.w == value_at(1, 1, 0));

  const Texture volume(kWidth, kHeight, kDepth, described(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(tex3D<float>(volume.object(), 1.5F, 2.5F, 2.5F) == value_at(1, 2, 2));
  CHECK(tex3D<float>(volume.object(), 1.5F, 2.5F, 2.0F) == (value_at(1, 2, 1) + value_at(1, 2, 2)) / 2);
  CHECK(tex3D<float>(volume.object(), 1.5F, 2.5F, 9.0F) == value_at(1, 2, 2));
}

TEST_CASE("layers are not filtered, and cube maps are looked up by direction") {
  const Texture layers(kWidth, kHeight, kDepth, described(cudaAddressModeClamp, cudaFilterModePoint, false),
                       cudaArrayLayered);
  CHECK(tex2DLayered<float>(layers.object(), 1, 2, 2) == value_at(1, 2, 2));
  CHECK(tex2DLayered<float>(layers.object(), 1, 2, 7) == value_at(1, 2, 2));
  const Texture cube(4, 4, 6, described(cudaAddressModeClamp, cudaFilterModePoint, true), cudaArrayCubemap);
  CHECK(texCubemap<float>(cube.object(), 1, 0.1F, 0.1F) == value_at(1, 1, 0));
  CHECK(texCubemap<float>(cube.object(), -1, 0.1F, 0.1F) == value_at(2, 1, 1));
  CHECK(texCubemap<float>(cube.object(), 0.1F, 2, 0.1F) == value_at(2, 2, 2));
  CHECK(texCubemap<float>(cube.object(), 0.1F, 0.1F, -3) == value_at(1, 1, 5));
}

TEST_CASE("integers are read as they are or as shares of the largest") {
  uchar4* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 2 * sizeof(uchar4)) == cudaSuccess);
  const uchar4 texels[] = {make_uchar4(0, 51, 255, 1), make_uchar4(9, 8, 7, 6)};
  REQUIRE(cudaMemcpy(memory, texels, sizeof texels, cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaResourceDesc resource = linear_resource(memory, cudaCreateChannelDesc<uchar4>(), sizeof texels);
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  const uchar4 second = tex1Dfetch<uchar4>(texture, 1);
  CHECK(second.x == 9);
  CHECK(second.w == 6);
  CHECK(tex1Dfetch<uchar4>(texture, 2).x == 0);
  CHECK(tex1Dfetch<uchar4>(texture, -1).x == 0);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);

  description.readMode = cudaReadModeNormalizedFloat;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  const float4 first = tex1Dfetch<float4>(texture, 0);
  CHECK(first.x == 0);
  CHECK(first.y == Approx(0.2));
  CHECK(first.z == 1);
  cudaResourceDesc found{};
  CHECK(cudaGetTextureObjectResourceDesc(&found, texture) == cudaSuccess);
  CHECK(found.res.linear.devPtr == memory);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("numbers of 16 bits are read with their value") {
  std::uint16_t* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 16) == cudaSuccess);
  const std::uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x3555, 0x8000, 0};
  REQUIRE(cudaMemcpy(memory, halves, sizeof halves, cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaResourceDesc resource = linear_resource(memory, cudaCreateChannelDescHalf(), sizeof halves);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  const float expected[] = {1, -2, 0x1p-24F, 65504, INFINITY, 0.33325195F, -0.0F, 0};
  for (int i = 0; i < 8; ++i) CHECK(tex1Dfetch<float>(texture, i) == expected[i]);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("rows of pitched memory are a texture of two dimensions") {
  float* memory = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&memory, &pitch, 12, 2) == cudaSuccess);
  const float rows[] = {1, 2, 3, 4, 5, 6};
  REQUIRE(cudaMemcpy2D(memory, pitch, rows, 12, 12, 2, cudaMemcpyHostToDevice) == cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 3;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureDesc description = described(cudaAddressModeClamp, cudaFilterModePoint, false);
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(tex2D<float>(texture, 1.5F, 1.5F) == 5);
  float into = 0;
  tex2D(&into, texture, 2.5F, 0.5F);
  CHECK(into == 3);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
  resource.res.pitch2D.height = 3;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(tex2D<float>(texture, 1.5F, 1.5F) == 5);
  CHECK(tex2D<float>(texture, 1.5F, 2.5F) == 0);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 8;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("textures that cannot be are refused") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  cudaResourceDesc resource = linear_resource(memory, cudaCreateChannelDesc<int>(), 64);
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  description.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidNormSetting);
  description.readMode = cudaReadModeElementType;
  description.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidFilterSetting);
  description.filterMode = cudaFilterModePoint;
  int on_host[4] = {};
  resource = linear_resource(on_host, cudaCreateChannelDesc<int>(), 16);
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorInvalidValue);
  resource = linear_resource(memory, cudaCreateChannelDesc<int>(), 64);
  CHECK(cudaCreateTextureObject(nullptr, &resource, &description, nullptr) == cudaErrorInvalidValue);
  resource.res.linear.desc = cudaCreateChannelDesc<float3>();
  CHECK(cudaCreateTextureObject(nullptr, &resource, &description, nullptr) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a texture may be larger than its memory, which is never read past its end") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 62) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 1, 62) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);  // the host reads, and memset of device memory does not wait
  const cudaResourceDesc resource = linear_resource(memory, cudaCreateChannelDesc<int>(), 64 << 20);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(tex1Dfetch<int>(texture, 14) == 0x01010101);
  CHECK(tex1Dfetch<int>(texture, 15) == 0);
  CHECK(tex1Dfetch<int>(texture, (16 << 20) - 1) == 0);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a surface is written and read, and what is outside is as the mode says") {
  const Texture texture(kWidth, kHeight, 0, described(cudaAddressModeClamp, cudaFilterModePoint, false),
                        cudaArraySurfaceLoadStore);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = texture.array();
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  surf2Dwrite(42.0F, surface, 3 * 4, 2);
  CHECK(surf2Dread<float>(surface, 3 * 4, 2) == 42);
  CHECK(tex2D<float>(texture.object(), 3, 2) == 42);
  CHECK(surf2Dread<float>(surface, 99, 2, cudaBoundaryModeZero) == 0);
  CHECK(surf2Dread<float>(surface, 99, 2, cudaBoundaryModeClamp) == value_at(4, 2, 0));
  const warpfiber::LaunchResult result = warpfiber::launch({}, [surface] { surf2Dwrite(1.0F, surface, 0, kHeight); });
  CHECK(std::string(result.finding()) == "oob-global");
  CHECK(result.error() == warpfiber::Error::illegal_address);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(surface) == cudaErrorInvalidValue);
}

TEST_CASE("an array that was not made for surfaces can be one, as on hardware") {
  const Texture texture(kWidth, 0, 0, described(cudaAddressModeClamp, cudaFilterModePoint, false));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = texture.array();
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  CHECK(surf1Dread<float>(surface, 3 * 4) == value_at(3, 0, 0));
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaCreateSurfaceObject(nullptr, &resource) == cudaErrorInvalidValue);
}
