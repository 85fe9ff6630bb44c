// SPDX-License-Identifier: Apache-2.0
//
// Which policy a launch runs under, as data, as text and as the policy itself. The text is what options and the
// environment say and what a report prints to repeat a run: "in-order", "random", "pct:3", "pct:3:2000", "delays",
// "lock-step", "replay:FILE". The seed is given separately.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "schedule/lock_step.hpp"
#include "schedule/policy.hpp"
#include "schedule/recording.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::schedule {

enum class PolicyKind { in_order, random, pct, delays, lock_step, replay };

struct PolicyOptions {
  PolicyKind kind = PolicyKind::in_order;
  std::uint64_t seed = 0;
  unsigned depth = 3;                          // pct: ordering constraints the wanted mistake needs, 1 to 64
  std::uint64_t steps = 1000;                  // pct: estimated real choices of a run, at least 1
  Warps warps{};                               // lock-step: of the launch; not part of the text
  std::string file{};                          // replay: where the recording came from
  Recording recording{};                       // replay of a file of decisions
  std::shared_ptr<const Switches> switches{};  // replay of a file of switches; null: of the other kind
  std::uint64_t launch = 1;                    // which one of the process this is; not part of the text
};

/// Reads the text form; a replay file is read at once. The seed stays 0.
base::Result<PolicyOptions, record::Reason> parse_policy(std::string_view text);

/// The text form; parse_policy takes it back.
std::string policy_text(const PolicyOptions& options);

/// Reads "0x5d1" or "1489".
base::Result<std::uint64_t, record::Reason> parse_seed(std::string_view text);

std::unique_ptr<Policy> make_policy(const PolicyOptions& options);

}  // namespace warpfiber::schedule
