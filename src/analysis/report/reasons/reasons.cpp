// SPDX-License-Identifier: Apache-2.0
//
// Puts the arguments of a reason into the places of its template, each written as its type asks for.
#include "report/reasons/reasons.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/contract.hpp"
#include "base/text.hpp"

namespace warpfiber::report {
namespace {

constexpr std::string_view kHole = "{}";

struct ArgumentText {
  std::string operator()(std::uint64_t number) const { return std::to_string(number); }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(const record::Thousands& count) const { return base::thousands(count.number); }
  std::string operator()(const record::Quantity& things) const { return base::counted(things.number, things.noun); }
  std::string operator()(const record::ByteSize& size) const { return base::bytes_text(size.bytes); }
  std::string operator()(const base::Triple& extent) const { return base::triple_text(extent); }
  const std::string& operator()(const std::string& text) const { return text; }

  std::string operator()(const std::vector<std::string>& list) const {
    std::string text;
    for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
    return text;
  }

  std::string operator()(const std::vector<record::Reason>& parts) const {
    std::string text;
    for (const record::Reason& part : parts) text += reason_text(part);
    return text;
  }
};

}  // namespace

std::string reason_text(const record::Reason& reason) {
  std::string_view rest = template_of(reason.kind);
  std::string text;
  for (const record::ReasonArgument& argument : reason.arguments) {
    const std::size_t hole = rest.find(kHole);
    WARPFIBER_CONTRACT(hole != std::string_view::npos, "a reason has an argument for each place of its template");
    text += rest.substr(0, hole);
    text += std::visit<std::string>(ArgumentText{}, argument);
    rest.remove_prefix(hole + kHole.size());
  }
  WARPFIBER_CONTRACT(rest.find(kHole) == std::string_view::npos,
                     "a reason has an argument for each place of its template");
  return text.append(rest);
}

const char* fixed_text(record::ReasonKind kind) {
  const std::string_view text = template_of(kind);
  WARPFIBER_CONTRACT(text.find(kHole) == std::string_view::npos, "a fixed text has no arguments");
  return text.data();
}

}  // namespace warpfiber::report
