// SPDX-License-Identifier: Apache-2.0
//
// Shortening demangled names. Brackets nest, so one pass keeps their depth: what stands inside "<…>" is kept, what
// stands inside "(…)" is dropped.
#include "report/short_name.hpp"

#include <algorithm>

namespace warpfiber::report {
namespace {

constexpr std::string_view kUnnamed = "(anonymous namespace)::";
constexpr std::string_view kCall = "operator()";
constexpr std::string_view kLambda = "{lambda(";
constexpr std::string_view kLambdaOfClang = "$_";  // and a number
constexpr std::string_view kDigits = "0123456789";

/// The position after the bracket that closes the one at `open`.
std::size_t after_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return text.size();
}

std::string without_all(std::string_view text, std::string_view part) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(part, at)) != std::string::npos;) result.erase(at, part.size());
  return result;
}

}  // namespace

std::string short_name(std::string_view function) {
  const std::string named = without_all(function, kUnnamed);
  const std::string_view text = named;
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with(kLambda)) {
      name += "{lambda}";
      i = std::min(text.find('}', after_bracket(text, i + kLambda.size() - 1)), text.size() - 1) + 1;
    } else if (text.substr(i).starts_with(kLambdaOfClang)) {
      name += "{lambda}";
      i = std::min(text.find_first_not_of(kDigits, i + kLambdaOfClang.size()), text.size());
    } else if (depth == 0 && text.substr(i).starts_with(kCall)) {
      name += kCall;
      i += kCall.size();
    } else if (depth == 0 && text[i] == '(') {
      i = after_bracket(text, i);
      if (!text.substr(i).starts_with("::")) break;
    } else if (depth == 0 && text[i] == ' ') {
      name.clear();
      ++i;
    } else {
      depth += (text[i] == '<') - (text[i] == '>');
      name += text[i++];
    }
  }
  if (name.ends_with("{lambda}::operator()")) name.resize(name.size() - kCall.size() - 2);
  return name;
}

}  // namespace warpfiber::report
