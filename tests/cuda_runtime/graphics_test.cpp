// SPDX-License-Identifier: Apache-2.0
//
// Textures of OpenGL that are registered with CUDA. The OpenGL of this program is its own: as much as the runtime asks
// for, with the texture's elements in an array, so that a test sees which functions it calls and what it leaves behind.
#include <cuda_runtime_api.h>
#include <warpfiber/cuda/api/gl_interop.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace {

constexpr unsigned kTexture2d = 0x0DE1;
constexpr unsigned kRgba8 = 0x8058;
constexpr unsigned kRgba32f = 0x8814;
constexpr unsigned kPackAlignment = 0x0D05;
constexpr unsigned kUnpackBuffer = 0x88EC;
constexpr unsigned kUnpackBufferBinding = 0x88EF;

/// One texture, and what the program has set.
struct OwnOpengl {
  bool is_current = true;
  unsigned format = kRgba8;
  int width = 5;
  int height = 3;
  std::vector<unsigned char> elements{};
  std::map<unsigned, unsigned> bound{};  // by target
  std::map<unsigned, int> stored{};      // parameters of glPixelStorei()
  std::pair<unsigned, unsigned> transfer{};
  bool rows_were_plain = false;
};
OwnOpengl gl;

constexpr unsigned kName = 6;

bool rows_are_plain() {
  return gl.stored[kPackAlignment] == 1 && gl.stored[0x0CF2] == 0 && gl.bound[kUnpackBuffer] == 0;
}

}  // namespace

extern "C" {
const unsigned char* glGetString(unsigned) {
  return gl.is_current ? reinterpret_cast<const unsigned char*>("4.5") : nullptr;
}
void glBindBuffer(unsigned target, unsigned name) {
  gl.bound[target] = name;
}
void glGetBufferSubData(unsigned, std::ptrdiff_t, std::ptrdiff_t, void*) {}
void glBindTexture(unsigned target, unsigned name) {
  gl.bound[target] = name;
}
unsigned char glIsBuffer(unsigned) {
  return 0;
}
unsigned char glIsTexture(unsigned name) {
  return name == kName ? 1 : 0;
}
void glPixelStorei(unsigned name, int value) {
  gl.stored[name] = value;
}
void glGetIntegerv(unsigned what, int* value) {
  switch (what) {
    case kUnpackBufferBinding: *value = static_cast<int>(gl.bound[kUnpackBuffer]); break;
    case 0x88ED: *value = static_cast<int>(gl.bound[0x88EB]); break;
    case 0x8069: *value = static_cast<int>(gl.bound[kTexture2d]); break;
    default: *value = gl.stored[what];
  }
}
void glGetTexLevelParameteriv(unsigned target, int, unsigned what, int* value) {
  if (gl.bound[target] != kName) return;
  *value = what == 0x1000 ? gl.width : what == 0x1001 ? gl.height : static_cast<int>(gl.format);
}
void glGetTexImage(unsigned, int, unsigned layout, unsigned type, void* to) {
  gl.transfer = {layout, type};
  gl.rows_were_plain = rows_are_plain();
  std::memcpy(to, gl.elements.data(), gl.elements.size());
}
void glTexSubImage2D(unsigned, int, int, int, int, int, unsigned layout, unsigned type, const void* from) {
  gl.transfer = {layout, type};
  gl.rows_were_plain = rows_are_plain();
  std::memcpy(gl.elements.data(), from, gl.elements.size());
}
}

namespace {

/// The texture with elements of so many bytes, each with a value of its own.
void make_texture(unsigned format, std::size_t bytes) {
  gl = {};
  gl.format = format;
  gl.elements.resize(15 * bytes);
  for (std::size_t i = 0; i < gl.elements.size(); ++i) gl.elements[i] = static_cast<unsigned char>(i);
  gl.bound = {{kTexture2d, 9}, {kUnpackBuffer, 4}};
  gl.stored = {{kPackAlignment, 4}, {0x0CF2, 17}};
}

cudaGraphicsResource_t registered(unsigned flags = cudaGraphicsRegisterFlagsNone) {
  cudaGraphicsResource_t resource = nullptr;
  REQUIRE(cudaGraphicsGLRegisterImage(&resource, kName, kTexture2d, flags) == cudaSuccess);
  return resource;
}

cudaArray_t mapped(cudaGraphicsResource_t resource) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  REQUIRE(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaSuccess);
  return array;
}

}  // namespace

