// SPDX-License-Identifier: Apache-2.0
//
// What main() of both commands does about errors that no subcommand answers.
#pragma once

#include <cstdio>
#include <functional>
#include <new>
#include <system_error>

#include "base/text.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools {

/// Prints that there is no memory, and ends the process with 2. It needs none itself. The handler of operator new from
/// the start of the process, unless a subcommand replaces it.
[[noreturn]] void end_without_memory();

/// Prints the reply and returns its status.
inline int print_reply(const Reply& reply) {
  std::fputs(reply.out.c_str(), stdout);
  std::fputs(base::without_controls(reply.err).c_str(), stderr);
  return reply.status;
}

/// What `run` returns; 2 where it lacks memory, files or threads, which is printed.
template <class Run>
int run_main(const char* command, const Run& run) {
  constexpr int kFailed = 2;
  try {
    return run();
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::system_error& error) {  // of files and threads
    std::fprintf(stderr, "%s: %s\n", command, base::without_controls(error.what()).c_str());
  }
  return kFailed;
}

}  // namespace warpfiber::tools
