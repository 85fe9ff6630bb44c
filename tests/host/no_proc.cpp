// SPDX-License-Identifier: Apache-2.0
// Loaded before the C library: nothing of /proc can be opened or read, as where it is not mounted.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace {

bool is_of_proc(const char* path) {
  return std::strncmp(path, "/proc", 5) == 0;
}

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Result>
Result missing(Result nothing) {
  errno = ENOENT;
  return nothing;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return is_of_proc(path) ? missing(-1) : next(&open, "open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return is_of_proc(path) ? missing(-1) : next(&open64, "open64")(path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return is_of_proc(path) ? missing<FILE*>(nullptr) : next(&fopen, "fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return is_of_proc(path) ? missing<FILE*>(nullptr) : next(&fopen64, "fopen64")(path, mode);
}

ssize_t readlink(const char* path, char* to, size_t size) {
  return is_of_proc(path) ? missing<ssize_t>(-1) : next(&readlink, "readlink")(path, to, size);
}

}  // extern "C"
