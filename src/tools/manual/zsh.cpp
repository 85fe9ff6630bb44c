// SPDX-License-Identifier: Apache-2.0
//
// The script for zsh: a function that its own completion calls, also where the script is sourced.
#include "tools/manual/completion.hpp"

namespace warpfiber::tools::manual {
namespace {

/// In single quotes, with the characters escaped that _arguments and _describe read.
std::string zsh_quoted(std::string_view text, std::string_view special) {
  std::string word;
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
      continue;
    }
    if (c == '\\' || special.find(c) != std::string_view::npos) word += '\\';
    word += c;
  }
  return word;
}

std::string action(const Choice& choice) {
  switch (choice.completes) {
    case Completes::file: return "_files";
    case Completes::folder: return "_files -/";
    case Completes::words: return "(" + zsh_quoted(joined(choice.words), ":") + ")";
    case Completes::device: return "{ compadd " + joined(choice.words) + "; _files }";
    default: return " ";
  }
}

std::string specifications(const Choice& choice) {
  std::string text;
  for (const std::string& name : choice.names) {
    text += " \\\n        '*" + name;
    // A value may follow at once: -Iinclude, --json=file.
    if (choice.has_value) text += name.size() == 2 ? "+" : "=";
    text += "[" + zsh_quoted(choice.meaning, "[]") + "]";
    if (choice.has_value) text += ":" + zsh_quoted(choice.value, "[]:") + ":" + action(choice);
    text += "'";
  }
  return text;
}

std::string zsh_case(const Subcommand& subcommand, const CompletionNames& names) {
  std::string text = "    " + std::string(subcommand.name) + ")\n      _arguments -S";
  for (const Choice& choice : choices_of(subcommand, names)) text += specifications(choice);
  const std::vector<std::string> words = words_of(subcommand, names);
  if (!words.empty()) text += " \\\n        '1:name:(" + joined(words) + ")'";
  if (takes_files(subcommand)) text += " \\\n        '*:file:_files'";
  return text + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const CompletionNames& names) {
  std::string text =
      "#compdef warpfiber\n"
      "# zsh completion for warpfiber, printed by `warpfiber completion zsh`\n\n"
      "_warpfiber() {\n  local -a commands\n  commands=(\n";
  for (const Subcommand& subcommand : subcommands()) {
    text += "    '" + std::string(subcommand.name) + ":" + zsh_quoted(subcommand.summary, ":") + "'\n";
  }
  text += "  )\n  if ((CURRENT == 2)); then\n    _describe -t commands command commands\n    compadd -S ' ' --";
  for (const OptionHelp& option : command_options()) text += " " + std::string(option.name);
  text +=
      "\n    return\n  fi\n"
      "  shift words\n  ((CURRENT--))\n"
      "  case $words[1] in\n";
  for (const Subcommand& subcommand : subcommands()) text += zsh_case(subcommand, names);
  return text +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _warpfiber ]]; then\n  _warpfiber \"$@\"\nelse\n  compdef _warpfiber warpfiber\nfi\n";
}

}  // namespace warpfiber::tools::manual
