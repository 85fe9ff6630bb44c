// SPDX-License-Identifier: Apache-2.0
// Accesses to words beyond the three that cells hold, where a launch may order some readers of a word and not others:
// threads with neighbouring numbers that did the same at one time are one row. The notes of such a word have kFurther
// (cells/word.hpp); where they have not, what is here of the word is out of date. Belongs to one launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/cells/cell.hpp"

namespace warpfiber::check {

/// `threads` threads from the cell's on.
struct FurtherRow {
  Cell cell;
  std::uint32_t threads;
  std::uint16_t site;
  Scope scope;

  Cell cell_of(std::uint32_t thread) const { return cell + (Cell{thread} << kThreadShift); }
};

using FurtherRows = std::vector<FurtherRow>;

class FurtherAccesses {
 public:
  /// `has_some`: the word's notes say that it has some. False where there is no room for one more.
  bool add(std::size_t index, bool has_some, const FurtherRow& one);
  /// Of a word whose notes say that it has some; null where it has none.
  const FurtherRows* find(std::size_t index) const;
  /// The same, and the word has none any more.
  FurtherRows take(std::size_t index);

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 22;  // rows, and words that have some
  static constexpr std::size_t kFirstSort = 16;

  void remove_old();
  std::size_t size() const { return rows_ + words_.size(); }

  std::unordered_map<std::size_t, FurtherRows> words_;
  std::size_t rows_ = 0;
  std::size_t most_ = kMost / 16;  // before those that are out of date are looked for
};

}  // namespace warpfiber::check
