// SPDX-License-Identifier: Apache-2.0
//
// The library GLU without windows: what it computes goes into a picture, so its functions end the program, but for the
// words for errors. They are those of GL/glu_functions.inc.
#include <GL/glu.h>

#include "tools/opengl/refusing.hpp"

using namespace warpfiber::tools::opengl;

extern "C" {

#define KEPT(...)
#define DRAWS(result, name, types) \
  result name types {              \
    end_without_window(#name);     \
  }
#include <GL/glu_functions.inc>
#undef DRAWS
#undef KEPT

const GLubyte* gluErrorString(GLenum error) {
  const auto text = [](const char* of) { return reinterpret_cast<const GLubyte*>(of); };
  switch (error) {
    case GL_NO_ERROR: return text("no error");
    case GL_INVALID_ENUM: return text("invalid enumerant");
    case GL_INVALID_VALUE: return text("invalid value");
    case GL_INVALID_OPERATION: return text("invalid operation");
    case GL_STACK_OVERFLOW: return text("stack overflow");
    case GL_STACK_UNDERFLOW: return text("stack underflow");
    case GL_OUT_OF_MEMORY: return text("out of memory");
    default: return nullptr;
  }
}

}  // extern "C"
