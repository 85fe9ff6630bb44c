// SPDX-License-Identifier: Apache-2.0
// What a copy moves: a box of `width` bytes by `height` rows by `depth` slices, and a place for it in memory. Plain
// data that copies, the checks of them and files of results share.
#pragma once

#include <cstddef>

namespace warpfiber::process {

/// One end of a copy. `slice` is how far slices are apart, in bytes.
struct CopyPlace {
  char* at = nullptr;
  std::size_t pitch = 0;
  std::size_t slice = 0;
  bool array = false;              // memory of an array, which is the device's
  bool symbol = false;             // named by a variable, and not by an address
  const char* elements = nullptr;  // what an array's are (docs/crosscheck.md)

  char* row(std::size_t y, std::size_t z) const { return at + z * slice + y * pitch; }
};

struct Box {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  bool single_row() const { return height == 1 && depth == 1; }
  std::size_t bytes() const { return width * height * depth; }

  /// Calls `visit(y, z)` for every row, in the order of their addresses.
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (std::size_t z = 0; z < depth; ++z) {
      for (std::size_t y = 0; y < height; ++y) visit(y, z);
    }
  }
};

}  // namespace warpfiber::process
