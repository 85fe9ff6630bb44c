// SPDX-License-Identifier: Apache-2.0
//
// Text in terminal columns.
#include "report/columns.hpp"

#include <algorithm>

namespace warpfiber::report {
namespace {

/// Whether a byte starts a code point.
bool starts(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

}  // namespace

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts));
}

std::string cut(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (starts(text[end]) && ++seen == width) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  result.resize(text.size() + width - std::min(width, columns(text)), ' ');
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    const bool fits = !lines.empty() && columns(lines.back()) + 1 + columns(word) <= width;
    if (fits) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return lines;
}

}  // namespace warpfiber::report
