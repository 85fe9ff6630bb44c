// SPDX-License-Identifier: Apache-2.0
// Scripts by which bash, zsh and fish complete the words of the command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/manual/manual.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::manual {

/// What a script has to know besides the tables.
struct CompletionNames {
  std::vector<std::string> devices;
  std::vector<std::string> findings;
  std::vector<std::string> pages;
};

/// An option as a shell has to know it, own ones and nvcc's.
struct Choice {
  std::vector<std::string> names;
  std::string spelling;  // another name that nobody has to be offered: --color
  bool has_value = false;
  std::string value;  // how help calls it
  std::string meaning;
  Completes completes = Completes::nothing;
  std::vector<std::string> words;  // that complete the value
};

/// Every option that the subcommand accepts.
std::vector<Choice> choices_of(const Subcommand& subcommand, const CompletionNames& names);

/// The words that the subcommand takes besides options; empty: files, or none.
std::vector<std::string> words_of(const Subcommand& subcommand, const CompletionNames& names);

/// Whether these words are files.
bool takes_files(const Subcommand& subcommand);

/// The words with blanks between them.
std::string joined(const std::vector<std::string>& words);

std::string bash_completion(const CompletionNames& names);
std::string zsh_completion(const CompletionNames& names);
std::string fish_completion(const CompletionNames& names);

/// The script for this shell; empty: there is none.
std::string completion(std::string_view shell, const CompletionNames& names);

/// What an installation has of the manual. Writes man pages and scripts of completion below the folder, each where it
/// lies below share. The build calls this once the command is linked.
Reply write_manual(const std::string& folder, const CompletionNames& names);

}  // namespace warpfiber::tools::manual
