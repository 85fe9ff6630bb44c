// SPDX-License-Identifier: Apache-2.0
//
// Reading source files and cutting lines down to what is worth quoting.
#include "report/source_text.hpp"

#include <filesystem>
#include <fstream>

#include "report/columns.hpp"

namespace warpfiber::report {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{8} << 20;
constexpr std::string_view kBlank = " \t\r\n\f\v";

std::vector<std::string> read_lines(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) > kLargestFile)
    return {};
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

/// The line without a comment that runs to its end. A quotation mark may be escaped inside a literal.
std::string_view without_comment(std::string_view line) {
  char quotation = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quotation != 0) {
      if (c == '\\') ++i;
      if (c == quotation) quotation = 0;
    } else if (c == '"' || c == '\'') {
      quotation = c;
    } else if (line.substr(i, 2) == "//") {
      return line.substr(0, i);
    }
  }
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Runs of blanks and control characters as one space each.
std::string one_spaced(std::string_view text) {
  std::string spaced;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!blank) spaced += c;
    if (blank && !spaced.ends_with(' ')) spaced += ' ';
  }
  return spaced;
}

}  // namespace

std::optional<std::string> SourceFiles::line(const std::string& file, unsigned line) {
  const auto [entry, unread] = files_.try_emplace(file);
  if (unread) entry->second = read_lines(file);
  const std::vector<std::string>& lines = entry->second;
  if (line == 0 || line > lines.size()) return std::nullopt;
  return lines[line - 1];
}

std::string quote(std::string_view line, std::size_t width) {
  std::string_view text = trimmed(without_comment(line));
  while (!text.empty() && (text.back() == '{' || text.back() == ';')) text = trimmed(text.substr(0, text.size() - 1));
  return cut(one_spaced(text), width);
}

}  // namespace warpfiber::report
