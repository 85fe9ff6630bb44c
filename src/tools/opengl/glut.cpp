// SPDX-License-Identifier: Apache-2.0
//
// The library glut without windows: what is wanted of a window is accepted, and the first function that needs one ends
// the program. The functions are those of GL/glut_functions.inc.
#include <GL/freeglut.h>

#include <chrono>

#include "tools/opengl/refusing.hpp"

using namespace warpfiber::tools::opengl;

namespace {

/// The clock of GLUT_ELAPSED_TIME begins with glutInit(), or with the first question.
std::chrono::steady_clock::time_point began() {
  static const auto at = std::chrono::steady_clock::now();
  return at;
}

}  // namespace

extern "C" {

#define KEPT(...)
#define SETS(result, name, types)  \
  result name types {              \
    return static_cast<result>(0); \
  }
#define SHOWS(result, name, types) \
  result name types {              \
    end_without_window(#name);     \
  }
#include <GL/glut_functions.inc>
#undef SHOWS
#undef SETS
#undef KEPT

/// Arguments stay as they are: those that GLUT knows are of windows.
void glutInit(int*, char**) {
  static_cast<void>(began());
}

int glutGet(GLenum what) {
  if (what != GLUT_ELAPSED_TIME) return 0;
  const auto passed = std::chrono::steady_clock::now() - began();
  return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

}  // extern "C"
