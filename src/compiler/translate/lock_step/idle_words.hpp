// SPDX-License-Identifier: Apache-2.0
//
// What is known of the functions that loops which wait may call: by their names, which CUDA gives them.
#pragma once

#include <cstddef>
#include <string_view>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// Fences, pauses, barriers that say nothing; and functions that only compute.
bool is_pause(std::string_view name);
bool is_pure(std::string_view name);
/// It reads memory anew each time: an atomic, `load()`.
bool is_read_by_name(std::string_view name);
/// Threads meet there, and what each gets comes of what all say who meet.
bool is_meeting(std::string_view name);
/// The same for members of tiles and of the thread's block; of barriers in memory.
bool is_meeting_of_group(std::string_view name);
bool is_meeting_of_barrier(std::string_view name);
bool is_clock(std::string_view name);
/// What no pass of such a loop does.
bool is_never_idle(std::string_view word);

/// Whether an asm statement at `i` loads, or pauses only.
bool is_load_of_ptx(const Tokens& tokens, std::size_t i);
bool is_pause_of_ptx(const Tokens& tokens, std::size_t i);

/// A word that is a type, as far as its spelling says.
bool is_type_word(const Tokens& tokens, std::size_t i);

}  // namespace warpfiber::translate
