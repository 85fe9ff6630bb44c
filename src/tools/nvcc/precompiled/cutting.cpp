// SPDX-License-Identifier: Apache-2.0
//
// Reads line markers (GCC's manual, "Preprocessor Output"), and no C++.
#include "tools/nvcc/precompiled/cutting.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "tools/nvcc/regions/unit.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr std::string_view kRuntime = "/cuda_runtime.h";

/// A line `# 12 "file.h" 1`: where the next line of the text comes from, and whether a file begins (1) or is gone back
/// to (2) there.
struct Marker {
  std::string_view file;
  char flag = ' ';
  bool is_of_command_line() const { return file.starts_with('<'); }
};

Marker marker_of(std::string_view line) {
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (!line.starts_with("# ") || open == close) return {};
  const std::string_view flags = line.substr(close + 1);
  return {line.substr(open + 1, close - open - 1), flags.size() > 1 ? flags[1] : ' '};
}

/// Places in a text: of a marker, and of what is behind its line.
struct MarkerLine {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  bool is_found() const { return begin != std::string::npos; }
};

/// Calls action(marker, its line) for each marker until that returns true; then that line.
template <class Action>
MarkerLine find_marker_if(std::string_view text, std::size_t from, const Action& action) {
  for (std::size_t begin = from; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (text[begin] == '#' && action(marker_of(text.substr(begin, end - begin - 1)))) return {begin, end};
    begin = end;
  }
  return {};
}

/// The first marker with this flag that is in (or out of) a file of the command line's.
MarkerLine find_marker(std::string_view text, std::size_t from, char flag, bool in_file) {
  return find_marker_if(
      text, from, [&](const Marker& marker) { return marker.flag == flag && marker.is_of_command_line() != in_file; });
}

std::string in_unnamed_namespace(const std::string& text) {
  return "namespace { " + text + " }\n";
}

}  // namespace

CutText cut_behind_header(const std::string& translated, const std::string& unit) {
  const std::string type = std::string("const unsigned long long ") + kUnitName;
  const std::string declared = in_unnamed_namespace("extern " + type + ";");
  const std::string defined = in_unnamed_namespace(type + " = " + unit + ";");
  const MarkerLine begin = find_marker(translated, 0, '1', true);
  const MarkerLine end = begin.is_found() ? find_marker(translated, begin.end, '2', false) : MarkerLine{};
  if (!end.is_found()) return {declared, defined + translated};
  // Behind the header no file is open that could be gone back to.
  std::string marker = translated.substr(end.begin, end.end - end.begin);
  marker.resize(marker.rfind('"') + 1);
  return {declared + translated.substr(begin.begin, end.begin - begin.begin),
          defined + translated.substr(0, begin.begin) + marker + "\n" + translated.substr(end.end)};
}

CutRuntime cut_behind_runtime(const std::string& translated) {
  std::vector<std::string_view> open;
  const MarkerLine end = find_marker_if(translated, 0, [&](const Marker& marker) {
    if (marker.flag == '1') open.push_back(marker.file);
    if (marker.flag != '2' || open.empty()) return false;
    const bool is_behind = marker.is_of_command_line() && open.back().ends_with(kRuntime);
    open.pop_back();
    return is_behind;
  });
  if (!end.is_found()) return {};
  const std::size_t first = translated.find('\n') + 1;
  const Marker of_file = marker_of(std::string_view(translated).substr(0, first - 1));
  if (of_file.file.empty() || of_file.is_of_command_line()) return {};
  return {translated.substr(0, first), translated.substr(first, end.end - first),
          translated.substr(end.begin, end.end - end.begin), translated.substr(end.end)};
}

}  // namespace warpfiber::tools::nvcc
