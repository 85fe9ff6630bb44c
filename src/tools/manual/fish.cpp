// SPDX-License-Identifier: Apache-2.0
//
// The script for fish.
#include "tools/manual/completion.hpp"

namespace warpfiber::tools::manual {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') word += '\\';
    word += c;
  }
  return word + "'";
}

/// Long, one letter, or a word behind one dash.
std::string flag_of(const std::string& name) {
  if (name.starts_with("--")) return " -l " + name.substr(2);
  return (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
}

std::string value_of(const Choice& choice) {
  if (!choice.has_value) return {};
  switch (choice.completes) {
    case Completes::file: return " -r -F";
    case Completes::folder: return " -x -a '(__fish_complete_directories)'";
    case Completes::words: return " -x -a " + fish_quoted(joined(choice.words));
    case Completes::device: return " -r -F -a " + fish_quoted(joined(choice.words));
    default: return " -x";
  }
}

std::string lines_of(const Subcommand& subcommand, const CompletionNames& names) {
  const std::string name(subcommand.name);
  const std::string begin = "complete -c warpfiber -n '__warpfiber_is " + name + "'";
  std::string text =
      "complete -c warpfiber -n '__warpfiber_is' -f -a " + name + " -d " + fish_quoted(subcommand.summary) + "\n";
  for (const Choice& choice : choices_of(subcommand, names)) {
    text += begin;
    for (const std::string& each : choice.names) text += flag_of(each);
    text += value_of(choice) + " -d " + fish_quoted(choice.meaning) + "\n";
  }
  const std::vector<std::string> words = words_of(subcommand, names);
  const std::string files = takes_files(subcommand) ? " -F" : " -f";
  return text + begin + files + (words.empty() ? "" : " -a " + fish_quoted(joined(words))) + "\n";
}

}  // namespace

std::string fish_completion(const CompletionNames& names) {
  std::string text =
      "# fish completion for warpfiber, printed by `warpfiber completion fish`\n\n"
      "function __warpfiber_is  # whether this command is named; without one: whether none is\n"
      "    set -l words (commandline -opc)\n"
      "    if test (count $argv) -eq 0\n        test (count $words) -eq 1\n"
      "    else\n        test (count $words) -gt 1; and test $words[2] = $argv[1]\n    end\n"
      "end\n\n";
  for (const OptionHelp& option : command_options()) {
    text += "complete -c warpfiber -n '__warpfiber_is' -f" + flag_of(std::string(option.name)) +
            flag_of(std::string(option.other)) + " -d " + fish_quoted(option.meaning) + "\n";
  }
  for (const Subcommand& subcommand : subcommands()) text += lines_of(subcommand, names);
  return text;
}

}  // namespace warpfiber::tools::manual