TEST_CASE("a mapped texture is an array with its elements, and gets those of the array back") {
  make_texture(kRgba8, 4);
  const std::vector<unsigned char> before = gl.elements;
  cudaGraphicsResource_t resource = registered();
  const cudaArray_t array = mapped(resource);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  REQUIRE(cudaArrayGetInfo(&format, &extent, nullptr, array) == cudaSuccess);
  CHECK((format.x == 8 && format.w == 8 && format.f == cudaChannelFormatKindUnsigned));
  CHECK((extent.width == 5 && extent.height == 3 && extent.depth == 0));
  CHECK(gl.transfer == std::pair(0x1908U, 0x1401U));
  std::vector<unsigned char> read(before.size());
  REQUIRE(cudaMemcpy2DFromArray(read.data(), 20, array, 0, 0, 20, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == before);
  const std::vector<unsigned char> written(before.size(), 77);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, written.data(), 20, 20, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(gl.elements == before);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(gl.elements == written);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
}

TEST_CASE("what the program has set in OpenGL is as before, and rows have no gaps while elements are copied") {
  make_texture(kRgba8, 4);
  cudaGraphicsResource_t resource = registered();
  static_cast<void>(mapped(resource));
  CHECK(gl.rows_were_plain);
  gl.rows_were_plain = false;
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(gl.rows_were_plain);
  CHECK((gl.bound[kTexture2d] == 9 && gl.bound[kUnpackBuffer] == 4));
  CHECK((gl.stored[kPackAlignment] == 4 && gl.stored[0x0CF2] == 17));
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
}

TEST_CASE("elements of textures have the formats that arrays have, and textures of other formats are refused") {
  make_texture(kRgba32f, 16);
  cudaGraphicsResource_t resource = registered();
  cudaChannelFormatDesc format{};
  REQUIRE(cudaArrayGetInfo(&format, nullptr, nullptr, mapped(resource)) == cudaSuccess);
  CHECK((format.x == 32 && format.w == 32 && format.f == cudaChannelFormatKindFloat));
  CHECK(gl.transfer == std::pair(0x1908U, 0x1406U));
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  make_texture(0x8051, 3);  // GL_RGB8
  CHECK(cudaGraphicsGLRegisterImage(&resource, kName, kTexture2d, 0) == cudaErrorInvalidValue);
  make_texture(kRgba8, 4);
  CHECK(cudaGraphicsGLRegisterImage(&resource, kName + 1, kTexture2d, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsGLRegisterImage(&resource, kName, 0x0DE0, 0) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a texture that is only read is not written, and one that is discarded is not read") {
  make_texture(kRgba8, 4);
  const std::vector<unsigned char> before = gl.elements;
  const std::vector<unsigned char> written(before.size(), 77);
  cudaGraphicsResource_t resource = registered(cudaGraphicsRegisterFlagsReadOnly);
  cudaArray_t array = mapped(resource);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, written.data(), 20, 20, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(gl.elements == before);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  gl.transfer = {};
  resource = registered(cudaGraphicsRegisterFlagsWriteDiscard | cudaGraphicsRegisterFlagsSurfaceLoadStore);
  array = mapped(resource);
  CHECK(gl.transfer == std::pair(0U, 0U));
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(nullptr, nullptr, &flags, array) == cudaSuccess);
  CHECK(flags == cudaArraySurfaceLoadStore);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
}

TEST_CASE("a mapped texture has no pointer, one level and one layer") {
  make_texture(kRgba8, 4);
  cudaGraphicsResource_t resource = registered();
  cudaArray_t array = nullptr;
  void* memory = nullptr;
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaErrorNotMapped);
  static_cast<void>(mapped(resource));
  CHECK(cudaGraphicsResourceGetMappedPointer(&memory, nullptr, resource) == cudaErrorNotMappedAsPointer);
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("without a context of OpenGL nothing is registered") {
  make_texture(kRgba8, 4);
  gl.is_current = false;
  cudaGraphicsResource_t resource = nullptr;
  unsigned count = 0;
  int device = 0;
  CHECK(cudaGraphicsGLRegisterImage(&resource, kName, kTexture2d, 0) == cudaErrorInvalidGraphicsContext);
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, 1, 0) == cudaErrorInvalidGraphicsContext);
  CHECK(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll) == cudaErrorInvalidGraphicsContext);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a reset of the device ends its resources") {
  make_texture(kRgba8, 4);
  cudaGraphicsResource_t resource = registered();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorInvalidResourceHandle);
  static_cast<void>(cudaGetLastError());
}
