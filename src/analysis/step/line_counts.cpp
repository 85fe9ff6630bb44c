// SPDX-License-Identifier: Apache-2.0
// Statements that follow one another are in one file as a rule.
#include "step/line_counts.hpp"

#include <algorithm>
#include <cstring>

namespace warpfiber::step {

std::uint16_t LineCounts::index_of(const char* name) {
  if (last_ < files_.size() && files_[last_].name == name) return last_;
  const auto found =
      std::ranges::find_if(files_, [name](const StepFile& file) { return std::strcmp(file.name, name) == 0; });
  if (found == files_.end()) {
    files_.push_back({.name = name});
    counts_.emplace_back();
    return last_ = static_cast<std::uint16_t>(files_.size() - 1);
  }
  return last_ = static_cast<std::uint16_t>(found - files_.begin());
}

std::uint16_t LineCounts::count(const Site& where) {
  const std::uint16_t index = index_of(where.file != nullptr ? where.file : "");
  std::vector<std::uint64_t>& counts = counts_[index];
  if (where.line >= counts.size()) {
    constexpr std::size_t kMore = 256;
    counts.resize(where.line + kMore);
    files_[index].lines = counts.size();
    files_[index].counts = counts.data();
  }
  ++counts[where.line];
  return index;
}

}  // namespace warpfiber::step
