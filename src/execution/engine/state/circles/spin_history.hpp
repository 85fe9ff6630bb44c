// SPDX-License-Identifier: Apache-2.0
// Distinguishes a thread that runs in circles from one that gets on: everything a thread can see of itself is its
// registers and its stack; if all of that is as it was before, and memory has not changed meanwhile, it will do the
// same again. Also what it polls meanwhile, for reports.
#pragma once

#include <warpfiber/detail/fiber.hpp>
#include <warpfiber/detail/site.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfiber::engine {

/// A number for the bytes from `from` to `to`, which may be any part of a stack (spinning.cpp).
std::uint64_t hash_bytes(const char* from, const char* to, std::uint64_t hash);

/// A word that a thread reads again and again, and where.
struct PolledWord {
  const void* address = nullptr;
  Site site{};
  const void* instruction = nullptr;  // where no site says so

  bool operator==(const PolledWord& other) const {
    return address == other.address && instruction == other.instruction && site.line == other.site.line &&
           site.column == other.site.column;
  }
};

/// The states a thread was seen in lately.
class SpinHistory {
 public:
  void forget() {
    used_ = next_ = repeats_ = idle_looks_ = 0;
    vote_ = 0;
  }

  /// Looks that a thread has to take in vote `vote` before it has been through its whole circle, counted by it: until
  /// it is in the state again in which the vote found it. One whose states do not repeat takes as many as are kept.
  bool has_come_round(std::uint64_t vote, std::uint64_t state) {
    return has_come_back(vote, state) || (++looks_ > kStates);
  }
  /// The same for one of which it is not enough to have looked often.
  bool has_come_back(std::uint64_t vote, std::uint64_t state) {
    if (vote_ == vote) return state == first_;
    vote_ = vote;
    first_ = state;
    looks_ = 0;
    return false;
  }

  /// Notes the state; returns how often in a row it was one that had been seen.
  unsigned observe(std::uint64_t state) {
    for (unsigned i = 0; i < used_; ++i) {
      if (seen_[i] == state) return ++repeats_;
    }
    seen_[next_] = state;
    next_ = (next_ + 1) % kStates;
    if (used_ < kStates) ++used_;
    return repeats_ = 0;
  }

  unsigned repeats() const { return repeats_; }

  /// The thread has read a word since others were asked whether the launch is stuck. A few of them are kept.
  void note_polled(const PolledWord& word) {
    constexpr std::size_t kMost = 16;
    if (polled_.size() < kMost && std::ranges::find(polled_, word) == polled_.end()) polled_.push_back(word);
  }
  const std::vector<PolledWord>& polled() const { return polled_; }
  void forget_polled() { polled_.clear(); }

  /// The thread was met in a loop of which is known that it has changed nothing there since the look before.
  void observe_idle() { ++idle_looks_; }
  unsigned idle_looks() const { return idle_looks_; }

  /// The thread has been through such a loop. Whether it has been through all of it in vote `vote`.
  bool pass(std::uint64_t vote) {
    constexpr unsigned kTwice = 2;  // the first pass may have begun before
    if (std::exchange(vote_of_passes_, vote) != vote) passes_ = 0;
    return ++passes_ >= kTwice;
  }

  /// Whether the thread is in such a loop, as far as it has said. Setting that returns what was so before.
  bool is_idling() const { return is_idling_; }
  bool set_idling(bool is_idling) { return std::exchange(is_idling_, is_idling); }

 private:
  // A loop is met at many of its instructions; so many different states still count as one circle.
  static constexpr unsigned kStates = 64;

  std::uint64_t seen_[kStates];
  unsigned used_ = 0;
  unsigned next_ = 0;
  unsigned repeats_ = 0;
  unsigned idle_looks_ = 0;
  std::uint64_t vote_ = 0;
  std::uint64_t first_ = 0;  // the state at the first look in it
  unsigned looks_ = 0;       // since then
  bool is_idling_ = false;
  std::uint64_t vote_of_passes_ = 0;
  unsigned passes_ = 0;  // in that vote
  std::vector<PolledWord> polled_;
};

/// Whether the thread of `fiber` is in a loop that changes nothing by which it could leave it.
inline bool idles(const detail::Fiber& fiber) {
  const auto* history = static_cast<const SpinHistory*>(fiber.more->history);
  return history != nullptr && history->is_idling();
}

}  // namespace warpfiber::engine
