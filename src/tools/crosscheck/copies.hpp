// SPDX-License-Identifier: Apache-2.0
//
// What a program copied back from a device, read from the file that warpfiber/crosscheck/copy_log.hpp describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace warpfiber::tools::crosscheck {

struct Copy {
  bool managed = false;       // memory that was freed, not a copy
  std::uint64_t ordinal = 0;  // among the program's copies, or its managed allocations, from 1
  std::string function{};     // "cudaMemcpy"
  std::size_t width = 0;      // bytes of a row
  std::size_t rows = 0;
  std::size_t slices = 0;
  std::uint64_t hash = 0;  // of all bytes
  std::string type{};      // of an element; empty: not known
  std::string place{};     // "saxpy.cu:31"; empty: not known
  std::string bytes{};     // as many as were kept
  std::string writer{};    // who wrote the byte that was asked for

  std::size_t extent() const { return width * rows * slices; }
};

/// All copies in the order of their kind and ordinal. An error says where the text stops making sense.
base::Result<std::vector<Copy>> parse_copies(std::string_view text);

/// "copy 2 (cudaMemcpy at saxpy.cu:31, 4 KiB)"; "managed memory 1 (cudaMallocManaged at app.cu:9, 4 KiB)".
std::string name_of(const Copy& copy);

}  // namespace warpfiber::tools::crosscheck
