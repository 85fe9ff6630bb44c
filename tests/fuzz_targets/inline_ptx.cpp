// SPDX-License-Identifier: Apache-2.0
//
// PTX of asm statements. Input: the text of one. It is read with three numbers of operands.
// Holds: it answers. A text that is translated names no operand that there is not, and closes what it opens, so that it
// cannot end the function that it becomes part of. One input of sixteen is also repeated until it is long.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "fuzz_targets/targets.hpp"
#include "translate/ptx/emit.hpp"
#include "translate/ptx/parse.hpp"

namespace warpfiber::fuzz_targets {
namespace {

bool is_closed(std::string_view text) {
  std::string open;
  for (const char c : text) {
    if (c == '(' || c == '{' || c == '[') open += c == '(' ? ')' : c == '{' ? '}' : ']';
    if (c != ')' && c != '}' && c != ']') continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
  }
  return open.empty();
}

/// Whether every `warpfiber_N` has an N below `operands`.
bool names_only(std::string_view text, unsigned operands) {
  constexpr std::string_view kName = "warpfiber_";
  for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at)) {
    at += kName.size();
    unsigned number = 0;
    const std::size_t begin = at;
    for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at)
      number = std::min(number * 10 + static_cast<unsigned>(text[at] - '0'), 100000U);
    if (at != begin && number >= operands) return false;
  }
  return true;
}

void check(std::string_view text, unsigned operands) {
  const translate::ptx::Emitted emitted = translate::ptx::emit(text, operands);
  require(emitted.wrong.empty() || emitted.text.empty(), "there is a text and an error");
  require(is_closed(emitted.text), "what is opened is not closed: " + emitted.text);
  require(names_only(emitted.text, operands), "an operand is named that there is not: " + emitted.text);
}

void check_parts(std::string_view text) {
  for (const translate::ptx::Instruction& one : translate::ptx::parse(text)) {
    require(one.kind != translate::ptx::InstructionKind::instruction || !one.source.empty(), "a statement is empty");
    for (const std::string& operand : one.operands) require(!operand.empty(), "an operand is empty");
  }
}

}  // namespace

void inline_ptx(std::string_view input) {
  for (const unsigned operands : {0U, 3U, 30U}) check(input, operands);
  check_parts(input);
  if (input.empty() || !is_repeated(input)) return;
  check(repeated(input), 3);
}

}  // namespace warpfiber::fuzz_targets
