// SPDX-License-Identifier: Apache-2.0
// What barrier_arrive() returns and barrier_wait() takes: the phase of the barrier that the thread waits for. A token
// stands for one arrival, so it can be moved and not copied, and the wait that uses it takes the phase out of it.
#pragma once

#include <warpfiber/groups/thread_group.hpp>

#include <utility>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

class ArrivalToken {
 public:
  /// Of no arrival; waiting for it is `cg-misuse`.
  ArrivalToken() = default;
  explicit ArrivalToken(std::uint64_t phase) : phase_(phase) {}
  ArrivalToken(ArrivalToken&& other) noexcept : phase_(std::exchange(other.phase_, kUsed)) {}
  ArrivalToken& operator=(ArrivalToken&& other) noexcept {
    phase_ = std::exchange(other.phase_, kUsed);
    return *this;
  }

  std::uint64_t phase() const { return phase_; }
  /// The phase, which leaves the token.
  std::uint64_t take() { return std::exchange(phase_, kUsed); }

  /// No phase: the token's arrival has been waited for, or there was none.
  static constexpr std::uint64_t kUsed = ~std::uint64_t{0};

 private:
  std::uint64_t phase_ = kUsed;
};

inline std::uint64_t arrive(warpfiber::detail::SplitBarrier barrier, Site site) {
  return warpfiber::detail::arrive_split(barrier, site);
}

inline void wait(warpfiber::detail::SplitBarrier barrier, ArrivalToken& token, Site site) {
  warpfiber::detail::wait_split(barrier, token.take(), site);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
