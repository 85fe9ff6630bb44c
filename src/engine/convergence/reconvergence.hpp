// SPDX-License-Identifier: Apache-2.0
// Lanes that ask who is with them, lanes that print, lanes of programs that rely on lock-step, and collectives without
// a mask: they wait until nothing else of their warp, or of their block, can come to the same call, and are then
// answered together. Nobody waits for them, and they order nothing.
#pragma once

#include <warpfiber/detail/collective.hpp>

#include <cstdint>
#include <string_view>

#include "base/random.hpp"
#include "engine/block.hpp"
#include "engine/convergence/call_paths.hpp"
#include "engine/convergence/converging.hpp"

namespace warpfiber::engine {

class Worker;

/// Of one worker. `frame` is the frame address of the function that the kernel has called.
class Reconvergence {
 public:
  /// `random` decides who is together where the launch asks for that (Convergence::random).
  Reconvergence(Worker& worker, base::Random& random) : worker_(worker), random_(random) {}

  /// The lanes that are with the running one, itself among them.
  std::uint64_t lanes_at(Site site, const char* frame);
  /// Prints `text` after that of the lanes before the running one that are with it.
  void print(Site site, const char* frame, std::string_view text);
  /// The running lane lets the others of its warp come to the same step.
  detail::Switch arrive_at_step(Site site, const char* frame);
  detail::Switch arrive_maskless(const detail::Collective& collective, detail::LaneArgument* operands,
                                 detail::MasklessCall* call, const char* frame);

  /// Nothing else of `block` can run: lanes that asked who is with them get their answer. True if there were any.
  bool resolve(ResidentBlock& block);
  /// A turn is over, in which others of `block` went on and on. Lanes that asked who is with them have waited for long
  /// enough if others of their warp met in several turns and never joined them; lanes that have not had their turn yet
  /// are waited for.
  void resolve_overdue(ResidentBlock& block);

 private:
  std::uint64_t converge(Site site, const char* frame, Together why, std::string_view printed = {});
  detail::Switch come_together(detail::Fiber* self, ResidentWarp& warp, Converging& argument, const char* frame,
                               bool claims_on = false);
  detail::Switch start_convoy(detail::Fiber* self, ResidentWarp& warp, const Converging& latest);
  void write_out(const ResidentWarp& warp, std::uint64_t lanes);
  void resolve(ResidentBlock& block, ResidentWarp& warp, bool first);
  bool are_at_one_call(const Converging& a, const Converging& b);
  const Converging& next_call(ResidentWarp& warp);
  std::uint64_t together(std::uint64_t lanes, Together why);

  Worker& worker_;
  base::Random& random_;
  CallPaths paths_;
};

}  // namespace warpfiber::engine
