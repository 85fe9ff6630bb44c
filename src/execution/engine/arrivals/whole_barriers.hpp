// SPDX-License-Identifier: Apache-2.0
// How threads come to barriers at which they wait: of a block, a cluster, a grid, and grids of several devices.
#pragma once

#include "engine/arrivals/split_barriers.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Of one worker.
class WholeBarriers {
 public:
  WholeBarriers(Waits& waits, SplitBarriers& split)
      : worker_(waits.worker()), waits_(waits), releasing_(waits.releasing()), split_(split) {}

  detail::Switch arrive_at_block(detail::Operation kind, bool predicate, Site site);
  detail::Switch arrive_at_cluster(Site site);
  detail::Switch arrive_at_grid(Site site);
  detail::Switch arrive_at_grids(Site site);

 private:
  detail::Switch arrive_wide(detail::Fiber* self, bool multi_grid, Site site);

  WorkerState& worker_;
  Waits& waits_;
  Releasing& releasing_;
  SplitBarriers& split_;
};

}  // namespace warpfiber::engine
