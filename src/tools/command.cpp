// SPDX-License-Identifier: Apache-2.0
//
// Runs the subcommand that was named.
#include "tools/command.hpp"

#include <algorithm>
#include <warpfiber/device.hpp>

#include "base/environment.hpp"
#include "tools/explain/explain.hpp"
#include "tools/fidelity/fidelity.hpp"
#include "tools/manual/command_line.hpp"
#include "tools/manual/completion.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools {
namespace {

using CommandWords = std::vector<std::string>;

constexpr int kUnknownShell = 2;
// The build calls this; no help mentions it.
constexpr std::string_view kWriteManual = "--write-manual";

/// Of a subcommand that has no option of its own but at most one word.
template <class Answer>
Reply answer_word(const manual::Subcommand& subcommand, const CommandWords& words, const Answer& answer) {
  std::string word;
  if (auto reply = manual::parse_operand(subcommand, words, word)) return *reply;
  return answer(word);
}

/// Where the pages are. Empty where this command is not where it was installed.
std::string folder_of_pages() {
  return nvcc::find_toolchain(base::own_program()).pages;
}

manual::CompletionNames names_to_complete() {
  manual::CompletionNames names{{}, explain::finding_ids(), explain::pages_in(folder_of_pages())};
  for (const DeviceModel& model : device_models()) {
    names.devices.push_back(model.name);
    std::ranges::replace(names.devices.back(), ' ', '-');  // which names it as well, without quotes
  }
  return names;
}

Reply answer_completion(const std::string& shell) {
  const std::string script = manual::completion(shell, names_to_complete());
  if (!script.empty()) return {0, script, ""};
  return {kUnknownShell, "", "warpfiber completion: name a shell: bash, zsh or fish\n"};
}

Reply answer_page(const std::string& word) {
  return explain::explain(word, folder_of_pages(), explain::view_of_output());
}

Reply answer(const manual::Subcommand& subcommand, const CommandWords& words) {
  if (subcommand.name == "devices") return answer_word(subcommand, words, devices);
  if (subcommand.name == "occupancy") return occupancy(words);
  if (subcommand.name == "fidelity") return fidelity::fidelity(words);
  if (subcommand.name == "explain") return answer_word(subcommand, words, answer_page);
  if (subcommand.name == "completion") return answer_word(subcommand, words, answer_completion);
  return answer_word(subcommand, words, manual::help);
}

}  // namespace

Reply command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return manual::help("");
  const std::string& word = arguments.front();
  if (manual::kHelp.is_called(word)) return manual::help("");
  if (manual::kVersion.is_called(word)) return {0, manual::version(), ""};
  if (word == kWriteManual && arguments.size() == 2) return manual::write_manual(arguments[1], names_to_complete());
  const manual::Subcommand* const subcommand = manual::find_subcommand(word);
  if (subcommand == nullptr || subcommand->command != manual::kUsersCommand)
    return manual::unknown_command(manual::kUsersCommand, word);
  return answer(*subcommand, {arguments.begin() + 1, arguments.end()});
}

}  // namespace warpfiber::tools
