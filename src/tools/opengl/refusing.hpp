// SPDX-License-Identifier: Apache-2.0
// What the OpenGL libraries of the toolkit say where a program wants what they do not have: a window, or something
// drawn. Each is a library by itself, and links nothing of Warpfiber. Called by the files of this folder.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace warpfiber::tools::opengl {

/// With this status NVIDIA's samples say that they cannot run on a machine (EXIT_WAIVED).
inline constexpr int kNoWindow = 2;

/// Ends the program, as GLUT does where it cannot open a window. `function` is the one that was called.
[[noreturn]] inline void end_without_window(const char* function) {
  std::fprintf(
      stderr,
      "warpfiber: %s: this program opens a window by OpenGL, which the libraries that it was linked with cannot: "
      "run it in a mode without a window (NVIDIA's samples: -qatest, -file=REFERENCE, -benchmark), or install "
      "the system's OpenGL (Debian: libgl-dev, libglu1-mesa-dev, libglew-dev, freeglut3-dev) and link again\n",
      function);
  std::exit(kNoWindow);
}

}  // namespace warpfiber::tools::opengl
