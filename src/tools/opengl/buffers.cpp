// SPDX-License-Identifier: Apache-2.0
//
// Buffer objects as OpenGL 1.5 has them, with ranges and copies of 3.0 and 3.1, in the host's memory: CUDA's programs
// register them (device_memory/graphics.cpp). Errors are those of OpenGL 4.6, chapter 6.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#define GL_GLEXT_PROTOTYPES
#include "tools/opengl/context.hpp"

namespace warpfiber::tools::opengl {
namespace {

struct BufferTarget {
  GLenum target;
  GLenum binding;  // what glGetIntegerv() calls it
};

constexpr BufferTarget kTargets[] = {
    {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING},
    {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING},
    {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
    {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
    {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER},
    {GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER},
    {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER},
    {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING},
};

bool is_target(GLenum target) {
  return std::any_of(std::begin(kTargets), std::end(kTargets),
                     [&](const BufferTarget& of) { return of.target == target; });
}

bool is_usage(GLenum usage) {
  constexpr GLenum kUsages[] = {GL_STREAM_DRAW, GL_STREAM_READ,  GL_STREAM_COPY,  GL_STATIC_DRAW, GL_STATIC_READ,
                                GL_STATIC_COPY, GL_DYNAMIC_DRAW, GL_DYNAMIC_READ, GL_DYNAMIC_COPY};
  return std::find(std::begin(kUsages), std::end(kUsages), usage) != std::end(kUsages);
}

/// Null after an error, which is noted.
BufferObject* bound_to(GLenum target) {
  WindowlessContext& all = context();
  if (!is_target(target)) {
    all.fail(GL_INVALID_ENUM);
    return nullptr;
  }
  const GLuint name = all.bound[target];
  if (name == 0) {
    all.fail(GL_INVALID_OPERATION);
    return nullptr;
  }
  return &all.buffers[name];
}

bool is_within(const BufferObject& buffer, GLintptr offset, GLsizeiptr size) {
  const auto all = static_cast<GLsizeiptr>(buffer.bytes.size());
  return offset >= 0 && size >= 0 && offset <= all && size <= all - offset;
}

/// The bytes of a range that is not mapped; null after an error, which is noted.
unsigned char* unmapped_range(BufferObject* buffer, GLintptr offset, GLsizeiptr size) {
  if (buffer == nullptr) return nullptr;
  if (!is_within(*buffer, offset, size)) {
    context().fail(GL_INVALID_VALUE);
    return nullptr;
  }
  if (buffer->mapped != nullptr) {
    context().fail(GL_INVALID_OPERATION);
    return nullptr;
  }
  return buffer->bytes.data() + offset;
}

void* map_range(BufferObject* buffer, GLintptr offset, GLsizeiptr size, GLenum access) {
  unsigned char* const begin = unmapped_range(buffer, offset, size);
  if (begin == nullptr) return nullptr;
  buffer->mapped = begin;
  buffer->mapped_bytes = static_cast<std::size_t>(size);
  buffer->access = access;
  return begin;
}

GLenum access_of(GLbitfield bits) {
  const bool reads = (bits & GL_MAP_READ_BIT) != 0;
  const bool writes = (bits & GL_MAP_WRITE_BIT) != 0;
  return reads && writes ? GL_READ_WRITE : reads ? GL_READ_ONLY : GL_WRITE_ONLY;
}

}  // namespace

WindowlessContext& context() {
  // Never destroyed: programs free their buffers when they end.
  alignas(WindowlessContext) static unsigned char place[sizeof(WindowlessContext)];
  static WindowlessContext* const only = new (place) WindowlessContext;
  return *only;
}

}  // namespace warpfiber::tools::opengl

using namespace warpfiber::tools::opengl;

extern "C" {

void glGenBuffers(GLsizei count, GLuint* names) {
  WindowlessContext& all = context();
  if (count < 0) return all.fail(GL_INVALID_VALUE);
  for (GLsizei i = 0; i < count; ++i) {
    do ++all.last_name;
    while (all.buffers.count(all.last_name) != 0);
    all.buffers[all.last_name] = {};
    names[i] = all.last_name;
  }
}

void glDeleteBuffers(GLsizei count, const GLuint* names) {
  WindowlessContext& all = context();
  if (count < 0) return all.fail(GL_INVALID_VALUE);
  for (GLsizei i = 0; i < count; ++i) {
    all.buffers.erase(names[i]);
    all.were_bound.erase(names[i]);
    for (auto& [target, name] : all.bound) {
      if (name == names[i]) name = 0;
    }
  }
}

void glBindBuffer(GLenum target, GLuint name) {
  WindowlessContext& all = context();
  if (!is_target(target)) return all.fail(GL_INVALID_ENUM);
  if (name != 0) {
    all.buffers.try_emplace(name);
    all.were_bound[name] = true;
  }
  all.bound[target] = name;
}

GLboolean glIsBuffer(GLuint name) {
  return context().were_bound.count(name) != 0 ? GL_TRUE : GL_FALSE;
}

void glBufferData(GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
  BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return;
  if (!is_usage(usage)) return context().fail(GL_INVALID_ENUM);
  if (size < 0) return context().fail(GL_INVALID_VALUE);
  *buffer = {};
  buffer->usage = usage;
  buffer->bytes.resize(static_cast<std::size_t>(size));
  if (data != nullptr && size != 0) std::memcpy(buffer->bytes.data(), data, buffer->bytes.size());
}

void glBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
  unsigned char* const begin = unmapped_range(bound_to(target), offset, size);
  if (begin != nullptr && size != 0) std::memcpy(begin, data, static_cast<std::size_t>(size));
}

void glGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, void* data) {
  const unsigned char* const begin = unmapped_range(bound_to(target), offset, size);
  if (begin != nullptr && size != 0) std::memcpy(data, begin, static_cast<std::size_t>(size));
}

void glCopyBufferSubData(GLenum from, GLenum to, GLintptr from_offset, GLintptr to_offset, GLsizeiptr size) {
  const unsigned char* const source = unmapped_range(bound_to(from), from_offset, size);
  unsigned char* const target = source != nullptr ? unmapped_range(bound_to(to), to_offset, size) : nullptr;
  if (target != nullptr && size != 0) std::memmove(target, source, static_cast<std::size_t>(size));
}

void* glMapBuffer(GLenum target, GLenum access) {
  BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return nullptr;
  if (access != GL_READ_ONLY && access != GL_WRITE_ONLY && access != GL_READ_WRITE) {
    context().fail(GL_INVALID_ENUM);
    return nullptr;
  }
  return map_range(buffer, 0, static_cast<GLsizeiptr>(buffer->bytes.size()), access);
}

void* glMapBufferRange(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access) {
  BufferObject* const buffer = bound_to(target);
  if (buffer != nullptr && (access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) == 0) {
    context().fail(GL_INVALID_OPERATION);
    return nullptr;
  }
  return map_range(buffer, offset, size, access_of(access));
}

void glFlushMappedBufferRange(GLenum target, GLintptr offset, GLsizeiptr size) {
  const BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return;
  if (buffer->mapped == nullptr) return context().fail(GL_INVALID_OPERATION);
  const auto all = static_cast<GLsizeiptr>(buffer->mapped_bytes);
  if (offset < 0 || size < 0 || offset > all || size > all - offset) context().fail(GL_INVALID_VALUE);
}

GLboolean glUnmapBuffer(GLenum target) {
  BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return GL_FALSE;
  if (buffer->mapped == nullptr) {
    context().fail(GL_INVALID_OPERATION);
    return GL_FALSE;
  }
  buffer->mapped = nullptr;
  buffer->mapped_bytes = 0;
  buffer->access = GL_READ_WRITE;
  return GL_TRUE;
}

void glGetBufferParameteriv(GLenum target, GLenum what, GLint* value) {
  const BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return;
  switch (what) {
    case GL_BUFFER_SIZE: *value = static_cast<GLint>(buffer->bytes.size()); break;
    case GL_BUFFER_USAGE: *value = static_cast<GLint>(buffer->usage); break;
    case GL_BUFFER_ACCESS: *value = static_cast<GLint>(buffer->access); break;
    case GL_BUFFER_MAPPED: *value = buffer->mapped != nullptr ? GL_TRUE : GL_FALSE; break;
    default: context().fail(GL_INVALID_ENUM);
  }
}

void glGetBufferPointerv(GLenum target, GLenum what, void** value) {
  const BufferObject* const buffer = bound_to(target);
  if (buffer == nullptr) return;
  if (what != GL_BUFFER_MAP_POINTER) return context().fail(GL_INVALID_ENUM);
  *value = buffer->mapped;
}

void glGetIntegerv(GLenum what, GLint* value) {
  WindowlessContext& all = context();
  const auto* const found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                         [&](const BufferTarget& of) { return of.binding == what; });
  if (found == std::end(kTargets)) return refuse_to_draw("glGetIntegerv");
  *value = static_cast<GLint>(all.bound[found->target]);
}

