// SPDX-License-Identifier: Apache-2.0
//
// Splits values at commas and blanks, and checks them against the tables of options/nvcc_table.hpp.
#include "tools/nvcc/option_values.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "tools/options/nvcc_table.hpp"

namespace warpfiber::tools::nvcc {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Splits as a shell does, at any of `separators` that is neither quoted nor behind a backslash.
std::vector<std::string> shell_words(const std::string& text, std::string_view separators) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      begun = true;
    } else if (quote == 0 && separators.find(c) != std::string_view::npos) {
      if (std::exchange(begun, false)) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) words.push_back(word);
  return words;
}

/// "sm_90", "compute_90a", "lto_100f", "native", "all", "all-major".
bool is_architecture(std::string_view name) {
  if (name == "native" || name == "all" || name == "all-major") return true;
  const std::size_t line = name.find('_');
  if (line == std::string_view::npos) return false;
  const std::string_view kind = name.substr(0, line);
  if (kind != "sm" && kind != "compute" && kind != "lto") return false;
  std::string_view number = name.substr(line + 1);
  if (number.ends_with('a') || number.ends_with('f')) number.remove_suffix(1);
  return number.size() >= 2 && number.size() <= 3 && std::all_of(number.begin(), number.end(), is_digit);
}

/// The highest architecture that is named, and the letter behind it; of two of one number that with a letter.
std::pair<unsigned, char> highest_in(const std::string& text) {
  std::pair<unsigned, char> highest{0, '\0'};
  for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
    unsigned number = 0;
    std::size_t i = at + 1;
    for (; i < text.size() && is_digit(text[i]); ++i) number = number * 10 + static_cast<unsigned>(text[i] - '0');
    const bool has_kind = i < text.size() && (text[i] == 'a' || text[i] == 'f');
    highest = std::max(highest, std::pair(number * 10, has_kind ? text[i] : '\0'));
  }
  return highest;
}

std::string without(std::string text, std::string_view characters) {
  std::erase_if(text, [characters](char c) { return characters.find(c) != std::string_view::npos; });
  return text;
}

}  // namespace

std::vector<std::string> list_of(const std::string& value) {
  std::vector<std::string> parts;
  std::string part;
  bool quoted = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char next = i + 1 < value.size() ? value[i + 1] : '\0';
    const bool kept = value[i] == '\\' && (next == ',' || next == '"');
    const char c = kept ? value[++i] : value[i];
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted && !kept) {
      parts.push_back(std::exchange(part, {}));
    } else {
      part += c;
    }
  }
  parts.push_back(part);
  std::erase(parts, std::string());
  return parts;
}

std::vector<std::string> words_of(const std::string& value) {
  return shell_words(value, ", \t\n");
}

std::vector<std::string> words_of_file(const std::string& text) {
  return shell_words(text, " \t\r\n");
}

unsigned architecture_in(const std::string& text) {
  return highest_in(text).first;
}

char architecture_kind_in(const std::string& text) {
  return highest_in(text).second;
}

std::string complaint_about_architectures(const std::string& value) {
  for (const std::string& name : list_of(without(value, "[]\"'\\"))) {
    if (!is_architecture(name)) return "'" + name + "' is not an architecture; write it as sm_90 or compute_90";
  }
  return {};
}

std::string complaint_about_generated_code(const std::string& value) {
  const std::string list = without(value, "[]\"'\\");
  const std::size_t arch = list.find("arch=");
  const std::size_t code = list.find("code=");
  if (arch == std::string::npos || code == std::string::npos) {
    return "'" + value + "' does not have the form arch=compute_90,code=sm_90";
  }
  std::string names = list;
  for (const std::string_view key : {"arch=", "code="}) names.erase(names.find(key), key.size());
  return complaint_about_architectures(names);
}

bool is_standard(std::string_view name) {
  constexpr std::string_view kYears[] = {"98", "03", "11", "0x", "14", "1y", "17",
                                         "1z", "20", "2a", "23", "2b", "26", "2c"};
  const std::size_t pluses = name.find("++");
  if (pluses == std::string_view::npos || (name.substr(0, pluses) != "c" && name.substr(0, pluses) != "gnu"))
    return false;
  return std::find(std::begin(kYears), std::end(kYears), name.substr(pluses + 2)) != std::end(kYears);
}

std::string complaint_about_choice(std::string_view value, std::string_view choices) {
  if (choices == kNumber) {
    const bool is_number = !value.empty() && std::all_of(value.begin(), value.end(), is_digit);
    return is_number ? std::string() : "'" + std::string(value) + "' is not a number";
  }
  std::string known;
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t bar = std::min(choices.find('|', at), choices.size());
    const std::string_view choice = choices.substr(at, bar - at);
    if (choice == value) return {};
    known += (known.empty() ? "" : bar == choices.size() ? " or " : ", ") + std::string(choice);
    at = bar + 1;
  }
  return "'" + std::string(value) + "' is not one of its values, which are " + known;
}

}  // namespace warpfiber::tools::nvcc
