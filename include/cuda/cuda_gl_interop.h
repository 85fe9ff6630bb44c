// SPDX-License-Identifier: Apache-2.0
// Buffers and textures of OpenGL for kernels (docs/opengl.md). C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_GL_INTEROP_H__

#include <GL/gl.h>
#include <cuda_runtime_api.h>
#include <warpfiber/cuda/api/gl_interop.h>
