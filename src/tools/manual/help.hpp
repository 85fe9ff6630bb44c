// SPDX-License-Identifier: Apache-2.0
// What --help and `warpfiber help` print, and man pages, which share rows with it.
#pragma once

#include <string>
#include <vector>

#include "tools/manual/manual.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::manual {

/// An option as a reader sees it: "-o, --output-file FILE", and what it means.
struct HelpRow {
  std::string names;
  std::string value;  // empty: none
  std::string meaning;
};

/// The subcommand's own options.
std::vector<HelpRow> rows_of(const Subcommand& subcommand);

/// nvcc's options that have an effect; the most used only, by their short names, or all.
std::vector<HelpRow> nvcc_rows(bool is_short);

/// The names of nvcc's options that are accepted without effect.
std::vector<std::string> ignored_names();

/// The help of one subcommand, of the name that it has in the table.
std::string help_of(std::string_view subcommand);

/// The help of the users' command itself: all subcommands.
std::string help_of_command();
/// The same of the developers' one.
std::string help_of_developers_command();

/// The man page of a subcommand: "warpfiber-check".
std::string page_name(const Subcommand& subcommand);

/// `warpfiber help` with the word behind it: of the command where it is empty, of one subcommand, or the exit codes of
/// all.
Reply help(const std::string& word);

/// The text that --version prints.
std::string version();

/// "'chekc' is no command; did you mean 'check'?", or the same of an option, with a line that says where commands are
/// listed; or which other command has a subcommand of this name.
Reply unknown_command(std::string_view command, const std::string& word);

/// Man pages, in the macros of man(7): warpfiber-<subcommand>.1
std::string man_page(const Subcommand& subcommand);

/// warpfiber.1
std::string man_page_of_command();
std::string man_page_of_developers_command();

}  // namespace warpfiber::tools::manual
