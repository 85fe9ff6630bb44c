// SPDX-License-Identifier: Apache-2.0
// Of OpenGL's binding to X what programs ask for without a window of their own making, where the system has no headers
// of it (docs/opengl.md): the addresses of functions by their names. C and C++.
#pragma once
#define GLX_H

#include <GL/gl.h>

#define GLX_EXTENSION_NAME "GLX"

#ifdef __cplusplus
extern "C" {
#endif
typedef struct __GLXcontextRec* GLXContext;
typedef unsigned long GLXDrawable;
typedef void (*__GLXextFuncPtr)(void);

/// Null where there is no function of that name.
__GLXextFuncPtr glXGetProcAddress(const GLubyte* name);
__GLXextFuncPtr glXGetProcAddressARB(const GLubyte* name);
/// Null: no window is open.
GLXContext glXGetCurrentContext(void);
GLXDrawable glXGetCurrentDrawable(void);
#ifdef __cplusplus
}
#endif
