// SPDX-License-Identifier: Apache-2.0
//
// Compares what two runs printed, line by line. Words and whole numbers are compared as text; numbers with digits on
// both sides of a point, or with a signed exponent, are floats, which count as equal within the tolerance of a float or
// one unit of the last digit that is printed. Any NaN is any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpfiber::tools::crosscheck {

struct OutputLikeness {
  bool equal = true;          // within the tolerance
  std::size_t tolerated = 0;  // lines that are not the same, and within it
  std::size_t line = 0;       // the first that differs, from 1
  std::string ours{};         // that line; empty where there is none
  std::string theirs{};
};

OutputLikeness compare_output(std::string_view ours, std::string_view theirs, std::uint64_t ulp);

/// The text with its lines sorted, for lines that threads print in any order.
std::string sorted_lines(std::string_view text);

}  // namespace warpfiber::tools::crosscheck
