// SPDX-License-Identifier: Apache-2.0
// Loops over many words of 64 bits, in the widest registers that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfiber::base {

/// The bits in which any of `count` words differs from `value`.
std::uint64_t differences(const std::uint64_t* words, std::size_t count, std::uint64_t value);

/// Sets the words to `first`, `first` + `step` and so on.
void fill_counting(std::uint64_t* words, std::size_t count, std::uint64_t first, std::uint64_t step);

}  // namespace warpfiber::base
