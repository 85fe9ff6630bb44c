// SPDX-License-Identifier: Apache-2.0
// Groups in reports: where they were made, and what is wrong when their members do not meet.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <vector>

#include "record/finding.hpp"
#include "record/mistake.hpp"

namespace warpfiber::engine {

struct ResidentBlock;
struct StallSnapshot;

/// Where the group was made that `argument` was handed to `collective` for; line 0 where its object does not say.
Site origin_of(const detail::Collective& collective, const detail::LaneArgument* argument);

/// Adds who made the group of `mask` in `block`, whose object says `origin`: `makers`, where that is known at all.
/// `first`: the rank in the block of one of them.
void append_origin(const ResidentBlock& block, std::uint64_t mask, const Site& origin, unsigned first,
                   record::Members makers, std::vector<record::Party>& parties);

/// Adds who made the groups that threads wait for in `still`, each place once.
void append_origins(const StallSnapshot& still, std::vector<record::Party>& parties);

/// Threads wait for others of a group.
bool any_group(const StallSnapshot& still);

/// What keeps them from meeting.
record::Mistake diagnose_groups(const StallSnapshot& still);

}  // namespace warpfiber::engine
