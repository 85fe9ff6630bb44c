// SPDX-License-Identifier: Apache-2.0
// Collects the variables of this process that change what a run does, and quotes them as a shell reads them.
#include "base/environment.hpp"

#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include <cctype>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace warpfiber::base {
namespace {

constexpr const char* kOfRuns[] = {"CUDA_VISIBLE_DEVICES",  "WARPFIBER_DEVICE",      "WARPFIBER_DEVICES",
                                   "WARPFIBER_STACK",       "WARPFIBER_WATCHDOG",    "WARPFIBER_ASYNC",
                                   "WARPFIBER_CONVERGENCE", "WARPFIBER_MOST_BLOCKS", "WARPFIBER_MOST_THREADS",
                                   "WARPFIBER_CHECK",       "WARPFIBER_BLAS"};
constexpr const char* kOfSchedules[] = {"WARPFIBER_SEED", "WARPFIBER_POLICY", "WARPFIBER_WORKERS"};

std::string assignment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(name) + "=" + shell_quoted(value) + " ";
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain = "/._-+=:,@%";
  bool plain = !word.empty();
  for (const char c : word)
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos);
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool wants_colour(int descriptor) {
  return ::isatty(descriptor) == 1 && std::getenv("NO_COLOR") == nullptr;
}

std::string run_variables(bool schedule) {
  std::string variables;
  for (const char* name : kOfRuns) variables += assignment(name);
  if (!schedule) return variables;
  for (const char* name : kOfSchedules) variables += assignment(name);
  return variables;
}

// Reads /proc/self/exe, and where that is not mounted the name that execve() was given, from the auxiliary vector.
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
