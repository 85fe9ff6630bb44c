// SPDX-License-Identifier: Apache-2.0
// Buffers and textures of OpenGL for kernels (docs/opengl.md). GLuint and GLenum are unsigned int here, so that no
// header of OpenGL is needed. Every function returns a cudaError_t, and a failure is what cudaGetLastError returns
// next. What each does and which errors it gives are CUDA's (CUDA Runtime API, 13.0, "OpenGL Interoperability"). Called
// on the thread whose context of OpenGL is current; no kernel may. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/types.h>

enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };

enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

WARPFIBER_C_BEGIN

cudaError_t cudaGLGetDevices(unsigned int* pCudaDeviceCount, int* pCudaDevices, unsigned int cudaDeviceCount,
                             enum cudaGLDeviceList deviceList);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource** resource, unsigned int buffer,
                                         unsigned int flags);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource** resource, unsigned int image, unsigned int target,
                                        unsigned int flags);

// Before CUDA 3.0, by the name of the buffer. CUDA has them still and advises against them.
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(unsigned int bufObj);
cudaError_t cudaGLMapBufferObject(void** devPtr, unsigned int bufObj);
cudaError_t cudaGLMapBufferObjectAsync(void** devPtr, unsigned int bufObj, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObject(unsigned int bufObj);
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned int bufObj, cudaStream_t stream);
cudaError_t cudaGLUnregisterBufferObject(unsigned int bufObj);
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned int bufObj, unsigned int flags);

WARPFIBER_C_END
