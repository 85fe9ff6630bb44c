// SPDX-License-Identifier: Apache-2.0
//
// Lays the tables of manual.hpp out in two columns, at the width that report/columns.hpp gives.
#include "tools/manual/help.hpp"

#include <algorithm>
#include <utility>

#include "report/columns.hpp"
#include "tools/manual/nvcc_words.hpp"

namespace warpfiber::tools::manual {
namespace {

constexpr std::size_t kWidth = 80;  // of a terminal as it comes
constexpr std::size_t kNames = 24;  // columns of what stands before a meaning
constexpr std::size_t kCodes = 11;
constexpr int kWrongUsage = 2;

std::string paragraph(std::string_view text) {
  std::string lines;
  for (const std::string& line : report::wrapped(text, kWidth)) lines += line + "\n";
  return lines;
}

/// Two columns; a first one that is too wide has a line of its own.
std::string entry(const std::string& first, std::string_view second, std::size_t width) {
  std::string text = "  " + report::padded(first, width);
  const bool is_wide = report::columns(first) + 1 > width;
  bool is_first = !is_wide;
  if (is_wide) text += "\n";
  for (const std::string& line : report::wrapped(second, kWidth - 2 - width)) {
    text += (is_first ? "" : std::string(2 + width, ' ')) + line + "\n";
    is_first = false;
  }
  return text;
}

std::string entries(const std::vector<HelpRow>& rows) {
  std::string text;
  for (const HelpRow& row : rows)
    text += entry(row.value.empty() ? row.names : row.names + " " + row.value, row.meaning, kNames);
  return text;
}

std::string usage_of(const Subcommand& subcommand) {
  std::string text;
  for (const std::string_view line : subcommand.usage) {
    text += (text.empty() ? "usage: " : "       ") + full_name(subcommand);
    text += " " + std::string(line) + "\n";
  }
  return text;
}

std::string nvcc_part(const Subcommand& subcommand) {
  if (!subcommand.takes_nvcc) return {};
  if (subcommand.name != "nvcc") {
    return "\nnvcc's options, of which these are used most (warpfiber nvcc --help lists all):\n" +
           entries(nvcc_rows(true));
  }
  std::string text = "\noptions:\n" + entries(nvcc_rows(false)) + "\naccepted without effect:\n";
  std::string ignored;
  for (const std::string& name : ignored_names()) ignored += (ignored.empty() ? "" : ", ") + name;
  for (const std::string& line : report::wrapped(ignored, kWidth - 2)) text += "  " + line + "\n";
  return text;
}

std::string examples_of(const Subcommand& subcommand) {
  std::string text = "\nexamples:\n";
  for (const Example& example : subcommand.examples) {
    text += "  " + std::string(example.command) + "\n";
    for (const std::string& line : report::wrapped(example.meaning, kWidth - 6)) text += "      " + line + "\n";
  }
  return text;
}

std::string codes_of(const Subcommand& subcommand) {
  std::string text;
  for (const ExitCode& code : subcommand.exit_codes) text += entry(std::string(code.code), code.meaning, kCodes);
  return text;
}

std::string exit_codes() {
  std::string text;
  for (const Subcommand& subcommand : subcommands()) {
    text += (text.empty() ? "" : "\n") + full_name(subcommand) + "\n" + codes_of(subcommand);
  }
  return text;
}

}  // namespace

std::vector<HelpRow> rows_of(const Subcommand& subcommand) {
  std::vector<HelpRow> rows;
  for (const OptionHelp& option : subcommand.options) {
    const std::string other(option.other);
    // Short names come first, as everywhere.
    const bool is_short_first = other.size() == 2;
    const std::string name(option.name);
    const std::string names = other.empty() ? name : is_short_first ? other + ", " + name : name + ", " + other;
    rows.push_back({names, std::string(option.value), std::string(option.meaning)});
  }
  return rows;
}

std::vector<HelpRow> nvcc_rows(bool is_short) {
  std::vector<HelpRow> rows;
  for (const NvccWords& words : kNvccWords) {
    if (is_short && !words.is_common) continue;
    for (const nvcc::NvccOption& option : nvcc::kOptions) {
      if (option.id != words.id) continue;
      std::string names(option.short_name);
      const bool has_long = !option.long_name.empty() && option.long_name.substr(1) != option.short_name;
      if (has_long && !is_short) names += ", " + std::string(option.long_name);
      rows.push_back({names, std::string(words.value), std::string(words.meaning)});
      if (is_short) break;
    }
  }
  return rows;
}

std::vector<std::string> ignored_names() {
  std::vector<std::string> names;
  for (const nvcc::NvccOption& option : nvcc::kOptions) {
    if (is_ignored(option.id)) names.emplace_back(option.short_name);
  }
  return names;
}

std::string help_of(std::string_view name) {
  const Subcommand& subcommand = *find_subcommand(name);
  std::string text = usage_of(subcommand) + "\n" + paragraph(subcommand.description);
  if (!subcommand.options.empty()) text += "\noptions:\n" + entries(rows_of(subcommand));
  text += nvcc_part(subcommand) + examples_of(subcommand) + "\nexit code:\n" + codes_of(subcommand);
  std::string pages;
  for (const std::string_view page : subcommand.pages)
    pages += (pages.empty() ? "" : ", ") + ("warpfiber explain " + std::string(page));
  return text + "\nsee also: man " + page_name(subcommand) + ", " + pages + "\n";
}

std::string page_name(const Subcommand& subcommand) {
  return std::string(subcommand.command) + "-" + std::string(subcommand.name);
}

std::string help_of_developers_command() {
  constexpr std::size_t kName = 12;
  std::string text =
      "usage: warpfiber-dev COMMAND [ARGUMENT...]\n\nFor those who work on Warpfiber, or record a GPU.\n\ncommands:\n";
  for (const Subcommand& subcommand : subcommands(kDevelopersCommand))
    text += entry(std::string(subcommand.name), subcommand.summary, kName);
  text += "\noptions:\n";
  for (const HelpRow& row : rows_of({.options = command_options()})) text += entry(row.names, row.meaning, kNames);
  return text + "\nwarpfiber-dev COMMAND --help: options, examples and exit codes of a command\n";
}

std::string help_of_command() {
  constexpr std::size_t kName = 12;
  std::string text =
      "usage: warpfiber COMMAND [ARGUMENT...]\n\nCUDA kernels on a CPU, checked and explained.\n\ncommands:\n";
  for (const Subcommand& subcommand : subcommands())
    text += entry(std::string(subcommand.name), subcommand.summary, kName);
  text += "\noptions:\n";
  for (const HelpRow& row : rows_of({.options = command_options()})) text += entry(row.names, row.meaning, kNames);
  return text +
         "\nexamples:\n"
         "  warpfiber run reduce.cu -- 1000000\n"
         "  warpfiber check --seeds 20 reduce.cu\n"
         "  warpfiber explain race-shared\n"
         "\nwarpfiber help COMMAND: options, examples and exit codes of a command\n"
         "warpfiber explain: the kinds of findings, and the pages of the documentation\n";
}

Reply help(const std::string& word) {
  if (word.empty()) return {0, help_of_command(), ""};
  if (word == "exit-codes") return {0, exit_codes(), ""};
  return find_subcommand(word) != nullptr ? Reply{0, help_of(word), ""} : unknown_command(kUsersCommand, word);
}

std::string version() {
  return "warpfiber " WARPFIBER_VERSION "\n";
}

Reply unknown_command(std::string_view command, const std::string& word) {
  const std::string own(command);
  if (const Subcommand* const other = find_subcommand(word); other != nullptr && other->command != command) {
    return {kWrongUsage, "", own + ": '" + word + "' is a command of " + std::string(other->command) + "\n"};
  }
  const bool is_option = word.starts_with('-');
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands(command)) names.emplace_back(subcommand.name);
  for (const OptionHelp& option : command_options()) {
    if (is_option) names.emplace_back(option.name);
  }
  const std::string what = is_option ? "unknown option '" + word + "'" : "'" + word + "' is not a command";
  return {kWrongUsage, "", own + ": " + what + suggestion(word, names) + "\n" + own + " --help lists the commands\n"};
}

}  // namespace warpfiber::tools::manual
