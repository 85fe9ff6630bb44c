// SPDX-License-Identifier: Apache-2.0
//
// Shortening demangled names. Brackets nest, so one pass keeps their depth: what stands inside "<…>" is kept, what
// stands inside "(…)" is dropped.
#include "report/short_name.hpp"

#include <algorithm>

#include "report/columns.hpp"

namespace warpfiber::report {
namespace {

constexpr std::string_view kUnnamed = "(anonymous namespace)::";
constexpr std::string_view kCall = "operator()";
constexpr std::string_view kLambda = "{lambda(";
constexpr std::string_view kLambdaOfClang = "$_";  // and a number
constexpr std::string_view kUnnamedType = "{unnamed type#";
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

/// Whether a function in a class without a name, `text`, has the name of the function around it, as the body of a
/// kernel has that was built with -G.
bool is_body_of(std::string_view text, std::string_view around) {
  if (!text.starts_with("::") || !around.ends_with("::")) return false;
  const std::string_view own = text.substr(2, text.find('(') - 2);
  around.remove_suffix(2);
  around = around.substr(0, around.find('<'));
  const std::size_t last = around.rfind(':');
  return own == (last == std::string_view::npos ? around : around.substr(last + 1));
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
    const bool is_unnamed = text.substr(i).starts_with(kUnnamedType);
    if (is_unnamed || text.substr(i).starts_with(kLambdaOfClang)) {
      const std::size_t number =
          text.find_first_not_of(kDigits, i + (is_unnamed ? kUnnamedType : kLambdaOfClang).size());
      const std::size_t end = std::min(number == std::string_view::npos ? number : number + is_unnamed, text.size());
      if (is_body_of(text.substr(end), name)) {
        name.resize(name.size() - 2);
        break;
      }
      name += is_unnamed ? "{unnamed}" : "{lambda}";
      i = end;
    } else if (text.substr(i).starts_with(kLambda)) {
      name += "{lambda}";
      i = std::min(text.find('}', after_bracket(text, i + kLambda.size() - 1)), text.size() - 1) + 1;
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

std::string abbreviated(std::string_view name, std::size_t width) {
  if (columns(name) <= width) return std::string(name);
  constexpr std::string_view kOperator = "operator";
  std::string text;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator = depth == 0 && text.ends_with(kOperator);
    if (name[i] == '<' && !is_operator && depth++ == 0) text += "<…>";
    if (depth == 0 || is_operator) text += name[i];
    if (name[i] == '>' && depth > 0) --depth;
  }
  return cut(text, width);
}

}  // namespace warpfiber::report
