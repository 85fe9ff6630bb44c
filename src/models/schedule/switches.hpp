// SPDX-License-Identifier: Apache-2.0
//
// A schedule as what is unusual about it: the steps at which another thread was chosen than the one that would go on by
// itself. Taking some of them away leaves a schedule, so that the few that a mistake needs can be found. As a file it
// is text: the first line says what it is, every other one names a launch, a step and a thread.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "record/reason.hpp"

namespace warpfiber::schedule {

using base::FiberId;

/// At `step`, from 1, of the real choices of `launch`, from 1, the thread `chosen` goes on.
struct ThreadSwitch {
  std::uint64_t launch = 0;
  std::uint64_t step = 0;
  FiberId chosen = base::kNoFiber;

  friend bool operator==(const ThreadSwitch&, const ThreadSwitch&) = default;
};

/// In the order of launches and steps.
using Switches = std::vector<ThreadSwitch>;

/// The position in `runnable` of the thread that goes on where nothing else is said: the one that ran last, if it can
/// and does not yield; else the next in order.
std::size_t usual_choice(std::span<const FiberId> runnable, FiberId current, bool yields);

/// The first line of such a file.
inline constexpr std::string_view kSwitchesFirstLine = "warpfiber-schedule 2";

/// Lines without the first one.
void write_switches(std::ostream& out, std::span<const ThreadSwitch> switches);

/// Reads what follows the first line, without comments, which begin with #. `name` is the file's, for the error:
/// "run.schedule:7: ...".
base::Result<Switches, record::Reason> read_switches(std::istream& in, std::string_view name);

}  // namespace warpfiber::schedule
