// SPDX-License-Identifier: Apache-2.0
//
// The default policy: threads take turns in the order of their ids.
// Invariant: between two turns of one thread every other thread that stays runnable gets one, so no spin starves
// anybody.
#pragma once

#include "schedule/policy.hpp"

namespace warpfiber::schedule {

class InOrder final : public Policy {
 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;
};

/// The position of the smallest id after `current`, or of the smallest id where there is none after it.
std::size_t next_in_order(std::span<const FiberId> runnable, FiberId current);

}  // namespace warpfiber::schedule
