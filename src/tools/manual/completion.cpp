// SPDX-License-Identifier: Apache-2.0
//
// Fills the templates of the three shells from the tables of options, of the command and of nvcc.
#include "tools/manual/completion.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "tools/manual/nvcc_words.hpp"

namespace warpfiber::tools::manual {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

Choice choice_of(const OptionHelp& option, const CompletionNames& names) {
  Choice choice;
  choice.names.emplace_back(option.name);
  if (option.other.size() == 2) choice.names.emplace_back(option.other);
  if (option.other.size() > 2) choice.spelling = option.other;
  choice.has_value = option.has_value();
  choice.value = option.value;
  choice.meaning = option.meaning;
  choice.completes = option.completes;
  choice.words = option.completes == Completes::device ? names.devices : split(option.words, ' ');
  return choice;
}

Choice choice_of(const nvcc::NvccOption& option) {
  const NvccWords* const words = words_of(option.id);
  Choice choice;
  for (const std::string_view name : {option.short_name, option.long_name}) {
    if (!name.empty() && std::ranges::find(choice.names, name) == choice.names.end()) choice.names.emplace_back(name);
  }
  choice.has_value = option.value == nvcc::OptionValue::required;
  choice.value = words != nullptr ? std::string(words->value) : "VALUE";
  choice.meaning = words != nullptr ? std::string(words->meaning) : "accepted without effect";
  choice.completes = words != nullptr ? words->completes : Completes::nothing;
  if (words != nullptr && !words->words.empty()) choice.words = split(words->words, ' ');
  if (!option.choices.empty() && option.choices != nvcc::kNumber) {
    choice.completes = Completes::words;
    choice.words = split(option.choices, '|');
  }
  return choice;
}

}  // namespace

std::vector<Choice> choices_of(const Subcommand& subcommand, const CompletionNames& names) {
  std::vector<Choice> choices;
  for (const OptionHelp& option : subcommand.options) choices.push_back(choice_of(option, names));
  if (!subcommand.takes_nvcc) return choices;
  for (const nvcc::NvccOption& option : nvcc::kOptions) {
    Choice choice = choice_of(option);
    // Where both have an option of this name, the subcommand's own is the one that is read.
    std::erase_if(choice.names,
                  [&subcommand](const std::string& name) { return find_option(subcommand.options, name) != nullptr; });
    if (!choice.names.empty() && option.id != nvcc::Id::not_modelled) choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<std::string> words_of(const Subcommand& subcommand, const CompletionNames& names) {
  std::vector<std::string> words;
  switch (subcommand.words) {
    case Operands::device: return names.devices;
    case Operands::shell: return {"bash", "zsh", "fish"};
    case Operands::page:
      words = names.findings;
      words.insert(words.end(), names.pages.begin(), names.pages.end());
      return words;
    case Operands::command:
      for (const Subcommand& each : subcommands()) words.emplace_back(each.name);
      words.emplace_back("exit-codes");
      return words;
    default: return words;
  }
}

bool takes_files(const Subcommand& subcommand) {
  return subcommand.words == Operands::files || subcommand.words == Operands::programs ||
         subcommand.words == Operands::sources || subcommand.words == Operands::device;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string completion(std::string_view shell, const CompletionNames& names) {
  if (shell == "bash") return bash_completion(names);
  if (shell == "zsh") return zsh_completion(names);
  return shell == "fish" ? fish_completion(names) : std::string();
}

}  // namespace warpfiber::tools::manual
