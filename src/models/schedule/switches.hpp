// SPDX-License-Identifier: Apache-2.0
// A schedule as what is unusual about it: the steps at which another thread was chosen than the one that would go on by
// itself. Taking some of them away leaves a schedule, so that the few that a mistake needs can be found. As a file it
// is text: the first line says what it is, every other one names a launch, a step and a thread.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "record/reason.hpp"
#include "schedule/policy.hpp"

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

// Goes on in the usual way but for some switches. Where the thread of a switch cannot run at that step the usual one
// goes on: switches may come from another run, or be some of those of one.

class Steered final : public Policy {
 public:
  /// `switches` are of this launch.
  explicit Steered(Switches switches) : switches_(std::move(switches)) {}

  void yielded(FiberId fiber) override { yielded_ = fiber; }
  void wrote(FiberId /*fiber*/) override {}

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;

  Switches switches_;
  std::size_t next_ = 0;
  FiberId yielded_ = base::kNoFiber;  // since it was chosen
};

}  // namespace warpfiber::schedule
