// SPDX-License-Identifier: Apache-2.0
// Why a call of CUDA's runtime failed, in a sentence. The function that finds the reason calls fail(). In a checked
// program the call that returns the error makes a finding of it (host/refused_calls.hpp); in others it prints the
// sentence if WARPFIBER_VERBOSE is set. A program that never asks for an error gets the first one at its end.
// A call that succeeds as on hardware, though it looks like a mistake, calls warn_verbose(). Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace warpfiber::runtime {

/// Keeps `why`, a clause, for the call that is in progress on this OS thread; returns `error`. `fix`: what mends the
/// call, where that is known.
Error fail(Error error, std::string why, std::string fix = {});

/// The call in progress on this OS thread fails, and should have written to the object at `address`: who reads there
/// before anybody has written it reads the consequence (checking/same_defect.hpp).
void leaves_unwritten(const void* address);

/// Keeps `what` for the call that is in progress on this OS thread and that goes well though its arguments contradict
/// each other: printed where WARPFIBER_VERBOSE asks for it.
void warn_verbose(std::string what);

/// The call in progress on this OS thread fails, and a finding of its own says so already: it makes no other. Called
/// within functions that end with finish_call().
void finding_is_made();

/// `error` is what an operation that was asked for earlier has left; the call that returns it is not at fault.
Error from_earlier(Error error);

/// Drops the reason that a call left which does not end with finish_call().
void forget_explanation();

/// The end of a call of `function`: reports, prints or keeps the reason that fail() has left, and remembers the error.
/// For a call that succeeds without a reason or a warning this is one comparison.
Error finish_call(const char* function, Error error);

/// The reason that fail() has left in the call that is in progress on this OS thread; empty if there is none.
std::string reason();

/// `report` is called at the end of the program if the program never asks for an error and this is the first one.
void report_at_exit(std::function<void()> report);

/// The program asks for errors, so nothing is reported at its end.
void program_asks();
/// It asks for the name or the text of an error, so it shows the error to its user.
void program_names_error(Error error);

/// How often the program has asked for errors, for the name or the text of `error`, and of any, success included.
struct TimesAsked {
  std::uint64_t errors = 0;
  std::uint64_t names = 0;
  std::uint64_t all_names = 0;
};
TimesAsked times_asked(Error error);

/// Prints once in the process that `function` exists but is not modelled; the error for it.
Error unmodelled(const char* function);

}  // namespace warpfiber::runtime
