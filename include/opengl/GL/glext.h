// SPDX-License-Identifier: Apache-2.0
// OpenGL 1.4 and later and extensions, where the system has no headers of it (docs/opengl.md). The types of functions
// are there always, functions where GL_GLEXT_PROTOTYPES is defined, as in the registry's header. C and C++.
#pragma once
#define __gl_glext_h_

#include <GL/gl.h>

#define GL_VERSION_1_4 1
#define GL_VERSION_1_5 1
#define GL_VERSION_2_0 1
#define APIENTRYP *

typedef char GLchar;
typedef char GLcharARB;
typedef unsigned int GLhandleARB;
typedef unsigned short GLhalf;
typedef unsigned short GLhalfARB;
typedef ptrdiff_t GLintptr;
typedef ptrdiff_t GLsizeiptr;
typedef ptrdiff_t GLintptrARB;
typedef ptrdiff_t GLsizeiptrARB;
typedef int64_t GLint64;
typedef uint64_t GLuint64;
typedef struct __GLsync* GLsync;

#include <GL/glext_constants.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef void(APIENTRYP PFNGLACTIVETEXTUREPROC)(GLenum);
typedef void(APIENTRYP PFNGLCLIENTACTIVETEXTUREPROC)(GLenum);
#define DRAWS(result, name, type, types) typedef result(APIENTRYP PFNGL##type##PROC) types;
#define KEPT(result, name, type, types) typedef result(APIENTRYP PFNGL##type##PROC) types;
#include <GL/glext_functions.inc>
#undef DRAWS
#undef KEPT
#ifdef GL_GLEXT_PROTOTYPES
#define DRAWS(result, name, type, types) result gl##name types;
#define KEPT(result, name, type, types) result gl##name types;
#include <GL/glext_functions.inc>
#undef DRAWS
#undef KEPT
#endif
#ifdef __cplusplus
}
#endif
