// SPDX-License-Identifier: Apache-2.0
//
// Threads run as they do in order, but some are held between two of their synchronisation points until no other thread
// gets on without them. So a window of a few instructions becomes as long as what all others do: a wake-up that falls
// into it is lost, a flag that is looked at too early is seen. The seed says behind which places of the code threads
// are held, as it often takes all threads that are in one window: each of the first even seeds holds all threads behind
// another place, in the order in which threads first come to them. Delay bounding (Emmi, Qadeer and Rakamaric,
// "Delay-bounded scheduling", POPL 2011) has the same aim; there a delay lasts for one step.
// Invariant: a thread is held only while others get on, so a kernel that ends in order ends here.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "schedule/policy.hpp"

namespace warpfiber::schedule {

class Delays final : public Policy {
 public:
  explicit Delays(std::uint64_t seed);

  void comes_to(std::uint64_t place) override { place_ = place; }
  void yielded(FiberId fiber) override { yielded_ = fiber; }
  void wrote(FiberId /*fiber*/) override {}
  void finished(FiberId fiber) override { std::erase(held_, fiber); }

 private:
  static constexpr std::size_t kMostPlaces = 64;

  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;
  /// Of a place, in the order in which threads have come to them.
  std::uint64_t number_of(std::uint64_t place);
  /// Whether a thread that has come to this place is to be held there.
  bool holds_at(std::uint64_t place);
  bool is_held(FiberId fiber) const;
  /// The position of a thread that is held no longer.
  std::size_t release(std::span<const FiberId> runnable);

  const std::uint64_t seed_;
  base::Random random_;
  std::uint64_t one_in_;               // visits of such a place for one at which the thread is held
  std::vector<std::uint64_t> places_;  // to which threads have come, in that order
  std::vector<FiberId> held_;          // all of them can run
  std::vector<FiberId> others_;        // who else can
  std::uint64_t place_ = 0;            // of the thread that was chosen last
  FiberId yielded_ = base::kNoFiber;   // since it was chosen
  std::uint64_t quiet_ = 0;            // choices in a row before which a thread has only looked
};

}  // namespace warpfiber::schedule
