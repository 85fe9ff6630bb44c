// SPDX-License-Identifier: Apache-2.0
// Buffers and textures of OpenGL for kernels, by CUDA's driver interface (docs/opengl.md). C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUDAGL_H

#include <GL/gl.h>
#include <cuda.h>
#include <warpfiber/cuda/driver/gl_graphics.h>
