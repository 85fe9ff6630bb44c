// SPDX-License-Identifier: Apache-2.0
//
// Spaces first, then the names of integer types.
#include "record/type_spelling.hpp"

#include <cctype>
#include <string_view>

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

}  // namespace warpfiber::record
