// SPDX-License-Identifier: Apache-2.0
// What a process was started with: its program, and what the environment says about a run, for commands that repeat it,
// and about colours. Any thread may call.
#pragma once

#include <string>

namespace warpfiber::base {

/// The word as a shell reads it back: in quotes where it needs them.
std::string shell_quoted(const std::string& word);

/// "WARPFIBER_DEVICE=mini WARPFIBER_ASYNC=late ": the variables that are set and that change what a program does, each
/// with a space behind it. `schedule`: also the seed, the policy and the number of workers.
std::string run_variables(bool schedule);

/// Whether text on this file descriptor is to have colours: on a terminal, unless NO_COLOR is set.
bool wants_colour(int descriptor);

/// The program's file, absolute; empty where the system does not say.
std::string own_program();

}  // namespace warpfiber::base
