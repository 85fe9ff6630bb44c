// SPDX-License-Identifier: Apache-2.0
// The OpenGL of the process, whichever it is linked with: what its buffers and textures hold, by OpenGL's own
// functions, which are looked up by their names. No state of OpenGL that the program has set is changed. Called on a
// thread of the program, whose context is the current one. Called by graphics.cpp.
#pragma once

#include <warpfiber/cuda/api/types.h>

#include <cstddef>
#include <optional>

namespace warpfiber::device_memory {

/// Whether a context of OpenGL is current.
bool has_opengl();

/// Bytes of a buffer object; nothing where no buffer has the name, or it has no data, or the program has it mapped.
std::optional<std::size_t> gl_buffer_bytes(unsigned name);

void read_gl_buffer(unsigned name, void* to, std::size_t bytes);
void write_gl_buffer(unsigned name, const void* from, std::size_t bytes);

/// A texture as an array of CUDA's has it.
struct GlImage {
  cudaChannelFormatDesc format{};
  std::size_t width = 0;
  std::size_t height = 0;
};

/// Whether textures of this kind can be registered: GL_TEXTURE_2D and GL_TEXTURE_RECTANGLE.
bool is_gl_image_target(unsigned target);

/// The first level of a texture; nothing where no texture has the name, or its format is none that CUDA has.
std::optional<GlImage> gl_image(unsigned name, unsigned target);

/// All elements of the first level, row by row without gaps. The texture has a format that gl_image() knows.
void read_gl_image(unsigned name, unsigned target, void* to);
void write_gl_image(unsigned name, unsigned target, const void* from);

}  // namespace warpfiber::device_memory
