// SPDX-License-Identifier: Apache-2.0
//
// Draws programs. A program depends on its seed and on nothing else, not even on the platform.
#pragma once

#include <cstdint>

#include "tools/fuzz/program/program.hpp"

namespace warpfiber::tools::fuzz {

/// The program of a seed. It is valid.
FuzzProgram generate(std::uint64_t seed);

}  // namespace warpfiber::tools::fuzz
