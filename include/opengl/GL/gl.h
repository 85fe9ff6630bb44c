// SPDX-License-Identifier: Apache-2.0
// OpenGL where the system has no headers of it (docs/opengl.md): types, values and functions under the names and with
// the signatures of its registry. What they do where no window is open is in src/tools/opengl. C and C++.
#pragma once
#define __gl_h_
#define __GL_H__

#include <stddef.h>
#include <stdint.h>

#define GL_VERSION_1_1 1
#define GL_VERSION_1_2 1
#define GL_VERSION_1_3 1
#define GLAPI extern
#define GLAPIENTRY
#define APIENTRY

typedef unsigned int GLenum;
typedef unsigned char GLboolean;
typedef unsigned int GLbitfield;
typedef void GLvoid;
typedef signed char GLbyte;
typedef short GLshort;
typedef int GLint;
typedef unsigned char GLubyte;
typedef unsigned short GLushort;
typedef unsigned int GLuint;
typedef int GLsizei;
typedef float GLfloat;
typedef float GLclampf;
typedef double GLdouble;
typedef double GLclampd;

#include <GL/gl_constants.h>

#ifdef __cplusplus
extern "C" {
#endif
#define DRAWS(result, name, types) result gl##name types;
#define KEPT(result, name, types) result gl##name types;
#include <GL/gl_functions.inc>
#undef DRAWS
#undef KEPT
#ifdef __cplusplus
}
#endif

#include <GL/glext.h>
