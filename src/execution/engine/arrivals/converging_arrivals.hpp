// SPDX-License-Identifier: Apache-2.0
// How threads come to where lanes wait for those that may be with them (convergence/reconvergence.hpp). Lanes of a
// collective without a mask would wait for the set of converged lanes first and for the collective then; where no other
// lane can run in between, they wait once for both.
#pragma once

#include <warpfiber/detail/collective.hpp>

#include <cstdint>
#include <string_view>

#include "engine/convergence/reconvergence.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Of one worker. `frame` is the frame address of the function that the kernel has called.
class ConvergingArrivals {
 public:
  ConvergingArrivals(Waits& waits, Reconvergence& reconvergence)
      : worker_(waits.worker()), waits_(waits), reconvergence_(reconvergence) {}

  /// The lanes that are with the running one, itself among them.
  std::uint64_t lanes_at(Site site, const char* frame);
  /// Prints `text` after that of the lanes before the running one that are with it.
  void print(Site site, const char* frame, std::string_view text);
  /// The running lane lets the others of its warp come to the same step.
  detail::Switch arrive_at_step(Site site, const char* frame);
  detail::Switch arrive_maskless(const detail::Collective& collective, detail::LaneArgument* operands,
                                 detail::MasklessCall* call, const char* frame);

 private:
  std::uint64_t converge(Site site, const char* frame, Together why, std::string_view printed = {});
  detail::Switch come_together(detail::Fiber* self, ResidentWarp& warp, Converging& argument, const char* frame,
                               bool first_wait = false);
  detail::Switch start_convoy(detail::Fiber* self, ResidentWarp& warp, const Converging& latest);

  WorkerState& worker_;
  Waits& waits_;
  Reconvergence& reconvergence_;
};

}  // namespace warpfiber::engine
