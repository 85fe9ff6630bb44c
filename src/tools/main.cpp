// SPDX-License-Identifier: Apache-2.0
//
// The command `warpfiber`: hands its arguments to tools::command and prints the reply. Nothing else lives here, so that
// tests call the command without a process.
// The subcommands that build run other programs, which print for themselves; their arguments are nvcc's, not ours.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "tools/check/check.hpp"
#include "tools/command.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/doctor/doctor.hpp"
#include "tools/gdb.hpp"
#include "tools/merge/merge.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/options/run_main.hpp"
#include "tools/profile/profile.hpp"
#include "tools/run.hpp"
#include "tools/step.hpp"
#include "tools/toolkit/doors.hpp"

namespace {

int run_command(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string own_name = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  // Build systems that want one word for the compiler call the link warpfiber-nvcc, or nvcc in a toolkit's bin.
  const bool is_compiler = own_name.ends_with("warpfiber-nvcc") || own_name == "nvcc";
  const std::string subcommand = arguments.empty() ? "" : arguments.front();
  constexpr std::string_view kStarting[] = {"check", "crosscheck", "doctor", "gdb", "nvcc", "profile", "run", "step"};
  const bool is_door = warpfiber::tools::toolkit::is_door(own_name);
  if (is_compiler || is_door || std::ranges::find(kStarting, subcommand) != std::end(kStarting))
    warpfiber::tools::nvcc::hand_on_signals();
  if (is_compiler) return warpfiber::tools::nvcc::nvcc(arguments);
  if (is_door) return warpfiber::tools::toolkit::run_door(own_name, arguments);
  if (subcommand == "check") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::check::check(arguments);
  }
  if (subcommand == "merge") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::merge::merge(arguments);
  }
  if (subcommand == "crosscheck") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::crosscheck::crosscheck(arguments);
  }
  if (subcommand == "doctor") {
    arguments.erase(arguments.begin());
    return warpfiber::tools::doctor::doctor(arguments);
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
  return warpfiber::tools::print_reply(warpfiber::tools::command(arguments));
}

}  // namespace

int main(int argc, char** argv) {
  // What runs kernels in this process may go on without the memory that it asks for.
  const std::string_view subcommand = argc < 2 ? "" : argv[1];
  if (subcommand == "crosscheck") std::set_new_handler(nullptr);
  return warpfiber::tools::run_main("warpfiber", [&] { return run_command(argc, argv); });
}
