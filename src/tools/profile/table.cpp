// SPDX-License-Identifier: Apache-2.0
// Columns are as wide as their widest cell. Numbers stand at the right.
#include "tools/profile/table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace warpfiber::tools::profile {
namespace {

constexpr std::size_t kColumns = 9;
using ProfileRow = std::array<std::string, kColumns>;

std::uint64_t number(const ProfileDocument& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? 0 : found->get<std::uint64_t>();
}

/// Per request, with one digit behind the point; empty where the line has no such sum.
std::string mean(const ProfileDocument& line, const char* name) {
  if (!line.contains(name)) return {};
  return fmt::format("{:.1f}", static_cast<double>(number(line, name)) / static_cast<double>(number(line, "requests")));
}

/// From the folder, if it lies there.
std::string file_of(const ProfileDocument& line, const std::string& folder) {
  std::string file = line["file"].get<std::string>();
  if (file.starts_with(folder + '/')) file.erase(0, folder.size() + 1);
  return file;
}

std::string place_of(const ProfileDocument& line, const std::string& folder) {
  const std::string file = file_of(line, folder);
  return file.empty() ? "(no line: built without debug information)"
                      : file + ':' + std::to_string(number(line, "line"));
}

ProfileRow cells_of(const ProfileDocument& line, const std::string& folder) {
  return {place_of(line, folder),
          line["space"].get<std::string>() + ' ' + line["operation"].get<std::string>(),
          base::thousands(number(line, "requests")),
          mean(line, "threads"),
          mean(line, "sectors"),
          mean(line, "wavefronts"),
          mean(line, "bank_conflicts"),
          mean(line, "same_address"),
          {}};
}

/// How many of a line's executions by warps had which part of their lanes.
ProfileRow cells_of_executed(const ProfileDocument& line, const std::string& folder) {
  const std::uint64_t executions = number(line, "executions");
  ProfileRow cells{place_of(line, folder), "executed", base::thousands(executions)};
  cells[3] = fmt::format("{:.1f}", static_cast<double>(number(line, "threads")) / static_cast<double>(executions));
  return cells;
}

std::string index_in(const ProfileDocument& object, const char* name) {
  const ProfileDocument& at = object[name];
  return fmt::format("({},{},{})", at[0].get<unsigned>(), at[1].get<unsigned>(), at[2].get<unsigned>());
}

/// Of a barrier or collective; `threads` only of lanes of a warp, as for accesses.
ProfileRow cells_of_meeting(const ProfileDocument& place, const std::string& folder) {
  const std::string width = place["width"].get<std::string>();
  ProfileRow cells{place_of(place, folder), width + (width == "warp" || width == "group" ? " collective" : " barrier"),
                   base::thousands(number(place, "count"))};
  if (width == "warp")
    cells[3] = fmt::format("{:.1f}",
                           static_cast<double>(number(place, "threads")) / static_cast<double>(number(place, "count")));
  if (place.contains("longest_wait")) {
    const ProfileDocument& wait = place["longest_wait"];
    cells[8] = fmt::format("{} by {} of block {}", base::counted(number(wait, "steps"), "step"),
                           index_in(wait, "thread"), index_in(wait, "block"));
  }
  return cells;
}

void append_row(std::string& text, const ProfileRow& cells, const std::array<std::size_t, kColumns>& widths) {
  constexpr std::size_t kWords = 2;  // columns of words, at the left
  std::string row;
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (widths[i] == 0) continue;
    row += i < kWords ? fmt::format("  {:<{}}", cells[i], widths[i]) : fmt::format("  {:>{}}", cells[i], widths[i]);
  }
  text += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
}

/// Of accesses and of places where threads meet, those of a line next to each other.
std::string table_of_lines(const ProfileDocument& kernel, const std::string& folder) {
  std::vector<std::pair<const ProfileDocument*, ProfileRow>> places;
  for (const ProfileDocument& line : kernel["executed"]) {
    if (number(line, "by_all_lanes") < number(line, "executions"))
      places.emplace_back(&line, cells_of_executed(line, folder));
  }
  for (const ProfileDocument& line : kernel["lines"]) places.emplace_back(&line, cells_of(line, folder));
  for (const ProfileDocument& place : kernel["synchronisations"])
    places.emplace_back(&place, cells_of_meeting(place, folder));
  std::ranges::stable_sort(places, {}, [&folder](const auto& place) {
    return std::pair(file_of(*place.first, folder), number(*place.first, "line"));
  });
  std::vector<ProfileRow> rows{
      {"line", "access", "requests", "threads", "sectors", "wavefronts", "conflicts", "same address", "longest wait"}};
  for (auto& [place, cells] : places) rows.push_back(std::move(cells));
  std::array<std::size_t, kColumns> widths{};  // 0: no line has anything there
  for (std::size_t i = 0; i < kColumns; ++i) {
    for (const ProfileRow& row : std::span(rows).subspan(1)) widths[i] = std::max(widths[i], row[i].size());
    if (widths[i] != 0) widths[i] = std::max(widths[i], rows.front()[i].size());
  }
  std::string text;
  for (const ProfileRow& row : rows) append_row(text, row, widths);
  return text;
}

std::string barriers_of(const ProfileDocument& barriers) {
  std::string text;
  for (const char* width : {"block", "cluster", "grid", "warp"}) {
    const std::uint64_t count = number(barriers, width);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + base::thousands(count) + " of a " + width;
  }
  return text.empty() ? "" : "  synchronisations: " + text + '\n';
}

