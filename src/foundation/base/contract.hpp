// SPDX-License-Identifier: Apache-2.0
//
// Contracts: conditions that only a defect of Warpfiber itself can break. A broken one ends the process in every build,
// with the place, the condition and a way to repeat the run. A kernel that is wrong is a finding and a caller that is
// wrong gets an error; neither is ever a contract.
// Any room may use them; any thread, also a fiber with a small stack, may fail one.
#pragma once

#include <cstddef>
#include <string_view>

/// Aborts, in every build, unless `condition` holds. `text` says in words what must hold.
#define WARPFIBER_CONTRACT(condition, text) \
  ((condition) ? void() : ::warpfiber::base::contract_failed(#condition, (text), __FILE__, __LINE__))

namespace warpfiber::base {

/// What a failed contract prints, ending in a newline; `repeat` is the command that repeats the run, or empty.
/// Writes at most `size` bytes, always terminated, and returns the length.
std::size_t describe_failed_contract(char* out, std::size_t size, const char* condition, const char* text,
                                     const char* file, unsigned line, const char* repeat) noexcept;

/// Prints the failure to standard error and aborts. Called by the macro only.
[[noreturn]] void contract_failed(const char* condition, const char* text, const char* file, unsigned line) noexcept;

/// Sets the command that repeats the run in progress, as failed contracts print it: "WARPFIBER_SEED=0x5d1 ./sum".
/// The engine calls this at the start of a launch and with an empty text at its end. Notes of launches that run at the
/// same time replace one another. Longer notes are cut after 255 bytes.
void set_replay_note(std::string_view command) noexcept;

}  // namespace warpfiber::base
