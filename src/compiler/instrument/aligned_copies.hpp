// SPDX-License-Identifier: Apache-2.0
//
// clang++ copies a structure with memcpy, or piece by piece, and checks no alignment when it does; the device reads
// and writes vectors whole. What it copies, and how it is to be aligned, is in its intermediate text before it is
// optimised.
#pragma once

#include <string>

namespace warpfiber::instrument {

/// The text, in which a call of __warpfiber_expect_aligned (src/cuda/abi/hooks/alignment.cpp) stands before each copy
/// of a structure by a pointer that is not to a variable of the function.
std::string with_aligned_copies(const std::string& text);

}  // namespace warpfiber::instrument
