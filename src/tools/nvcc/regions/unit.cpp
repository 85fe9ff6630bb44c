// SPDX-License-Identifier: Apache-2.0
// Source of the hash: Fowler, Noll and Vo, FNV-1a of 64 bits.
#include "tools/nvcc/regions/unit.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace warpfiber::tools::nvcc {

std::string unit_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  return fmt::format("{:#x}ull", hash);
}

std::string with_unit(std::string translated, const std::string& unit) {
  constexpr std::string_view kName = kUnitName;
  for (std::size_t at = translated.find(kName); at != std::string::npos; at = translated.find(kName, at)) {
    translated.replace(at, kName.size(), unit);
  }
  return translated;
}

}  // namespace warpfiber::tools::nvcc
