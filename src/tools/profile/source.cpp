// SPDX-License-Identifier: Apache-2.0
//
// Lists from the first executed line of a file to its last one; dots stand for long runs of lines that were not
// executed.
#include "tools/profile/source.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>

#include "base/text.hpp"

namespace warpfiber::tools::profile {
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
