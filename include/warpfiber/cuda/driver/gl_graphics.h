// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface. Registers buffers and textures of OpenGL (docs/opengl.md). GLuint and GLenum are unsigned
// int here, so that no header of OpenGL is needed. Every function returns a CUresult. C and C++.
#pragma once

#include <warpfiber/cuda/driver/graphics.h>

#define cuGLGetDevices cuGLGetDevices_v2

typedef enum CUGLDeviceList_enum {
  CU_GL_DEVICE_LIST_ALL = 0x01,
  CU_GL_DEVICE_LIST_CURRENT_FRAME = 0x02,
  CU_GL_DEVICE_LIST_NEXT_FRAME = 0x03
} CUGLDeviceList;

WARPFIBER_C_BEGIN

CUresult CUDAAPI cuGLGetDevices(unsigned int* pCudaDeviceCount, CUdevice* pCudaDevices, unsigned int cudaDeviceCount,
                                CUGLDeviceList deviceList);
CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource* pCudaResource, unsigned int buffer, unsigned int Flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource* pCudaResource, unsigned int image, unsigned int target,
                                           unsigned int Flags);

WARPFIBER_C_END
