// SPDX-License-Identifier: Apache-2.0
// Names of types as programs write them, and what such a text says of an array. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfiber::record {

/// "unsigned long [4]", "char* const" of what a compiler or debug information says: "long unsigned int[4]",
/// "char *const".
std::string usual_spelling(const std::string& type);

/// "[2][65]": which element of an array of this type, "int [4][128]", the byte at `offset` belongs to, also beyond its
/// bounds: "[4][1]", "[-1][127]". Empty for others.
std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type);

/// {4, 128} of "int [4][128]"; empty where the type is no array, or has a dimension that is not known.
std::vector<std::uint64_t> dimensions_of(const std::string& type);

}  // namespace warpfiber::record
