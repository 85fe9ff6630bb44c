// SPDX-License-Identifier: Apache-2.0
//
// Finds the line marker before an offset by binary search and counts the line breaks in between.
#include "translate/text/lines.hpp"

#include <algorithm>

namespace warpfiber::translate {
namespace {

constexpr std::string_view kCudas = "__";  // how the user's qualifiers begin, in place of kOurs

/// How many of the sorted places are in [begin, end).
unsigned count_between(const std::vector<std::uint32_t>& places, std::size_t begin, std::size_t end) {
  const auto first = std::lower_bound(places.begin(), places.end(), begin);
  return static_cast<unsigned>(std::lower_bound(first, places.end(), end) - first);
}

}  // namespace

std::string unescaped(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    name += text[i];
  }
  return name;
}

Position locate(const Tokens& tokens, std::size_t offset) {
  const auto& markers = tokens.markers();
  const auto after = std::upper_bound(markers.begin(), markers.end(), offset,
                                      [](std::size_t at, const LineMarker& marker) { return at < marker.next_line; });
  Position position;
  std::size_t begin = 0;
  if (after != markers.begin()) {
    const LineMarker& marker = *(after - 1);
    position.file = marker.file;
    position.line = marker.line;
    position.system = marker.system;
    begin = marker.next_line;
  }
  const auto& breaks = tokens.line_breaks();
  position.line += count_between(breaks, begin, offset);
  const auto next_break = std::lower_bound(breaks.begin(), breaks.end(), offset);
  const std::size_t line = next_break == breaks.begin() ? begin : std::max<std::size_t>(*(next_break - 1) + 1, begin);
  const std::size_t longer = count_between(tokens.our_names(), line, offset) * (kOurs.size() - kCudas.size());
  const std::size_t column = offset - line + 1 - longer;
  position.column = static_cast<unsigned>(column);
  return position;
}

Position LineCursor::at(std::size_t offset) {
  const auto& markers = tokens_.markers();
  while (marker_ < markers.size() && markers[marker_].next_line <= offset) {
    const LineMarker& marker = markers[marker_++];
    position_ = {marker.file, marker.line, 1, marker.system};
    offset_ = marker.next_line;
  }
  const std::string_view between = tokens_.source().substr(offset_, offset - offset_);
  position_.line += static_cast<unsigned>(std::count(between.begin(), between.end(), '\n'));
  offset_ = offset;
  return position_;
}

std::string continue_at(const Tokens& tokens, std::size_t offset) {
  const Position position = locate(tokens, offset);
  std::string marker = "\n# " + std::to_string(position.line) + " \"";
  marker.append(position.file);
  return marker + (position.system ? "\" 3\n" : "\"\n") +
         std::string(std::min(position.column - 1, kLastKeptColumn), ' ');
}

std::string hiding(const Tokens& tokens, std::size_t offset, const std::string& declarations) {
  const std::string place = continue_at(tokens, offset);
  return "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wshadow\"" + place + declarations +
         "\n#pragma GCC diagnostic pop" + place;
}

std::string flat_text(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && !tokens.ends(i); ++i) {
    const Keyword word = tokens[i].keyword;
    if (is_qualifier(word)) {
      if (has_arguments(word) && tokens.is(i + 1, '(') && tokens.match(i + 1) != kNone) i = tokens.match(i + 1);
      continue;
    }
    if (i > begin && !tokens.touches_next(i - 1)) text += ' ';
    text += tokens.text(i);
  }
  return text;
}

std::string line_breaks(const Tokens& tokens, std::size_t begin, std::size_t end) {
  const std::string_view text = tokens.source().substr(begin, end - begin);
  std::string kept;
  std::size_t at = text.find('\n');
  while (at != std::string_view::npos) {
    kept += '\n';
    const std::size_t next = text.find('\n', at + 1);
    const std::string_view line = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    const std::size_t first = line.find_first_not_of(" \t");
    if (next != std::string_view::npos && first != std::string_view::npos && line[first] == '#') kept += line;
    at = next;
  }
  return kept;
}

}  // namespace warpfiber::translate
