// SPDX-License-Identifier: Apache-2.0
// Runs a piece of a test in a forked child, for what ends a process or changes its signal handlers. What the child
// writes to standard error comes back as text.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "support/catch.hpp"

namespace warpfiber::test {

struct ChildEnd {
  std::string text;
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
};

inline std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 256> part;
  for (ssize_t size; (size = ::read(descriptor, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

/// Calls `body` in a child; its result is the child's exit code.
template <class Body>
ChildEnd in_child(Body body) {
  std::array<int, 2> ends;
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(body());
  }
  ::close(ends[1]);
  ChildEnd end;
  end.text = read_to_end(ends[0]);
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace warpfiber::test
