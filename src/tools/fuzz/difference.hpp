// SPDX-License-Identifier: Apache-2.0
//
// Where two runs of a program part: by what every thread saw, or by the sums that a recording has of each node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/fuzz/recordings.hpp"

namespace warpfiber::tools::fuzz {

/// The first thing that a thread saw and its twin did not.
struct FirstDifference {
  unsigned thread = 0;             // rank in the grid
  std::optional<NodeEvent> here;   // none: the thread saw less
  std::optional<NodeEvent> there;  // none: its twin did
};

/// The parting that came first, counted in what the thread had seen before; of those the one of the lowest thread. None
/// if all saw the same. Both runs were asked for Wanted::events.
std::optional<FirstDifference> first_difference(const Outcome& here, const Outcome& there);

/// The first node of which the sums differ; none if all are the same.
std::optional<unsigned> first_node(const std::vector<std::uint16_t>& here, const std::vector<std::uint16_t>& there);

/// Of `program`, in lines: the operation, the thread in its block, and both values.
std::string describe(const FuzzProgram& program, const FirstDifference& difference);

/// The program without what is written behind its node `index`. What is seen up to there stays as it was, but in later
/// rounds of loops.
FuzzProgram cut_behind(const FuzzProgram& program, unsigned index);

}  // namespace warpfiber::tools::fuzz
