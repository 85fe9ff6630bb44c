// SPDX-License-Identifier: Apache-2.0
// What the program has asked the runtime about errors, and what it is shown if it never asks. Any thread may call,
// until the process has ended.
#pragma once

#include <warpfiber/error.hpp>

#include <cstdint>
#include <functional>

namespace warpfiber::process {

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

}  // namespace warpfiber::process