/// Nothing to say where all blocks fit at once.
std::string waves_of(const ProfileDocument& kernel) {
  const std::uint64_t waves = number(kernel, "waves");
  if (waves < 2) return {};
  return fmt::format("  {} waves of {}, {} in the last\n", base::thousands(waves),
                     base::counted(number(kernel, "resident_blocks"), "block"),
                     base::counted(number(kernel, "last_wave_blocks"), "block"));
}

std::string heading_of(const ProfileDocument& kernel) {
  return fmt::format(
      "{}\n  {}, {}, {}\n", kernel["kernel"].get<std::string>(),
      (number(kernel, "launches") == 1 ? "1 launch" : base::thousands(number(kernel, "launches")) + " launches"),
      base::counted(number(kernel, "blocks"), "block"), base::counted(number(kernel, "threads"), "thread"));
}

/// A cell of CSV (RFC 4180).
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string to_table(const ProfileDocument& document, const std::string& folder) {
  std::string text;
  for (const ProfileDocument& kernel : document["kernels"]) {
    text += (text.empty() ? "" : "\n") + heading_of(kernel) + waves_of(kernel) + barriers_of(kernel["barriers"]);
    if (!kernel["lines"].empty() || !kernel["executed"].empty() || !kernel["synchronisations"].empty())
      text += table_of_lines(kernel, folder);
    if (const std::uint64_t left_out = number(kernel, "left_out_accesses"); left_out != 0)
      text += fmt::format("  {} left out: of warps of other than 32 lanes, or beyond the requests that are kept open\n",
                          (left_out == 1 ? "1 access was" : base::thousands(left_out) + " accesses were"));
  }
  if (!text.empty())
    text += "\nthreads, sectors of 32 bytes, wavefronts and bank conflicts are means per request of a warp\n";
  return text;
}

std::string to_csv(const ProfileDocument& document) {
  std::string text =
      "kernel,file,line,space,operation,requests,threads,sectors,cache_lines,wavefronts,bank_conflicts,same_address\n";
  for (const ProfileDocument& kernel : document["kernels"]) {
    for (const ProfileDocument& line : kernel["lines"]) {
      text += csv_cell(kernel["kernel"].get<std::string>()) + ',' + csv_cell(line["file"].get<std::string>());
      text += ',' + std::to_string(number(line, "line")) + ',' + line["space"].get<std::string>() + ',' +
              line["operation"].get<std::string>();
      for (const char* sum :
           {"requests", "threads", "sectors", "cache_lines", "wavefronts", "bank_conflicts", "same_address"}) {
        text += ',';
        if (line.contains(sum)) text += std::to_string(number(line, sum));
      }
      text += '\n';
    }
    for (const ProfileDocument& line : kernel["executed"]) {
      text += csv_cell(kernel["kernel"].get<std::string>()) + ',' + csv_cell(line["file"].get<std::string>());
      text += fmt::format(",{},,executed,{},{},,,,,\n", number(line, "line"), number(line, "executions"),
                          number(line, "threads"));
    }
  }
  return text;
}

// Lists from the first executed line of a file to its last one; dots stand for long runs of lines that were not
// executed.

namespace {

struct ExecutedCells {
  std::string executions;
  std::string threads;
};
using ExecutedFile = std::map<std::uint64_t, ExecutedCells>;  // by line

constexpr std::uint64_t kLongestGap = 4;  // lines that are shown though they were not executed

std::map<std::string, ExecutedFile> files_of(const ProfileDocument& kernel) {
  std::map<std::string, ExecutedFile> files;
  for (const ProfileDocument& line : kernel["executed"]) {
    const auto executions = line["executions"].get<std::uint64_t>();
    const double threads = static_cast<double>(line["threads"].get<std::uint64_t>()) / static_cast<double>(executions);
    files[line["file"].get<std::string>()][line["line"].get<std::uint64_t>()] = {base::thousands(executions),
                                                                                 fmt::format("{:.1f}", threads)};
  }
  return files;
}

std::string listing_of(const std::string& path, const ExecutedFile& lines) {
  std::ifstream file(path);
  if (!file) return "  " + path + " cannot be read\n";
  std::string text = fmt::format("{:>10}  {:>7}  {}\n", "executed", "threads", path);
  std::string source;
  for (std::uint64_t number = 1; std::getline(file, source) && number <= lines.rbegin()->first; ++number) {
    const auto next = lines.lower_bound(number);
    if (number < lines.begin()->first) continue;
    const std::uint64_t last = std::prev(lines.upper_bound(number))->first;
    if (next->first - last > kLongestGap + 1) {
      if (number == last + 1) text += "       ...\n";
      continue;
    }
    const ExecutedCells cells = next->first == number ? next->second : ExecutedCells{};
    const std::string row = fmt::format("{:>10}  {:>7}  {:>5}  {}", cells.executions, cells.threads, number,
                                        base::without_controls(source));
    text += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace

std::string to_source(const ProfileDocument& document) {
  std::string text;
  for (const ProfileDocument& kernel : document["kernels"]) {
    const std::map<std::string, ExecutedFile> files = files_of(kernel);
    if (files.empty()) continue;
    text += '\n' + kernel["kernel"].get<std::string>() + '\n';
    for (const auto& [path, lines] : files) text += listing_of(path, lines);
  }
  return text;
}

}  // namespace warpfiber::tools::profile
