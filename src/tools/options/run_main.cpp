// SPDX-License-Identifier: Apache-2.0
//
// Static objects are made before main(), so the handler is set before them. Linked into the commands and no test.
#include "tools/options/run_main.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace warpfiber::tools {
namespace {

__attribute__((constructor(101))) void expect_to_lack_memory() {
  std::set_new_handler(end_without_memory);
}

}  // namespace

// An exception needs memory as well.
void end_without_memory() {
  constexpr int kFailed = 2;
  constexpr std::string_view kText = ": there is no memory left\n";
  const std::string_view name = program_invocation_short_name;
  static_cast<void>(!::write(STDERR_FILENO, name.data(), name.size()));
  static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  ::_exit(kFailed);
}

}  // namespace warpfiber::tools
