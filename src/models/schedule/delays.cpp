// SPDX-License-Identifier: Apache-2.0
//
// Holds few threads at a time, and lets one go where all others wait or only look.
#include "schedule/delays.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "schedule/switches.hpp"

namespace warpfiber::schedule {
namespace {

constexpr std::size_t kMostHeld = 32;
constexpr std::uint64_t kPlaces = 4;       // of the code for one behind which threads are held
constexpr unsigned kRates = 4;             // each thread that comes there is held, or every second, fourth or eighth
constexpr std::uint64_t kInTurn = 8;       // places, in the order in which threads first come there
constexpr std::uint64_t kAlone = 4;        // every so manieth seed holds behind one of those only
constexpr std::uint64_t kLooksOfEach = 2;  // by every other thread, before one goes on that is held

}  // namespace

Delays::Delays(std::uint64_t seed) : seed_(seed), random_(seed), one_in_(std::uint64_t{1} << random_.below(kRates)) {}

std::uint64_t Delays::number_of(std::uint64_t place) {
  const auto known = std::ranges::find(places_, place);
  const auto number = static_cast<std::uint64_t>(known - places_.begin());
  if (known == places_.end() && number < kMostPlaces) places_.push_back(place);
  return number;
}

bool Delays::holds_at(std::uint64_t place) {
  // Whatever the program, a few seeds hold all threads behind each of its first places once.
  if (place != 0 && number_of(place) % kInTurn == seed_ / 2 % kInTurn) return true;
  if (seed_ % kAlone == 0) return false;
  return base::mix(seed_, place) % kPlaces == 0 && random_.below(one_in_) == 0;
}

bool Delays::is_held(FiberId fiber) const {
  return std::ranges::find(held_, fiber) != held_.end();
}

std::size_t Delays::release(std::span<const FiberId> runnable) {
  // Mostly the thread that was held last: the others stay held as long as some thread makes progress.
  const std::size_t last = held_.size() - 1;
  const auto freed =
      held_.begin() + static_cast<std::ptrdiff_t>(random_.below(2) == 0 ? last : random_.below(last + 1));
  const auto place = std::ranges::find(runnable, *freed);
  held_.erase(freed);
  quiet_ = 0;
  return static_cast<std::size_t>(place - runnable.begin());
}

std::size_t Delays::pick(std::span<const FiberId> runnable, FiberId current) {
  const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
  quiet_ = yields ? quiet_ + 1 : 0;
  std::erase(held_, current);  // the only one that could run has done so
  // Who looks again and again is past the point at which a delay would make a difference.
  const bool may_hold =
      quiet_ <= 1 && held_.size() < kMostHeld && std::ranges::find(runnable, current) != runnable.end();
  if (may_hold && holds_at(place_)) held_.push_back(current);
  place_ = 0;
  const std::size_t usual = usual_choice(runnable, current, yields);
  if (held_.empty()) return usual;
  const std::size_t others = runnable.size() - held_.size();
  if (others == 0 || quiet_ > kLooksOfEach * others) return release(runnable);
  if (!is_held(runnable[usual])) return usual;
  others_.clear();
  std::ranges::copy_if(runnable, std::back_inserter(others_), [this](FiberId fiber) { return !is_held(fiber); });
  const FiberId chosen = others_[usual_choice(others_, current, yields)];
  return static_cast<std::size_t>(std::ranges::find(runnable, chosen) - runnable.begin());
}

}  // namespace warpfiber::schedule
