// SPDX-License-Identifier: Apache-2.0
// The context of libGL without windows: buffer objects in the host's memory, and the error that glGetError() returns
// next. It is current always and for every thread; as with any context, threads take turns. Called by the files of this
// folder.
#pragma once

#include <GL/gl.h>

#include <map>
#include <vector>

namespace warpfiber::tools::opengl {

struct BufferObject {
  std::vector<unsigned char> bytes{};
  GLenum usage = GL_STATIC_DRAW;
  GLenum access = GL_READ_WRITE;
  unsigned char* mapped = nullptr;  // where it is mapped, from the first byte that is
  std::size_t mapped_bytes = 0;
};

struct WindowlessContext {
  GLenum error = GL_NO_ERROR;  // the first since the last glGetError()
  bool has_said = false;       // that it draws nothing
  GLuint last_name = 0;
  std::map<GLuint, BufferObject> buffers{};  // also of names that were never bound
  std::map<GLuint, bool> were_bound{};       // only these are buffers to glIsBuffer()
  std::map<GLenum, GLuint> bound{};          // by target

  void fail(GLenum with) {
    if (error == GL_NO_ERROR) error = with;
  }
};

WindowlessContext& context();

/// GL_INVALID_OPERATION, and a line on standard error for the first of a process: there is nothing to draw into.
void refuse_to_draw(const char* function);

}  // namespace warpfiber::tools::opengl
