// SPDX-License-Identifier: Apache-2.0
//
// Help and version are answered before anything that is wrong with the other words.
#include "tools/manual/command_line.hpp"

#include "tools/manual/help.hpp"

namespace warpfiber::tools::manual {
namespace {

struct NoOptions {};

}  // namespace

Reply wrong_usage(std::string_view subcommand, const std::string& complaint) {
  constexpr int kStatus = 2;
  const std::string name = full_name(subcommand);
  return {kStatus, "", name + ": " + complaint + "\n" + name + " --help lists the options\n"};
}

std::optional<Reply> answer_words(const Subcommand& subcommand, const OtherWords& others, std::size_t most,
                                  std::vector<std::string>& operands) {
  if (others.help) return Reply{0, help_of(subcommand.name), ""};
  if (others.version) return Reply{0, version(), ""};
  if (!others.error.empty()) return wrong_usage(subcommand.name, others.error);
  for (const std::string& word : others.words) {
    if (word.size() > 1 && word[0] == '-')
      return wrong_usage(subcommand.name, with_suggestion("unknown option '" + word + "'", word, subcommand.name));
    operands.push_back(word);
  }
  operands.insert(operands.end(), others.arguments.begin(), others.arguments.end());
  if (operands.size() <= most) return std::nullopt;
  return wrong_usage(subcommand.name, "'" + operands[most] + "' is an unexpected argument");
}

std::optional<Reply> parse_operand(const Subcommand& subcommand, const std::vector<std::string>& words,
                                   std::string& operand) {
  NoOptions none;
  std::vector<std::string> operands;
  auto reply = answer_words(subcommand, read_options(subcommand.options, {}, words, none), 1, operands);
  if (!operands.empty()) operand = operands.front();
  return reply;
}

}  // namespace warpfiber::tools::manual
