// SPDX-License-Identifier: Apache-2.0
//
// Runs the subcommand that was named, with its parser where it has one of CLI11.
#include "tools/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <warpfiber/device.hpp>

#include "base/system/own_program.hpp"
#include "tools/explain/explain.hpp"
#include "tools/fidelity/fidelity.hpp"
#include "tools/manual/command_line.hpp"
#include "tools/manual/help.hpp"
#include "tools/manual/options.hpp"
#include "tools/manual/write.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/subcommands.hpp"

namespace warpfiber::tools {
namespace {

using CommandWords = std::vector<std::string>;

constexpr int kUnknownShell = 2;
// The build calls this; no help mentions it.
constexpr std::string_view kWriteManual = "--write-manual";

/// The parser of a subcommand that has no option of its own but at most one word.
template <class Answer>
Reply answer_word(const manual::Subcommand& subcommand, const CommandWords& words, const Answer& answer) {
  CLI::App app;
  std::string word;
  app.add_option("word", word);
  if (auto parted = parse_words(app, subcommand, words)) return *parted;
  return answer(word);
}

Reply answer_occupancy(const manual::Subcommand& subcommand, const CommandWords& words) {
  CLI::App app;
  OccupancyRequest request;
  declare(app, subcommand, "--device", request.device);
  declare(app, subcommand, "--block", request.block)->required()->check(CLI::PositiveNumber);
  declare(app, subcommand, "--registers", request.kernel.registers_per_thread);
  declare(app, subcommand, "--shared", request.kernel.static_shared);
  declare(app, subcommand, "--dynamic-shared", request.dynamic_shared);
  if (auto parted = parse_words(app, subcommand, words)) return *parted;
  return occupancy(request);
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
  if (subcommand.name == "occupancy") return answer_occupancy(subcommand, words);
  if (subcommand.name == "fidelity") return fidelity::fidelity(words);
  if (subcommand.name == "explain") return answer_word(subcommand, words, answer_page);
  if (subcommand.name == "completion") return answer_word(subcommand, words, answer_completion);
  return manual::help(words);
}

}  // namespace

Reply command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return manual::help({});
  const std::string& word = arguments.front();
  if (manual::kHelp.is_called(word)) return manual::help({});
  if (manual::kVersion.is_called(word)) return {0, manual::version(), ""};
  if (word == kWriteManual && arguments.size() == 2) return manual::write_manual(arguments[1], names_to_complete());
  const manual::Subcommand* const subcommand = manual::find_subcommand(word);
  if (subcommand == nullptr) return manual::unknown_command(word);
  return answer(*subcommand, {arguments.begin() + 1, arguments.end()});
}

}  // namespace warpfiber::tools
