// SPDX-License-Identifier: Apache-2.0
//
// The command line of a subcommand that builds no program: options of its table, and words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tools/manual/manual.hpp"
#include "tools/options/output.hpp"
#include "tools/options/parser.hpp"

namespace warpfiber::tools::manual {

/// "warpfiber devices: ..." and where the options are listed. Exit code 2.
Reply wrong_usage(std::string_view subcommand, const std::string& complaint);

/// What is answered without running anything: the help, the version or what is wrong with the words. Those that are no
/// options go to `operands`, at most as many as `most`.
std::optional<Reply> answer_words(const Subcommand& subcommand, const OtherWords& others, std::size_t most,
                                  std::vector<std::string>& operands);

/// Reads the words behind a subcommand that takes no operands. A reply if nothing more is to be done.
template <class To>
std::optional<Reply> parse_words(const Subcommand& subcommand,
                                 std::span<const OptionReader<std::type_identity_t<To>>> readers,
                                 const std::vector<std::string>& words, To& to) {
  std::vector<std::string> none;
  return answer_words(subcommand, read_options(subcommand.options, readers, words, to), 0, none);
}

/// The same of a subcommand that has no options of its own and takes at most one operand, which goes to `operand`.
std::optional<Reply> parse_operand(const Subcommand& subcommand, const std::vector<std::string>& words,
                                   std::string& operand);

}  // namespace warpfiber::tools::manual