// The names of the extension that buffers were at first.
void glGenBuffersARB(GLsizei count, GLuint* names) {
  glGenBuffers(count, names);
}
void glDeleteBuffersARB(GLsizei count, const GLuint* names) {
  glDeleteBuffers(count, names);
}
void glBindBufferARB(GLenum target, GLuint name) {
  glBindBuffer(target, name);
}
GLboolean glIsBufferARB(GLuint name) {
  return glIsBuffer(name);
}
void glBufferDataARB(GLenum target, GLsizeiptrARB size, const void* data, GLenum usage) {
  glBufferData(target, size, data, usage);
}
void glBufferSubDataARB(GLenum target, GLintptrARB offset, GLsizeiptrARB size, const void* data) {
  glBufferSubData(target, offset, size, data);
}
void glGetBufferSubDataARB(GLenum target, GLintptrARB offset, GLsizeiptrARB size, void* data) {
  glGetBufferSubData(target, offset, size, data);
}
void* glMapBufferARB(GLenum target, GLenum access) {
  return glMapBuffer(target, access);
}
GLboolean glUnmapBufferARB(GLenum target) {
  return glUnmapBuffer(target);
}
void glGetBufferParameterivARB(GLenum target, GLenum what, GLint* value) {
  glGetBufferParameteriv(target, what, value);
}

}  // extern "C"
