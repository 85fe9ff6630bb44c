// SPDX-License-Identifier: Apache-2.0
//
// Source of names, values and formats: the registry of OpenGL; CUDA Runtime API, "cudaGraphicsGLRegisterImage". The
// libraries of OpenGL may be loaded by the program itself, out of sight of others, so they are asked for by name too.
#include "device_memory/graphics/opengl.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace warpfiber::device_memory {
namespace {

constexpr unsigned kVersion = 0x1F02;
constexpr unsigned kArrayBuffer = 0x8892;
constexpr unsigned kArrayBufferBinding = 0x8894;
constexpr unsigned kBufferSize = 0x8764;
constexpr unsigned kBufferMapped = 0x88BC;
constexpr unsigned kPixelPackBuffer = 0x88EB;
constexpr unsigned kPixelPackBufferBinding = 0x88ED;
constexpr unsigned kPixelUnpackBuffer = 0x88EC;
constexpr unsigned kPixelUnpackBufferBinding = 0x88EF;
constexpr unsigned kTexture2d = 0x0DE1;
constexpr unsigned kTexture2dBinding = 0x8069;
constexpr unsigned kTextureRectangle = 0x84F5;
constexpr unsigned kTextureRectangleBinding = 0x84F6;
constexpr unsigned kTextureWidth = 0x1000;
constexpr unsigned kTextureHeight = 0x1001;
constexpr unsigned kInternalFormat = 0x1003;

void* gl_function(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  for (const char* library : {"libGL.so.1", "libOpenGL.so.0"}) {
    if (found != nullptr) break;
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == nullptr) continue;
    found = dlsym(loaded, name);
    dlclose(loaded);
  }
  return found;
}

/// A function of OpenGL; it has to be there.
template <class Function>
Function* gl(const char* name) {
  return reinterpret_cast<Function*>(gl_function(name));
}

int gl_integer(unsigned what) {
  int value = 0;
  gl<void(unsigned, int*)>("glGetIntegerv")(what, &value);
  return value;
}

/// Something that the program has bound, for as long as this object lives something else.
class Rebound {
 public:
  Rebound(const char* bind, unsigned target, unsigned binding, unsigned name)
      : bind_(gl<void(unsigned, unsigned)>(bind)),
        target_(target),
        before_(static_cast<unsigned>(gl_integer(binding))) {
    bind_(target_, name);
  }
  Rebound(const Rebound&) = delete;
  Rebound& operator=(const Rebound&) = delete;
  ~Rebound() { bind_(target_, before_); }

 private:
  void (*bind_)(unsigned, unsigned);
  unsigned target_;
  unsigned before_;
};

Rebound with_buffer(unsigned name) {
  return {"glBindBuffer", kArrayBuffer, kArrayBufferBinding, name};
}

Rebound with_image(unsigned name, unsigned target) {
  return {"glBindTexture", target, target == kTexture2d ? kTexture2dBinding : kTextureRectangleBinding, name};
}

int buffer_value(unsigned what) {
  int value = 0;
  gl<void(unsigned, unsigned, int*)>("glGetBufferParameteriv")(kArrayBuffer, what, &value);
  return value;
}

/// How OpenGL unpacks and packs the elements of textures: row by row without gaps, as long as this object lives.
class PlainRows {
 public:
  PlainRows() {
    for (std::size_t i = 0; i < std::size(kParameters); ++i) {
      before_[i] = gl_integer(kParameters[i].name);
      store(kParameters[i].name, kParameters[i].plain);
    }
  }
  PlainRows(const PlainRows&) = delete;
  PlainRows& operator=(const PlainRows&) = delete;
  ~PlainRows() {
    for (std::size_t i = 0; i < std::size(kParameters); ++i) store(kParameters[i].name, before_[i]);
  }

 private:
  struct Parameter {
    unsigned name;
    int plain;
  };
  // Bytes swapped, length of rows, rows and elements skipped, alignment of rows: of unpacking, of packing.
  static constexpr Parameter kParameters[] = {{0x0CF0, 0}, {0x0CF2, 0}, {0x0CF3, 0}, {0x0CF4, 0}, {0x0CF5, 1},
                                              {0x0D00, 0}, {0x0D02, 0}, {0x0D03, 0}, {0x0D04, 0}, {0x0D05, 1}};

