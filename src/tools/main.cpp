// SPDX-License-Identifier: Apache-2.0
//
// The command `warpfiber`: hands its arguments to tools::command and prints the reply. Nothing else lives here, so that
// tests call the command without a process.
// The subcommands that build run other programs, which print for themselves; their arguments are nvcc's, not ours.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/system/own_program.hpp"
#include "base/text.hpp"
#include "tools/check/check.hpp"
#include "tools/command.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/fuzz/fuzz.hpp"
#include "tools/gdb/gdb.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/profile/profile.hpp"
#include "tools/run/run.hpp"
#include "tools/step/step.hpp"

namespace {

warpfiber::tools::Reply fuzzed(std::vector<std::string> arguments) {
  arguments.erase(arguments.begin());
  // The only one of its options that starts compilers.
  if (std::ranges::find(arguments, "--regions") != arguments.end()) warpfiber::tools::nvcc::hand_on_signals();
  const std::filesystem::path own = warpfiber::base::own_program();
  return warpfiber::tools::fuzz::fuzz(arguments, own.parent_path().parent_path());
}

int run_command(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string own_name = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  // Build systems that want one word for the compiler call the link warpfiber-nvcc, or nvcc in a toolkit's bin.
  const bool is_compiler = own_name.ends_with("warpfiber-nvcc") || own_name == "nvcc";
  const std::string subcommand = arguments.empty() ? "" : arguments.front();
  constexpr std::string_view kStarting[] = {"check", "crosscheck", "gdb", "nvcc", "profile", "run", "step"};
  if (is_compiler || std::ranges::find(kStarting, subcommand) != std::end(kStarting))
    warpfiber::tools::nvcc::hand_on_signals();
  if (is_compiler) return warpfiber::tools::nvcc::nvcc(arguments);
  if (subcommand == "check") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::check::check(arguments);
  }
  if (subcommand == "crosscheck") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::crosscheck::crosscheck(arguments);
  }
  if (subcommand == "profile") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::profile::profile(arguments);
  }
  if (subcommand == "gdb") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::gdb::gdb(arguments);
  }
  if (subcommand == "step") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::step::step(arguments);
  }
  if (subcommand == "nvcc" || subcommand == "run") {
    arguments.erase(arguments.begin());
    return subcommand == "nvcc" ? warpfiber::tools::nvcc::nvcc(arguments) : warpfiber::tools::run::run(arguments);
  }
  const warpfiber::tools::Reply reply =
      subcommand == "fuzz" ? fuzzed(std::move(arguments)) : warpfiber::tools::command(arguments);
  std::fputs(reply.out.c_str(), stdout);
  std::fputs(warpfiber::base::without_controls(reply.err).c_str(), stderr);
  return reply.status;
}

constexpr int kFailed = 2;

/// An exception needs memory as well.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kText = "warpfiber: there is no memory left\n";
  static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  ::_exit(kFailed);
}

/// Static objects are made before main().
__attribute__((constructor(101))) void expect_to_lack_memory() {
  std::set_new_handler(end_without_memory);
}

}  // namespace

int main(int argc, char** argv) {
  // What runs kernels in this process may go on without the memory that it asks for.
  const std::string_view subcommand = argc < 2 ? "" : argv[1];
  if (subcommand == "fuzz" || subcommand == "crosscheck") std::set_new_handler(nullptr);
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::system_error& error) {  // of files and threads
    std::fprintf(stderr, "warpfiber: %s\n", warpfiber::base::without_controls(error.what()).c_str());
  }
  return kFailed;
}
