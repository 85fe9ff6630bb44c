// SPDX-License-Identifier: Apache-2.0
//
// The command line as data: subcommands with their usage, options, examples and exit codes. Help, man pages and shell
// completion are printed from it (help.hpp, pages.hpp, completion.hpp), and parsers accept the options that it lists.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/options/option.hpp"

namespace warpfiber::tools::manual {

struct Example {
  std::string_view command;
  std::string_view meaning;
};

struct ExitCode {
  std::string_view code;  // "0", "128 + N"
  std::string_view meaning;
};

/// What the words are that are no options.
enum class Operands { none, files, programs, sources, device, page, shell, command };

/// The two commands: that of users, and that of those who work on Warpfiber.
inline constexpr std::string_view kUsersCommand = "warpfiber";
inline constexpr std::string_view kDevelopersCommand = "warpfiber-dev";

struct Subcommand {
  std::string_view name = {};
  std::string_view command = kUsersCommand;
  std::string_view summary = {};                 // one line, without a full stop
  std::span<const std::string_view> usage = {};  // what follows the name, one line each
  std::string_view description = {};             // sentences
  std::span<const OptionHelp> options = {};
  bool takes_nvcc = false;  // also every option of nvcc's
  Operands words = Operands::none;
  std::span<const Example> examples = {};
  std::span<const ExitCode> exit_codes = {};
  std::span<const std::string_view> pages = {};  // of docs, as `warpfiber explain` names them
};

/// All of a command, in the order in which help lists them.
std::span<const Subcommand> subcommands(std::string_view command = kUsersCommand);

/// The one with this name, which no two have; null: none.
const Subcommand* find_subcommand(std::string_view name);

/// "warpfiber check"
std::string full_name(const Subcommand& subcommand);
/// The same by the name of the subcommand, which is there.
std::string full_name(std::string_view subcommand);

/// The options of the command itself, before any subcommand.
std::span<const OptionHelp> command_options();

/// The candidate that differs from the word in at most two letters, or one of a short word; empty: none does.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'check'?", or nothing where no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// What is wrong with a command line, with the option that is meant where `unknown` is near to one; `unknown` empty:
/// the complaint as it is.
std::string with_suggestion(const std::string& complaint, const std::string& unknown, std::string_view subcommand);

/// The names of all options of a subcommand, nvcc's among them where it takes those.
std::vector<std::string> option_names(const Subcommand& subcommand);

}  // namespace warpfiber::tools::manual
