// SPDX-License-Identifier: Apache-2.0
// A schedule as data: which thread was chosen at each step, and a fingerprint of the threads that could have been; and
// its replay. As a file it is text, one step a line, so that two schedules can be compared with diff.
// Invariant: equal recordings mean that the same questions were asked and the same answers given.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "schedule/policy.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::schedule {

using base::FiberId;

/// One real choice, between two threads or more.
struct Decision {
  std::uint64_t runnable = 0;  // fingerprint() of the candidates
  FiberId chosen = base::kNoFiber;
  bool usual = false;  // chosen as usual_choice() would; not in files

  friend bool operator==(const Decision& a, const Decision& b) {
    return a.runnable == b.runnable && a.chosen == b.chosen;
  }
};

using Recording = std::vector<Decision>;

/// What is unusual about it, as switches of `launch`.
Switches switches_of(const Recording& recording, std::uint64_t launch);

/// A number for a set of threads, whatever their order.
std::uint64_t fingerprint(std::span<const FiberId> runnable);

/// Where two runs that should be equal part.
struct Difference {
  std::uint64_t step = 0;  // from 0
  record::Reason reason;   // "at step 17 other threads could run than in the first run"
};

/// Nothing if both runs took the same decisions.
std::optional<Difference> first_difference(const Recording& first, const Recording& second);

void write_recording(std::ostream& out, const Recording& recording);

/// Reads what write_recording wrote. `name` is the file's, for the error: "run.schedule:7: ...".
base::Result<Recording, record::Reason> read_recording(std::istream& in, std::string_view name);

// Takes the decisions of a recording again. Where the run is not the recorded one (other threads can run, or the
// recording ends early) it goes on in order and says so in complaint(): a replay must neither hang nor pretend.

class Replay final : public Policy {
 public:
  explicit Replay(Recording recording) : recording_(std::move(recording)) {}

  record::Reason complaint() const override { return complaint_; }

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;

  Recording recording_;
  record::Reason complaint_;
};

}  // namespace warpfiber::schedule
