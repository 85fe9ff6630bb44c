// SPDX-License-Identifier: Apache-2.0
// The rendezvous that a worker's threads have completed and that progress has counted: threads that vote, exchange
// values or meet at barriers again and again may do nothing else. After many of them in which nobody got on otherwise
// all threads are looked at, several times in a row (liveness/meeting_looks.hpp). Counted in the work of threads, so
// that the clock takes no part in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace warpfiber::engine {

class MeetingCount {
 public:
  /// `is_slow`: meetings take long, as each access between them is checked, or a policy chooses among all threads.
  void begin(bool is_slow) {
    patience_ = is_slow ? kPatienceWhereSlow : kPatience;
    set_met(0);
    weight_ = gain_ = 0;
    is_asked_ = false;
    start_over();
  }

  /// A rendezvous is complete, or `times` of them. `weight`: the warps that took part.
  void note(unsigned weight, std::uint64_t times = 1) {
    set_met(met_ + times);
    weight_ += weight * times;
  }

  /// Any worker may ask.
  std::uint64_t met() const { return __atomic_load_n(&met_, __ATOMIC_RELAXED); }

  /// Whether it is time for a look. `progress` is that of the OS thread.
  bool is_due(std::uint64_t progress) {
    if (weight_ < due_) return false;
    if (const std::uint64_t gain = progress - met_; gain != gain_) {
      gain_ = gain;
      start_over();
      return false;
    }
    return is_asked_ = true;
  }
  /// Whether the worker's own stack is to look now.
  bool take_question() { return std::exchange(is_asked_, false); }
  /// Whether looks come so soon that all are to meet in the same way, and in turn: convoys leave states that differ.
  bool is_near_look() const { return is_series_; }
  /// The same, and nobody has got on since the last look. `progress` as above.
  bool is_in_series(std::uint64_t progress) const { return is_series_ && progress - met_ == gain_; }

  /// Somebody has got on.
  void start_over() {
    is_series_ = false;
    wait_ = patience_;
    since_ = weight_;
    due_ = weight_ + wait_;
  }
  /// Whether each of `warps` warps has met so often since then that a look costs little; else that is waited for.
  bool is_worth_a_look(std::uint64_t warps) {
    if (is_series_ || weight_ - since_ >= warps * kWorthLook) return is_series_ = true;
    due_ = since_ + warps * kWorthLook;
    return false;
  }
  /// The next look of the series comes when each of `warps` warps may have met a few times.
  void look_again(std::uint64_t warps) { due_ = weight_ + std::max(kShortest, warps * kMeetings); }
  /// Threads get on, as far as can be seen: the next series comes later.
  void give_up(std::uint64_t warps) {
    is_series_ = false;
    wait_ = 2 * std::max(wait_, warps * kWorthLook);
    due_ = weight_ + wait_;
  }

 private:
  static constexpr std::uint64_t kPatience = 16 * 1024;
  static constexpr std::uint64_t kPatienceWhereSlow = 2 * 1024;
  static constexpr std::uint64_t kWorthLook = 64;
  static constexpr std::uint64_t kShortest = 32;
  static constexpr std::uint64_t kMeetings = 4;

  void set_met(std::uint64_t met) { __atomic_store_n(&met_, met, __ATOMIC_RELAXED); }

  std::uint64_t patience_ = kPatience;
  std::uint64_t met_ = 0;
  std::uint64_t weight_ = 0;
  std::uint64_t due_ = 0;  // these are weights, too
  std::uint64_t wait_ = 0;
  std::uint64_t since_ = 0;  // when somebody got on last
  std::uint64_t gain_ = 0;   // progress without meetings, when that was asked last
  bool is_asked_ = false;
  bool is_series_ = false;
};

}  // namespace warpfiber::engine
