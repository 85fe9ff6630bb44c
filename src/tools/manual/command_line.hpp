// SPDX-License-Identifier: Apache-2.0
//
// Where the words of a command line and what CLI11 throws become a reply. Options are declared by their names in the
// manual's tables; help and version are answered from there.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/contract.hpp"
#include "tools/manual/manual.hpp"
#include "tools/options/reply.hpp"

namespace warpfiber::tools {

/// Makes an option of the manual's table one of the parser's, which reads it into `to`.
template <class To>
CLI::Option* declare(CLI::App& app, const manual::Subcommand& subcommand, std::string_view name, To& to) {
  WARPFIBER_CONTRACT(manual::find_option(subcommand.options, name) != nullptr, "every option is in the manual");
  return app.add_option(std::string(name), to);
}

/// The same for an option without a value, which sets `to`.
inline CLI::Option* declare_flag(CLI::App& app, const manual::Subcommand& subcommand, std::string_view name, bool& to) {
  WARPFIBER_CONTRACT(manual::find_option(subcommand.options, name) != nullptr, "every option is in the manual");
  return app.add_flag(std::string(name), to);
}

/// Parses the words behind the subcommand. A reply if nothing more is to be done: exit code 0 for help and version, 2
/// for wrong usage.
std::optional<Reply> parse_words(CLI::App& app, const manual::Subcommand& subcommand, std::vector<std::string> words);

}  // namespace warpfiber::tools