  static void store(unsigned name, int value) { gl<void(unsigned, int)>("glPixelStorei")(name, value); }

  int before_[std::size(kParameters)]{};
  Rebound packed_{"glBindBuffer", kPixelPackBuffer, kPixelPackBufferBinding, 0};
  Rebound unpacked_{"glBindBuffer", kPixelUnpackBuffer, kPixelUnpackBufferBinding, 0};
};

/// A format of textures, by what OpenGL calls it inside and by how its elements are read and written.
struct GlFormat {
  unsigned internal;
  unsigned layout;
  unsigned type;
  int channels;
  int bits;
  cudaChannelFormatKind kind;
};

constexpr unsigned kRed = 0x1903, kRg = 0x8227, kRgba = 0x1908;
constexpr unsigned kRedInteger = 0x8D94, kRgInteger = 0x8228, kRgbaInteger = 0x8D99;
constexpr unsigned kByte = 0x1400, kUnsignedByte = 0x1401, kShort = 0x1402, kUnsignedShort = 0x1403;
constexpr unsigned kInt = 0x1404, kUnsignedInt = 0x1405, kFloat = 0x1406, kHalf = 0x140B;
constexpr cudaChannelFormatKind kOfSigned = cudaChannelFormatKindSigned;
constexpr cudaChannelFormatKind kOfUnsigned = cudaChannelFormatKindUnsigned;
constexpr cudaChannelFormatKind kOfFloat = cudaChannelFormatKindFloat;

constexpr GlFormat kFormats[] = {
    // R8, RG8, RGBA8, RGBA without a size; R16, RG16, RGBA16
    {0x8229, kRed, kUnsignedByte, 1, 8, kOfUnsigned},
    {0x822B, kRg, kUnsignedByte, 2, 8, kOfUnsigned},
    {0x8058, kRgba, kUnsignedByte, 4, 8, kOfUnsigned},
    {0x1908, kRgba, kUnsignedByte, 4, 8, kOfUnsigned},
    {0x822A, kRed, kUnsignedShort, 1, 16, kOfUnsigned},
    {0x822C, kRg, kUnsignedShort, 2, 16, kOfUnsigned},
    {0x805B, kRgba, kUnsignedShort, 4, 16, kOfUnsigned},
    // R16F, RG16F, RGBA16F, R32F, RG32F, RGBA32F
    {0x822D, kRed, kHalf, 1, 16, kOfFloat},
    {0x822F, kRg, kHalf, 2, 16, kOfFloat},
    {0x881A, kRgba, kHalf, 4, 16, kOfFloat},
    {0x822E, kRed, kFloat, 1, 32, kOfFloat},
    {0x8230, kRg, kFloat, 2, 32, kOfFloat},
    {0x8814, kRgba, kFloat, 4, 32, kOfFloat},
    // R8I, R8UI, R16I, R16UI, R32I, R32UI
    {0x8231, kRedInteger, kByte, 1, 8, kOfSigned},
    {0x8232, kRedInteger, kUnsignedByte, 1, 8, kOfUnsigned},
    {0x8233, kRedInteger, kShort, 1, 16, kOfSigned},
    {0x8234, kRedInteger, kUnsignedShort, 1, 16, kOfUnsigned},
    {0x8235, kRedInteger, kInt, 1, 32, kOfSigned},
    {0x8236, kRedInteger, kUnsignedInt, 1, 32, kOfUnsigned},
    // RG8I to RG32UI
    {0x8237, kRgInteger, kByte, 2, 8, kOfSigned},
    {0x8238, kRgInteger, kUnsignedByte, 2, 8, kOfUnsigned},
    {0x8239, kRgInteger, kShort, 2, 16, kOfSigned},
    {0x823A, kRgInteger, kUnsignedShort, 2, 16, kOfUnsigned},
    {0x823B, kRgInteger, kInt, 2, 32, kOfSigned},
    {0x823C, kRgInteger, kUnsignedInt, 2, 32, kOfUnsigned},
    // RGBA32UI, RGBA16UI, RGBA8UI, RGBA32I, RGBA16I, RGBA8I
    {0x8D70, kRgbaInteger, kUnsignedInt, 4, 32, kOfUnsigned},
    {0x8D76, kRgbaInteger, kUnsignedShort, 4, 16, kOfUnsigned},
    {0x8D7C, kRgbaInteger, kUnsignedByte, 4, 8, kOfUnsigned},
    {0x8D82, kRgbaInteger, kInt, 4, 32, kOfSigned},
    {0x8D88, kRgbaInteger, kShort, 4, 16, kOfSigned},
    {0x8D8E, kRgbaInteger, kByte, 4, 8, kOfSigned},
};

