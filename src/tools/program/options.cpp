// SPDX-License-Identifier: Apache-2.0
//
// What is printed where a command line asks for no program.
#include "tools/program/options.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "tools/manual/help.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::program {

std::optional<int> answer_without_program(std::string_view subcommand, const ProgramOptions& options,
                                          const std::string& error) {
  constexpr int kWrongUsage = 2;
  if (!error.empty()) {
    std::fprintf(stderr, "%s: %s\n", manual::full_name(subcommand).c_str(), base::without_controls(error).c_str());
    return kWrongUsage;
  }
  if (options.help) return print(manual::help_of(subcommand));
  if (options.version) return print(manual::version());
  return std::nullopt;
}

}  // namespace warpfiber::tools::program
