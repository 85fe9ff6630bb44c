// SPDX-License-Identifier: Apache-2.0
//
// Spelling: spaces first, then the names of integer types. Arrays: the dimensions of a text are read.
#include "record/type_spelling.hpp"

#include <cctype>
#include <string_view>

#include "base/text.hpp"

namespace warpfiber::record {
namespace {

struct Spelling {
  std::string_view of_compiler;
  std::string_view usual;
};

// Longer ones first.
constexpr Spelling kIntegers[] = {
    {"long long unsigned int", "unsigned long long"},
    {"short unsigned int", "unsigned short"},
    {"long unsigned int", "unsigned long"},
    {"long long int", "long long"},
    {"short int", "short"},
    {"long int", "long"},
};

bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

void replace_words(std::string& type, const Spelling& spelling) {
  const std::string_view from = spelling.of_compiler;
  for (std::size_t at = type.find(from); at != std::string::npos; at = type.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool is_whole = (at == 0 || !is_of_word(type[at - 1])) && (end == type.size() || !is_of_word(type[end]));
    if (is_whole) type.replace(at, from.size(), spelling.usual);
  }
}

}  // namespace

std::string usual_spelling(const std::string& type) {
  std::string spelt;
  for (const char letter : type) {
    const char before = spelt.empty() ? ' ' : spelt.back();
    if (letter == '*' && before == ' ') spelt.pop_back();
    if (letter == '[' && before != ' ' && before != ']' && before != ')') spelt += ' ';
    if (before == '*' && std::isalpha(static_cast<unsigned char>(letter)) != 0) spelt += ' ';
    spelt += letter;
  }
  for (const Spelling& spelling : kIntegers) replace_words(spelt, spelling);
  return spelt;
}

std::vector<std::uint64_t> dimensions_of(const std::string& type) {
  std::vector<std::uint64_t> dimensions;
  for (std::size_t at = type.find('['); at != std::string::npos; at = type.find('[', at + 1)) {
    const auto dimension = base::parse_number(type.substr(at + 1, type.find(']', at) - at - 1));
    if (!dimension.has_value() || *dimension == 0) return {};
    dimensions.push_back(*dimension);
  }
  return dimensions;
}

std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type) {
  const std::vector<std::uint64_t> dimensions = dimensions_of(type);
  std::uint64_t elements = 1;
  for (const std::uint64_t dimension : dimensions) elements *= dimension;
  if (dimensions.empty() || extent < elements || extent % elements != 0) return {};
  const auto floor = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  std::int64_t index = floor(static_cast<std::int64_t>(offset), static_cast<std::int64_t>(extent / elements));
  std::string text;
  for (std::size_t i = dimensions.size(); i-- > 1;) {
    const auto dimension = static_cast<std::int64_t>(dimensions[i]);
    text.insert(0, "[" + std::to_string(index - floor(index, dimension) * dimension) + "]");
    index = floor(index, dimension);
  }
  return "[" + std::to_string(index) + "]" + text;
}

}  // namespace warpfiber::record