int level_value(unsigned target, unsigned what) {
  int value = 0;
  gl<void(unsigned, int, unsigned, int*)>("glGetTexLevelParameteriv")(target, 0, what, &value);
  return value;
}

/// Null where it is none of the formats above.
const GlFormat* format_of_bound(unsigned target) {
  const auto internal = static_cast<unsigned>(level_value(target, kInternalFormat));
  const auto* const found = std::ranges::find(kFormats, internal, &GlFormat::internal);
  return found != std::end(kFormats) ? found : nullptr;
}

}  // namespace

bool has_opengl() {
  const auto get_string = gl<const unsigned char*(unsigned)>("glGetString");
  // OpenGL ES has buffers as well, and nothing that reads them.
  return get_string != nullptr && get_string(kVersion) != nullptr && gl_function("glGetBufferSubData") != nullptr;
}

std::optional<std::size_t> gl_buffer_bytes(unsigned name) {
  if (gl<unsigned char(unsigned)>("glIsBuffer")(name) == 0) return std::nullopt;
  const Rebound bound = with_buffer(name);
  if (buffer_value(kBufferMapped) != 0) return std::nullopt;
  std::int64_t bytes = 0;
  if (const auto get = gl<void(unsigned, unsigned, std::int64_t*)>("glGetBufferParameteri64v"); get != nullptr) {
    get(kArrayBuffer, kBufferSize, &bytes);
  } else {
    bytes = buffer_value(kBufferSize);
  }
  if (bytes <= 0) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

void read_gl_buffer(unsigned name, void* to, std::size_t bytes) {
  const Rebound bound = with_buffer(name);
  gl<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, void*)>("glGetBufferSubData")(
      kArrayBuffer, 0, static_cast<std::ptrdiff_t>(bytes), to);
}

void write_gl_buffer(unsigned name, const void* from, std::size_t bytes) {
  const Rebound bound = with_buffer(name);
  gl<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, const void*)>("glBufferSubData")(
      kArrayBuffer, 0, static_cast<std::ptrdiff_t>(bytes), from);
}

bool is_gl_image_target(unsigned target) {
  return target == kTexture2d || target == kTextureRectangle;
}

std::optional<GlImage> gl_image(unsigned name, unsigned target) {
  const auto is_texture = gl<unsigned char(unsigned)>("glIsTexture");
  if (gl_function("glGetTexImage") == nullptr || is_texture(name) == 0) return std::nullopt;
  const Rebound bound = with_image(name, target);
  const GlFormat* const format = format_of_bound(target);
  const int width = level_value(target, kTextureWidth);
  const int height = level_value(target, kTextureHeight);
  if (format == nullptr || width <= 0 || height <= 0) return std::nullopt;
  const auto bits = [format](int channel) { return channel < format->channels ? format->bits : 0; };
  return GlImage{{bits(0), bits(1), bits(2), bits(3), format->kind},
                 static_cast<std::size_t>(width),
                 static_cast<std::size_t>(height)};
}

void read_gl_image(unsigned name, unsigned target, void* to) {
  const Rebound bound = with_image(name, target);
  const PlainRows plain;
  const GlFormat* const format = format_of_bound(target);
  gl<void(unsigned, int, unsigned, unsigned, void*)>("glGetTexImage")(target, 0, format->layout, format->type, to);
}

void write_gl_image(unsigned name, unsigned target, const void* from) {
  const Rebound bound = with_image(name, target);
  const PlainRows plain;
  const GlFormat* const format = format_of_bound(target);
  gl<void(unsigned, int, int, int, int, int, unsigned, unsigned, const void*)>("glTexSubImage2D")(
      target, 0, 0, 0, level_value(target, kTextureWidth), level_value(target, kTextureHeight), format->layout,
      format->type, from);
}

}  // namespace warpfiber::device_memory
