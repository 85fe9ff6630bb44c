// SPDX-License-Identifier: Apache-2.0
//
// Changes to a text, collected in any order and applied once. Invariant: a replacement within another one is dropped;
// insertions at one place come out in the order of their layer, within a layer in the order they were made.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::translate {

class Edits {
 public:
  /// Puts text before the byte at `offset`. Lower layers come first.
  void insert(std::size_t offset, std::string text, int layer = 0);
  /// Puts `text` in the place of [begin, end), which is not empty.
  void replace(std::size_t begin, std::size_t end, std::string text);

  bool empty() const { return edits_.empty(); }
  std::string apply(std::string_view source) const { return apply(source, 0, source.size()); }
  /// The same for source[begin, end) only, in which all changes are.
  std::string apply(std::string_view source, std::size_t begin, std::size_t end) const;

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;  // begin: an insertion
    int layer;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace warpfiber::translate
