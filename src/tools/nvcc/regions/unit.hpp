// SPDX-License-Identifier: Apache-2.0
//
// The number by which the two objects of a file know that they are of the same text (-fregions): a hash of what the
// host compiler reads. Pure.
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::tools::nvcc {

/// What WARPFIBER_UNIT is in preprocessed text of a CUDA file that -fregions compiles twice; the driver puts the number
/// in its place.
constexpr const char* kUnitName = "warpfiber_unit_of_file";

/// A hash as the text of a constant: "0xaf63dc4c8601ec8cull".
std::string unit_of(std::string_view text);

std::string with_unit(std::string translated, const std::string& unit);

}  // namespace warpfiber::tools::nvcc
