// SPDX-License-Identifier: Apache-2.0
// The few spellings that every room uses when it names numbers, coordinates and lanes, so that they look the same in a
// launch error, a finding and a trace; and how numbers are read back. Pure functions; nothing here prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/index.hpp"
#include "base/lane_mask.hpp"

namespace warpfiber::base {

/// "33,660".
std::string thousands(std::uint64_t number);

/// "1 block", "28 blocks", "33,660 threads"; the plural of every noun here takes an s.
std::string counted(std::uint64_t number, std::string_view noun);

/// "160 KiB", "4,160 bytes": the largest binary unit that leaves no fraction.
std::string bytes_text(std::uint64_t bytes);

/// "(131,0,0)".
std::string triple_text(const Triple& t);

/// "(0,0,0)", or "(0,0,0) … (131,0,0)" where first and last differ.
std::string range_text(const Triple& first, const Triple& last);

/// "lane 3", "lanes 0-15, 31", "no lane".
std::string lanes_text(LaneMask mask);

/// "0x000000ff", with as many digits as a warp of `size` lanes needs.
std::string mask_text(LaneMask mask, unsigned size);

/// The text with control characters as \x1b and the like, but for tabs and ends of lines: names of files and lines of
/// source may have any, which a terminal would obey. Colours, as report::Paint writes them, are kept if asked.
std::string without_controls(std::string_view text, bool colour = false);

/// "0x7f00": an address.
std::string address_text(const void* address);

/// What printf() writes for "%.6g" in the locale "C".
std::string general(double number, int digits = 6);

/// The number that `text` is as a whole, or nothing: no sign, no spaces, no more than 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text, int radix = 10);

/// Names of the linker as C++ has them (Itanium C++ ABI, "Demangler API"): the name of a function or variable by its
/// symbol, of a type by type_info::name(). Nothing where it is none of those.
std::optional<std::string> demangled(const char* name);

}  // namespace warpfiber::base
