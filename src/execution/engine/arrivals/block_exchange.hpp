// SPDX-License-Identifier: Apache-2.0
// What blocks of a cluster or a grid know of one another: each other's shared memory, notices, and the words at which
// groups of threads of several blocks meet; and the block's own shared variables.
#pragma once

#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/detail/shared_variable.hpp>
#include <warpfiber/detail/thread_set.hpp>

#include <cstddef>
#include <optional>

#include "engine/choosing/choosing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker. All of it is about the running thread's block.
class BlockExchange {
 public:
  BlockExchange(WorkerState& worker, Choosing& choosing) : worker_(worker), choosing_(choosing) {}

  unsigned cluster_block_rank() const;
  /// Whether `address` is in the shared memory of the running block.
  bool shares(const void* address) const { return worker_.block().arena.contains(address); }
  void* shared_of_rank(const void* mine, unsigned rank, Site site);
  /// Rank of the block of the cluster whose shared memory `place` is in.
  std::optional<unsigned> rank_of_sharing_block(const void* place) const;
  unsigned rank_of_shared(const void* place, Site site);
  /// The running block uses a shared variable for the first time.
  void first_touch(const detail::SharedVariable& variable);

  detail::Notice& notice_in_cluster(unsigned rank);
  detail::Notice& notice_in_grid(std::uint64_t rank, Site site);
  detail::WideMeeting* make_wide_meetings(std::size_t count);

 private:
  WorkerState& worker_;
  Choosing& choosing_;
};

}  // namespace warpfiber::engine
