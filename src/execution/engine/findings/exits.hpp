// SPDX-License-Identifier: Apache-2.0
// Barriers that were complete although threads of the block had exited: what is undefined by CUDA's guide is an error,
// what is only not portable a warning of strict checks (docs/semantics.md, "Barriers").
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "engine/state/grid.hpp"
#include "record/finding.hpp"

namespace warpfiber::engine {

/// A barrier that did not wait for all threads of a block, because some had exited.
struct ReleaseByExits {
  const char* barrier = "";  // "__syncthreads()"
  bool of_grid = false;      // the barrier is wider than the block and asks for all of its threads
  Site site{};
  std::uint64_t number = 0;  // of the block's barriers that have come to their end, with this one; 0: of a wider one
  std::vector<std::pair<Site, std::vector<base::FiberId>>> exited{};  // by where; line 0: at the end of the kernel
  std::vector<base::FiberId> arrived{};
  std::uint64_t repeats = 0;  // further phases at this barrier
  bool follows = false;       // from another release: the same threads had exited
};

/// Whether threads that come to the end of the kernel have passed by the barrier at `site`, if they have not waited at
/// it: it is in the kernel's own body, or in a function that the kernel calls before it does more. A kernel that only
/// calls another function ends where that returns, which may be before a barrier.
bool is_passed_by(const KernelBody& body, const Site& site);

/// The finding, if there is one. Strict checks have a warning where no error is.
std::optional<record::Finding> released_by_exits(const ReleaseByExits& release, const GridRequest& request);

}  // namespace warpfiber::engine
