// SPDX-License-Identifier: Apache-2.0
// Numbers are taken from the register of all launches, and concurrent ones are looked up there when others have begun.
#include "check/running/identity.hpp"

namespace warpfiber::check {

LaunchIdentity::LaunchIdentity(const ThreadNumbering& numbering, const record::LaunchOrder& order)
    : numbering_(numbering), order_(order), follows_all_(order.unordered.empty()) {
  take_number();
}

void LaunchIdentity::take_number() {
  const LaunchNumber taken = take_launch_number({.kernel = order_.call,
                                                 .launched = order_.returns_to,
                                                 .operation = order_.number,
                                                 .stream = order_.stream,
                                                 .vain_wait = order_.vain_wait,
                                                 .overlapped = order_.overlapped,
                                                 .grid = numbering_.shape().grid,
                                                 .block = numbering_.shape().block,
                                                 .warp_size = numbering_.shape().warp_size,
                                                 .thread_bits = numbering_.thread_bits()});
  number_ = taken.number;
  begun_ = taken.begun;
  overtaken_ = taken.overtaken;
}

void LaunchIdentity::renew() {
  const bool had_concurrent = !is_alone();
  take_number();
  overtaken_ |= had_concurrent;
}

bool LaunchIdentity::is_concurrent(unsigned launch) {
  if (const std::uint64_t begun = launches_begun(); begun != known_) {
    known_ = begun;
    concurrent_ = concurrent_launches(order_);
  }
  return concurrent_[launch];
}

}  // namespace warpfiber::check
