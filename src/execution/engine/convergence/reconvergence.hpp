// SPDX-License-Identifier: Apache-2.0
// Lanes that ask which lanes are with them, lanes that print, lanes of programs that rely on lock-step, and collectives
// without a mask: they wait until nothing else of their warp, or of their block, can come to the same call, and are
// then answered together. No other thread waits for them, and they order nothing. How they come is in
// arrivals/converging_arrivals.hpp.
#pragma once

#include <warpfiber/detail/collective.hpp>

#include <cstdint>

#include "engine/choosing/choosing.hpp"
#include "engine/convergence/call_paths.hpp"
#include "engine/state/converging.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// What a lane that waits for those with it has said.
inline Converging& converging(const ResidentWarp& warp, const detail::Fiber* fiber) {
  return *static_cast<Converging*>(warp.arguments[fiber->lane]);
}

/// Of one worker. Where the launch asks for that (Convergence::random), the worker's random numbers decide who is
/// together.
class Reconvergence {
 public:
  Reconvergence(WorkerState& worker, Choosing& choosing) : worker_(worker), choosing_(choosing) {}

  CallPaths& paths() { return paths_; }

  /// Nothing else of `block` can run: lanes that asked who is with them get their answer. True if there were any.
  bool resolve(ResidentBlock& block);
  /// The same of one warp, the lanes of which go on `first`, before others that are ready.
  void resolve(ResidentBlock& block, ResidentWarp& warp, bool first);
  /// A turn is over, in which others of `block` went on and on. Lanes that asked who is with them have waited for long
  /// enough if others of their warp met in several turns and never joined them; lanes that have not had their turn yet
  /// are waited for.
  void resolve_overdue(ResidentBlock& block);
  /// What these lanes have to print, lane after lane.
  void write_out(const ResidentWarp& warp, std::uint64_t lanes);

 private:
  bool are_at_one_call(const Converging& a, const Converging& b);
  const Converging& next_call(ResidentWarp& warp);
  std::uint64_t together(std::uint64_t lanes, Together why);

  WorkerState& worker_;
  Choosing& choosing_;
  CallPaths paths_;
};

}  // namespace warpfiber::engine
