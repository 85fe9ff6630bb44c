// SPDX-License-Identifier: Apache-2.0
//
// Calls in checked programs. g++ has no option for what they are to become, so it is done in the text that it hands to
// the assembler. The public headers ask for it: a word of data there has a symbol for its value
// (<warpfiber/detail/checked_copies.hpp>, <warpfiber/detail/counted_access.hpp>). Where the text is not edited, the
// symbol stays undefined, and the program does not link.
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::instrument {

/// Asks that copies and fills of memory call their hooks, also those that the compiler adds by itself.
inline constexpr std::string_view kCopiesRequest = "warpfiber_option_B_is_missing_for_copies";
/// Asks that accesses of four bytes are counted before they call a hook. threadIdx is looked up.
inline constexpr std::string_view kCountsRequest = "warpfiber_option_B_is_missing_for_counts";
/// The same where the place of threadIdx is known when the program is linked.
inline constexpr std::string_view kProgramCountsRequest = "warpfiber_option_B_is_missing_for_program_counts";

/// The text of a file of assembly as it asks to be; as it is where it asks for nothing.
std::string with_checked_calls(std::string_view assembly);

}  // namespace warpfiber::instrument
