// SPDX-License-Identifier: Apache-2.0
//
// The script for bash. It needs nothing but bash itself.
#include "tools/manual/completion.hpp"

namespace warpfiber::tools::manual {
namespace {

constexpr std::string_view kHead = R"(# bash completion for warpfiber, printed by `warpfiber completion bash`

_warpfiber_words() {  # offers those of the words that begin like $2
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$2")
}

_warpfiber_files() {  # -f: files and folders, -d: folders
  local word
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$2")
}

_warpfiber() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} at
  COMPREPLY=()
  # readline hands over --name=value as three words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]] && ((COMP_CWORD > 2)); then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((at = 2; at < COMP_CWORD; ++at)); do
    if [[ ${COMP_WORDS[at]} == -- ]]; then
      _warpfiber_files -f "$word"
      return
    fi
  done
)";

std::string word_list(const std::vector<std::string>& words) {
  return "\"" + joined(words) + "\"";
}

std::string pattern(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " | ") + name;
  return text;
}

std::string answer(const Choice& choice) {
  switch (choice.completes) {
    case Completes::file: return "_warpfiber_files -f \"$word\"; ";
    case Completes::folder: return "_warpfiber_files -d \"$word\"; ";
    case Completes::words: return "_warpfiber_words " + word_list(choice.words) + " \"$word\"; ";
    case Completes::device:
      return "_warpfiber_words " + word_list(choice.words) + " \"$word\"; _warpfiber_files -f \"$word\"; ";
    default: return {};
  }
}

std::string bash_case(const Subcommand& subcommand, const CompletionNames& names) {
  std::string values;
  std::vector<std::string> options;
  for (const Choice& choice : choices_of(subcommand, names)) {
    options.insert(options.end(), choice.names.begin(), choice.names.end());
    std::vector<std::string> spellings = choice.names;
    if (!choice.spelling.empty()) spellings.push_back(choice.spelling);
    if (choice.has_value) values += "        " + pattern(spellings) + ") " + answer(choice) + "return ;;\n";
  }
  std::string text = "    " + std::string(subcommand.name) + ")\n";
  if (!values.empty()) text += "      case $before in\n" + values + "      esac\n";
  text += "      if [[ $word == -* ]]; then\n        _warpfiber_words " + word_list(options) +
          " \"$word\"\n        return\n      fi\n";
  const std::vector<std::string> words = words_of(subcommand, names);
  if (!words.empty()) text += "      ((COMP_CWORD == 2)) && _warpfiber_words " + word_list(words) + " \"$word\"\n";
  if (takes_files(subcommand)) text += "      _warpfiber_files -f \"$word\"\n";
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const CompletionNames& names) {
  std::vector<std::string> first;
  for (const Subcommand& subcommand : subcommands()) first.emplace_back(subcommand.name);
  for (const OptionHelp& option : command_options()) first.emplace_back(option.name), first.emplace_back(option.other);
  std::string text(kHead);
  text += "  if ((COMP_CWORD == 1)); then\n    _warpfiber_words " + word_list(first) + " \"$word\"\n    return\n  fi\n";
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const Subcommand& subcommand : subcommands()) text += bash_case(subcommand, names);
  return text + "  esac\n}\n\ncomplete -F _warpfiber warpfiber\n";
}

}  // namespace warpfiber::tools::manual
