// SPDX-License-Identifier: Apache-2.0
// GLEW where the system has no headers of it (docs/opengl.md). The functions are those of the library of OpenGL itself,
// so glewInit() has nothing to look up for programs that include this header. C and C++.
#pragma once
#define __glew_h__
#define __GLEW_H__

#if (defined(__gl_h_) || defined(__gl_glext_h_)) && !defined(GL_GLEXT_PROTOTYPES)
#error include GL/glew.h before GL/gl.h
#endif
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif

#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glu.h>

#define GLEW_OK 0
#define GLEW_NO_ERROR 0
#define GLEW_ERROR_NO_GL_VERSION 1
#define GLEW_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif
extern GLboolean glewExperimental;

/// GLEW_OK, or GLEW_ERROR_NO_GL_VERSION where no OpenGL answers.
GLenum glewInit(void);
GLboolean glewIsSupported(const char* names);
GLboolean glewGetExtension(const char* name);
const GLubyte* glewGetErrorString(GLenum error);
const GLubyte* glewGetString(GLenum name);
#ifdef __cplusplus
}
#endif

#define glewIsExtensionSupported(name) glewIsSupported(name)
#define GLEW_VERSION_1_1 glewIsSupported("GL_VERSION_1_1")
#define GLEW_VERSION_1_4 glewIsSupported("GL_VERSION_1_4")
#define GLEW_VERSION_1_5 glewIsSupported("GL_VERSION_1_5")
#define GLEW_VERSION_2_0 glewIsSupported("GL_VERSION_2_0")
#define GLEW_VERSION_2_1 glewIsSupported("GL_VERSION_2_1")
#define GLEW_VERSION_3_0 glewIsSupported("GL_VERSION_3_0")
#define GLEW_VERSION_3_3 glewIsSupported("GL_VERSION_3_3")
#define GLEW_VERSION_4_0 glewIsSupported("GL_VERSION_4_0")
#define GLEW_ARB_vertex_buffer_object glewIsSupported("GL_ARB_vertex_buffer_object")
#define GLEW_ARB_pixel_buffer_object glewIsSupported("GL_ARB_pixel_buffer_object")
#define GLEW_ARB_vertex_shader glewIsSupported("GL_ARB_vertex_shader")
#define GLEW_ARB_fragment_shader glewIsSupported("GL_ARB_fragment_shader")
#define GLEW_EXT_framebuffer_object glewIsSupported("GL_EXT_framebuffer_object")
