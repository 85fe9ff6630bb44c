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

/// In the upper bits of a token's phase, so that another thread's is none that the barrier knows.
inline std::uint64_t mark_of_thread() {
  constexpr unsigned kPhaseBits = 40;
  return static_cast<std::uint64_t>(grid::thread_rank()) << kPhaseBits;
}

inline std::uint64_t arrive(warpfiber::detail::SplitBarrier barrier, Site site) {
  warpfiber::detail::checked_meets_some();
  return warpfiber::detail::arrive_split(barrier, site) ^ mark_of_thread();
}

inline void wait(warpfiber::detail::SplitBarrier barrier, ArrivalToken& token, Site site) {
  const std::uint64_t phase = token.take();
  warpfiber::detail::wait_split(barrier, phase == ArrivalToken::kUsed ? phase : phase ^ mark_of_thread(), site);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
