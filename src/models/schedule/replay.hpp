// SPDX-License-Identifier: Apache-2.0
//
// Takes the decisions of a recording again. Where the run is not the recorded one (other threads can run, or the
// recording ends early) it goes on in order and says so in complaint(): a replay must neither hang nor pretend.
#pragma once

#include "schedule/policy.hpp"
#include "schedule/recording.hpp"

namespace warpfiber::schedule {

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
