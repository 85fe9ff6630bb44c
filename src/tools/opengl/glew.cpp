// SPDX-License-Identifier: Apache-2.0
//
// The library GLEW over whichever library GL the program is linked with, this folder's or the system's. Programs that
// were compiled with GLEW's own header reach functions by variables (__glewBindBuffer), which glewInit() fills.
#include <GL/gl.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

void* function_of_gl(const char* name) {
  return dlsym(RTLD_DEFAULT, name);
}

const char* string_of_gl(GLenum what) {
  using GetString = const GLubyte* (*)(GLenum);
  const auto get = reinterpret_cast<GetString>(function_of_gl("glGetString"));
  return get != nullptr ? reinterpret_cast<const char*>(get(what)) : nullptr;
}

/// Whether one of the words, which blanks separate, is `name`.
bool has_word(std::string_view words, std::string_view name) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ') == std::string_view::npos ? words.size() : words.find(' ');
    if (words.substr(0, end) == name) return true;
    words.remove_prefix(end == words.size() ? end : end + 1);
  }
  return false;
}

bool is_supported(std::string_view name) {
  constexpr std::string_view kVersion = "GL_VERSION_";
  if (name.substr(0, kVersion.size()) != kVersion) {
    const char* const extensions = string_of_gl(GL_EXTENSIONS);
    return extensions != nullptr && has_word(extensions, name);
  }
  const char* const version = string_of_gl(GL_VERSION);
  int major = 0;
  int minor = 0;
  int wanted_major = 0;
  int wanted_minor = 0;
  if (version == nullptr || std::sscanf(version, "%d.%d", &major, &minor) != 2) return false;
  if (std::sscanf(name.data() + kVersion.size(), "%d_%d", &wanted_major, &wanted_minor) != 2) return false;
  return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
}

constexpr GLenum kNoError = 0;
constexpr GLenum kNoVersion = 1;

}  // namespace

extern "C" {

// What the program itself reads, and may write.
#define OF_PROGRAM(type, name) \
  extern type name;            \
  type name {}
#define DRAWS(result, name, type, types) OF_PROGRAM(PFNGL##type##PROC, __glew##name);
#define KEPT(result, name, type, types) OF_PROGRAM(PFNGL##type##PROC, __glew##name);
#include <GL/glext_functions.inc>
#undef KEPT
#undef DRAWS
OF_PROGRAM(GLboolean, glewExperimental);
#undef OF_PROGRAM

GLenum glewInit(void);
GLboolean glewIsSupported(const char* names);
GLboolean glewGetExtension(const char* name);
const GLubyte* glewGetErrorString(GLenum error);
const GLubyte* glewGetString(GLenum what);

GLenum glewInit(void) {
  if (string_of_gl(GL_VERSION) == nullptr) return kNoVersion;
#define DRAWS(result, name, type, types) __glew##name = reinterpret_cast<PFNGL##type##PROC>(function_of_gl("gl" #name));
#define KEPT(result, name, type, types) DRAWS(result, name, type, types)
#include <GL/glext_functions.inc>
#undef KEPT
#undef DRAWS
  return kNoError;
}

/// Whether all of the names, which blanks separate, are there.
GLboolean glewIsSupported(const char* names) {
  std::string_view rest = names;
  while (!rest.empty()) {
    const std::size_t end = rest.find(' ') == std::string_view::npos ? rest.size() : rest.find(' ');
    if (end != 0 && !is_supported(rest.substr(0, end))) return GL_FALSE;
    rest.remove_prefix(end == rest.size() ? end : end + 1);
  }
  return GL_TRUE;
}

GLboolean glewGetExtension(const char* name) {
  return is_supported(name) ? GL_TRUE : GL_FALSE;
}

const GLubyte* glewGetErrorString(GLenum error) {
  return reinterpret_cast<const GLubyte*>(error == kNoError ? "No error" : "Missing GL version");
}

const GLubyte* glewGetString(GLenum) {
  return reinterpret_cast<const GLubyte*>("2.2.0");
}

}  // extern "C"
