// SPDX-License-Identifier: Apache-2.0
//
// The command `warpfiber-dev`, for those who work on Warpfiber: random kernels, and recordings of a GPU.
#include <algorithm>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/fuzz/fuzz.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/options/run_main.hpp"

namespace {

namespace tools = warpfiber::tools;

tools::Reply fuzz(const std::vector<std::string>& arguments) {
  // The only one of its options that starts compilers.
  if (std::ranges::find(arguments, "--regions") != arguments.end()) tools::nvcc::hand_on_signals();
  const std::filesystem::path own = warpfiber::base::own_program();
  return tools::fuzz::fuzz(arguments, own.parent_path().parent_path());
}

int run_command(std::vector<std::string> arguments) {
  const std::string word = arguments.empty() ? "--help" : arguments.front();
  if (word == "help" && arguments.size() == 2) return tools::print_reply(tools::manual::help(arguments[1]));
  if (word == "--help" || word == "-h" || word == "help")
    return tools::print_reply({0, tools::manual::help_of_developers_command(), ""});
  if (word == "--version" || word == "-V") return tools::print_reply({0, tools::manual::version(), ""});
  arguments.erase(arguments.begin());
  if (word == "fuzz") return tools::print_reply(fuzz(arguments));
  if (word != "record") return tools::print_reply(tools::manual::unknown_command("warpfiber-dev", word));
  tools::nvcc::hand_on_signals();
  return tools::crosscheck::record(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  // What runs kernels in this process may go on without the memory that it asks for.
  std::set_new_handler(nullptr);
  return tools::run_main("warpfiber-dev", [&] { return run_command({argv + 1, argv + argc}); });
}
