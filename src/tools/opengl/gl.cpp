// SPDX-License-Identifier: Apache-2.0
//
// The library GL without windows. Besides buffers (buffers.cpp) it refuses every function of OpenGL: nothing is drawn,
// read back or pretended. The functions are those of GL/gl_functions.inc and GL/glext_functions.inc.
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glx.h>

#include <cstdio>
#include <cstring>
#include <iterator>

#include "tools/opengl/context.hpp"

namespace warpfiber::tools::opengl {

void refuse_to_draw(const char* function) {
  WindowlessContext& all = context();
  all.fail(GL_INVALID_OPERATION);
  if (all.has_said) return;
  all.has_said = true;
  std::fprintf(
      stderr,
      "warpfiber: %s: GL_INVALID_OPERATION: the OpenGL that this program was linked with has buffers alone, and "
      "draws nothing; install the system's (Debian: libgl-dev) and link again\n",
      function);
}

}  // namespace warpfiber::tools::opengl

using namespace warpfiber::tools::opengl;

#define DRAWN(result, name, types) \
  result gl##name types {          \
    refuse_to_draw("gl" #name);    \
    return static_cast<result>(0); \
  }

extern "C" {

#define KEPT(...)
#define DRAWS(result, name, types) DRAWN(result, name, types)
#include <GL/gl_functions.inc>
#undef DRAWS
#define DRAWS(result, name, type, types) DRAWN(result, name, types)
#include <GL/glext_functions.inc>
#undef DRAWS
#undef KEPT

GLenum glGetError(void) {
  WindowlessContext& all = context();
  const GLenum error = all.error;
  all.error = GL_NO_ERROR;
  return error;
}

// What was asked for is done already.
void glFlush(void) {}
void glFinish(void) {}

/// There are none.
GLboolean glIsTexture(GLuint) {
  return GL_FALSE;
}

const GLubyte* glGetString(GLenum what) {
  const auto text = [](const char* of) { return reinterpret_cast<const GLubyte*>(of); };
  switch (what) {
    case GL_VENDOR: return text("Warpfiber");
    case GL_RENDERER: return text("buffers alone, no drawing");
    case GL_VERSION: return text("1.5 Warpfiber");
    case GL_EXTENSIONS: return text("GL_ARB_vertex_buffer_object GL_ARB_pixel_buffer_object");
    default: context().fail(GL_INVALID_ENUM); return nullptr;
  }
}

}  // extern "C"

namespace {

struct NamedFunction {
  const char* name;
  __GLXextFuncPtr function;
};

const NamedFunction kFunctions[] = {
#define NAMED(name) {"gl" #name, reinterpret_cast<__GLXextFuncPtr>(&gl##name)},
#define KEPT(result, name, types) NAMED(name)
#define DRAWS(result, name, types) NAMED(name)
#include <GL/gl_functions.inc>
#undef DRAWS
#undef KEPT
#define KEPT(result, name, type, types) NAMED(name)
#define DRAWS(result, name, type, types) NAMED(name)
#include <GL/glext_functions.inc>
#undef DRAWS
#undef KEPT
};

}  // namespace

extern "C" {

__GLXextFuncPtr glXGetProcAddress(const GLubyte* name) {
  const char* const wanted = reinterpret_cast<const char*>(name);
  for (const NamedFunction& one : kFunctions) {
    if (std::strcmp(one.name, wanted) == 0) return one.function;
  }
  return nullptr;
}
__GLXextFuncPtr glXGetProcAddressARB(const GLubyte* name) {
  return glXGetProcAddress(name);
}
GLXContext glXGetCurrentContext(void) {
  return nullptr;
}
GLXDrawable glXGetCurrentDrawable(void) {
  return 0;
}

}  // extern "C"
