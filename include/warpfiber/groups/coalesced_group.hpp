// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::coalesced_group, some lanes of a warp, ranked in the order of their numbers.
// Source: CUDA C++ Programming Guide, "Coalesced Groups"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/lanes.hpp>

namespace cooperative_groups {
inline namespace __v1 {

/// Lanes of one warp. Made by coalesced_threads() and by partitions. Its members other than sizes and ranks wait for
/// all threads of the group; a thread of it that is elsewhere ends the launch with `cg-misuse`.
class coalesced_group : public details::thread_group_base<details::coalesced_group_id> {
 public:
  static constexpr unsigned _group_id = details::coalesced_group_id;
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_block;

  coalesced_group(const coalesced_group&) = default;

  unsigned num_threads() const { return data_.size; }
  unsigned size() const { return data_.size; }
  unsigned thread_rank() const { return rank_in_mask(); }
  /// Rank of this group among those that the partition made of their parent; 0 of 1 for coalesced_threads().
  unsigned meta_group_rank() const { return data_.meta_group_rank; }
  unsigned meta_group_size() const { return data_.meta_group_size; }

  void sync(warpfiber::Site site = warpfiber::Site::here()) const {
    details::sync_lanes(data_.mask, &data_.origin, site);
  }

  /// The value of the thread of rank `source`. A rank that the group does not have ends the launch with `cg-misuse`; on
  /// a device the result is undefined.
  template <class Value, class T = details::Shuffled<Value>>
  WARPFIBER_AT_CALLER T shfl(Value&& value, int source, warpfiber::Site site = warpfiber::Site::here()) const {
    if (WARPFIBER_UNLIKELY(static_cast<unsigned>(source) >= data_.size)) {
      warpfiber::detail::misuse(site, "coalesced_group::shfl()", warpfiber::detail::GroupMisuse::source_not_in_group);
    }
    return take<T>(value, static_cast<unsigned>(source), site);
  }
  /// The value of the thread `delta` ranks above; the caller's own where there is none.
  template <class Value, class T = details::Shuffled<Value>>
  WARPFIBER_AT_CALLER T shfl_down(Value&& value, unsigned delta, warpfiber::Site site = warpfiber::Site::here()) const {
    if (is_warp()) return shuffle<details::Formula::down, T>(value, static_cast<int>(delta), site);
    return take<T>(value, rank_or_own(thread_rank() + steps(static_cast<int>(delta))), site);
  }
  /// The value of the thread `delta` ranks below; the caller's own where there is none.
  template <class Value, class T = details::Shuffled<Value>>
  WARPFIBER_AT_CALLER T shfl_up(Value&& value, int delta, warpfiber::Site site = warpfiber::Site::here()) const {
    if (is_warp()) return shuffle<details::Formula::up, T>(value, delta, site);
    return take<T>(value, rank_or_own(thread_rank() - steps(delta)), site);
  }

  /// Nonzero if the predicate holds for some thread, for every thread.
  int any(int predicate, warpfiber::Site site = warpfiber::Site::here()) const {
    return details::any_of(data_.mask, predicate, at(site));
  }
  int all(int predicate, warpfiber::Site site = warpfiber::Site::here()) const {
    return details::all_of(data_.mask, predicate, at(site));
  }
  /// Bit r is set if the predicate holds for the thread of rank r.
  unsigned ballot(int predicate, warpfiber::Site site = warpfiber::Site::here()) const {
    return details::ballot_of(data_.mask, predicate, at(site));
  }
  /// The ranks whose value has the same bits as the caller's.
  template <class T>
  unsigned match_any(T value, warpfiber::Site site = warpfiber::Site::here()) const {
    return details::match_any_of(data_.mask, value, at(site));
  }
  /// All ranks if all values have the same bits, else 0; `predicate` says which.
  template <class T>
  unsigned match_all(T value, int& predicate, warpfiber::Site site = warpfiber::Site::here()) const {
    return details::match_all_of(data_.mask, value, predicate, at(site));
  }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<void> Result>
  Result sync() const {
    sync(warpfiber::Site{});
  }
  template <std::same_as<int> Result>
  Result any(int predicate) const {
    return any(predicate, warpfiber::Site{});
  }
  template <std::same_as<int> Result>
  Result all(int predicate) const {
    return all(predicate, warpfiber::Site{});
  }
  template <std::same_as<unsigned> Result>
  Result ballot(int predicate) const {
    return ballot(predicate, warpfiber::Site{});
  }

#ifndef WARPFIBER_STRICT_CUDA
  unsigned rank() const {
    return thread_rank();
  }
#endif

 private:
  explicit coalesced_group(const Data& data) : thread_group_base(data) {}

  warpfiber::detail::GroupArgument at(warpfiber::Site site) const {
    return {{site}, &data_.origin};
  }
  /// How far a shuffle reaches for `delta`. The device counts from the caller's own bit, which a delta below 0 meets
  /// twice: -1 and -2 are the caller itself, -3 is one rank in the other direction.
  static long long steps(int delta) {
    return delta >= 0 ? delta : (delta + 2LL < 0 ? delta + 2LL : 0LL);
  }
  unsigned rank_or_own(long long rank) const {
    return rank >= 0 && rank < data_.size ? static_cast<unsigned>(rank) : thread_rank();
  }
  bool is_warp() const {
    return data_.size == static_cast<unsigned>(warpSize);
  }

  template <details::Formula kBy, class T>
  WARPFIBER_AT_CALLER T shuffle(const T& value, int operand, warpfiber::Site site) const {
    return details::shuffle<kBy>(data_.mask, value, operand, warpfiber::detail::kWholeWarp, at(site));
  }
  template <class T>
  WARPFIBER_AT_CALLER T take(const T& value, unsigned rank, warpfiber::Site site) const {
    return shuffle<details::Formula::index, T>(value, static_cast<int>(details::lane_of_rank(data_.mask, rank)), site);
  }

  friend struct details::CoalescedAccess;
};

namespace details {

template <>
inline constexpr bool kFitsWarp<coalesced_group> = true;

struct CoalescedAccess {
  /// The group of `lanes`, the caller's among them, made at `origin` as number `rank` of `count`.
  static coalesced_group make(LaneBits lanes, unsigned rank, unsigned count, Site origin) {
    return coalesced_group({coalesced_group_id, count_lanes(lanes), lanes, rank, count, origin});
  }
  /// `group`, whose type says that it is a coalesced group or a tile.
  static coalesced_group from(const thread_group& group) { return coalesced_group(GroupAccess::data(group)); }
};

}  // namespace details

/// The threads of the caller's warp that reach this call together. How many that are is the policy's choice, because
/// a device does not specify it: by default as many as can arrive before anything else in the warp could run.
inline coalesced_group coalesced_threads(warpfiber::Site site = warpfiber::Site::here()) {
  const auto lanes = static_cast<details::LaneBits>(warpfiber::detail::converged_lanes(site));
  return details::CoalescedAccess::make(lanes, 0, 1, site);
}
template <std::same_as<coalesced_group> Group>
Group coalesced_threads() {
  return coalesced_threads(warpfiber::Site{});
}

}  // namespace __v1
}  // namespace cooperative_groups
