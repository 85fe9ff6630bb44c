// SPDX-License-Identifier: Apache-2.0
// How lanes come to collectives of their warp that name a mask.
#pragma once

#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Of one worker.
class LaneArrivals {
 public:
  explicit LaneArrivals(Waits& waits)
      : worker_(waits.worker()),
        waits_(waits),
        lanes_(waits.lanes()),
        releasing_(waits.releasing()),
        choosing_(waits.choosing()) {}

  detail::Switch arrive(const detail::Collective& collective, std::uint64_t mask, detail::LaneArgument* argument);

 private:
  detail::Switch start_convoy(detail::Fiber* self, const AtLanes& at, detail::Convoy& convoy);

  WorkerState& worker_;
  Waits& waits_;
  LaneCollectives& lanes_;
  Releasing& releasing_;
  Choosing& choosing_;
};

}  // namespace warpfiber::engine
