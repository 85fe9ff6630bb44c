// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/self/exe, and where that is not mounted the name that execve() was given, from the auxiliary vector.
#include "base/system/own_program.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>

#ifdef __linux__
#include <sys/auxv.h>
#endif

namespace warpfiber::base {

std::string own_program() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size > 0) return {path, static_cast<std::size_t>(size)};
#ifdef __linux__
  // As it was given to execve(), which may be relative to where the process began.
  const auto* given = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (given != nullptr && realpath(given, path) != nullptr) return path;
#endif
  return {};
}

}  // namespace warpfiber::base
