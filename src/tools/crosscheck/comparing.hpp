// SPDX-License-Identifier: Apache-2.0
// Compares what came back from two devices, bytes and output. Equal bytes are equal; else floats within a tolerance
// count as equal and everything else differs, also bytes of a type that is not known, whatever they look like. What
// such bytes would be as floats is only reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpfiber::tools::crosscheck {

/// Two floats this far apart are of different worlds: one is no number, or infinite.
constexpr std::uint64_t kNeverEqual = ~std::uint64_t{0};

/// What two arrays of elements have in common.
struct Likeness {
  bool equal = true;           // within the tolerance
  std::string type{};          // what the elements were taken for: "float", "uint8", …
  std::size_t elements = 0;    // of each array
  std::size_t differing = 0;   // beyond the tolerance
  std::size_t tolerated = 0;   // not the same, and within it
  std::uint64_t largest = 0;   // distance of those, in ULP
  std::size_t first = 0;       // index of the first beyond it, or of the first tolerated
  std::size_t byte = 0;        // where that begins
  std::string ours{};          // its value in the first array
  std::string theirs{};        // and in the second
  std::uint64_t distance = 0;  // of the two in ULP; kNeverEqual for what has none
  bool floating = false;       // the elements are floats
  std::string maybe{};         // of bytes of an unknown type that differ: "float" if they look like it
  std::uint64_t apart = 0;     // as such floats at most so far, in ULP
};

/// Arrays of the same size. `type`: "float", "double", "half", "bfloat16", "int32", …; empty: not known.
Likeness compare_elements(std::string_view ours, std::string_view theirs, std::string_view type, std::uint64_t ulp);

/// Whether the first difference is small enough for another rounding, or order, of the same operations: less than a
/// thousandth of the value.
bool could_be_rounding(const Likeness& likeness);

/// Whether both arrays hold the same elements, in whatever order. False where their type is not known.
bool same_elements(std::string_view ours, std::string_view theirs, std::string_view type);

/// The distance of two floats of this type (in numbers that lie between) as in compare_elements; both NaN: 0.
std::uint64_t distance_of(double a, double b, std::string_view type);

// What two runs printed is compared line by line. Words and whole numbers are compared as text; numbers with digits on
// both sides of a point, or with a signed exponent, are floats, which count as equal within the tolerance of a float or
// one unit of the last digit that is printed. Any NaN is any other.

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
