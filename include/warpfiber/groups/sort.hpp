// SPDX-License-Identifier: Apache-2.0
// warpfiber::sort, an extension: the threads of a group put their keys, and values with them, into the order of their
// ranks. Called by every thread of the group at the same place, inside a kernel. Announced for
// cooperative groups once; no CUDA has it.
#pragma once

#include <warpfiber/groups/roll_call.hpp>

#include <concepts>
#include <functional>

namespace warpfiber {
namespace detail {

/// The comparison that is meant: CUDA's functors of these names return one of their operands.
template <class Compare>
struct Ordering {
  using Type = Compare;
};
template <class T>
struct Ordering<::cooperative_groups::less<T>> {
  using Type = std::less<>;
};
template <class T>
struct Ordering<::cooperative_groups::greater<T>> {
  using Type = std::greater<>;
};
template <class Compare>
using OrderingOf = typename Ordering<std::remove_cvref_t<Compare>>::Type;

template <class Compare, class Key>
inline constexpr bool kCompares =
    std::is_invocable_r_v<bool, OrderingOf<Compare>&, const Key&, const Key&> && !std::is_arithmetic_v<Compare>;

/// The comparison runs no code of the user's and has no state.
template <class Key, class Compare>
inline constexpr bool kPlainOrdering = (std::is_arithmetic_v<Key> ||
                                        std::is_pointer_v<Key>)&&(std::is_same_v<Compare, std::less<>> ||
                                                                  std::is_same_v<Compare, std::less<Key>> ||
                                                                  std::is_same_v<Compare, std::greater<>> ||
                                                                  std::is_same_v<Compare, std::greater<Key>>);

struct NoValue {};

template <class Key, class Value, class Compare>
struct SortCaller : Caller {
  struct Record {
    Key key;
    [[no_unique_address]] Value value;
  };

  SortCaller(const Key& key, const Value& value, Compare* with)
      : brought{key, value}, sorted{key, value}, compare(with) {}

  Record brought;
  Record sorted;
  SortCaller* link = nullptr;
  Compare* compare;
};

template <class Key, class Value, class Compare>
struct SortWork {
  using Mine = SortCaller<Key, Value, Compare>;
  static constexpr const char* kName = "warpfiber::sort()";
  static constexpr bool kAtOnce = kPlainOrdering<Key, Compare>;

  static bool comes_before(const Key& a, const Key& b, Compare& compare) {
    if constexpr (kAtOnce && std::is_floating_point_v<Key>) {
      if (__builtin_isnan(a)) return false;
      if (__builtin_isnan(b)) return true;
    }
    return static_cast<bool>(compare(a, b));
  }

  static void run(Caller& lowest) {
    auto& first = static_cast<Mine&>(lowest);
    for (Mine* at = &first; at != nullptr; at = at->link) at->link = static_cast<Mine*>(at->next);
    Compare& compare = *first.compare;
    const Mine* from = sorted_chain<&Mine::link>(
        &first, [&](const Mine& a, const Mine& b) { return comes_before(a.brought.key, b.brought.key, compare); });
    for (Caller* to = &first; to != nullptr; to = to->next, from = from->link) {
      static_cast<Mine*>(to)->sorted = from->brought;
    }
  }
};

template <class T>
constexpr void require_sortable() {
  static_assert(!std::is_const_v<T>, "what is sorted is written: it must not be const");
  static_assert(cgd::kCopiesBytewise<T>, "keys and values that are sorted have to be trivially copyable");
}

template <class Group, class Key, class Value, class Compare>
inline void sort_records(const Group& group, Key& key, Value& value, Compare& compare, Site site) {
  require_sortable<Key>();
  require_sortable<Value>();
  using Order = OrderingOf<Compare>;
  using Work = SortWork<Key, Value, Order>;
  if constexpr (std::is_same_v<Order, std::remove_const_t<Compare>>) {
    typename Work::Mine mine(key, value, const_cast<Order*>(&compare));
    call_roll<Work>(group, mine, site);
    key = mine.sorted.key;
    value = mine.sorted.value;
  } else {
    Order order;
    sort_records(group, key, value, order, site);
  }
}

}  // namespace detail

/// Afterwards the thread of rank r of `group` has the r-th smallest of the keys that its threads pass. Any
/// group of <cooperative_groups.h>, a labeled_group or a cluster_tile; of a grid in cooperative launches only. Keys are
/// of any trivially copyable type. Equal keys keep the order of the ranks; floating-point keys that are no numbers come
/// last. One synchronisation within a warp or a block, if keys are numbers or pointers and the order is std::less,
/// std::greater or CUDA's functors of these names.
template <class Group, class Key>
inline void sort(const Group& group, Key& key, Site site = Site::here()) {
  std::less<> ascending;
  detail::NoValue none;
  detail::sort_records(group, key, none, ascending, site);
}

/// The same by `compare(a, b)`, true if a comes before b, a strict weak ordering. Which thread calls it, and with whose
/// copy, is not specified, so it has to be equal in all of them; it must not wait for other threads.
template <class Group, class Key, class Compare>
requires(detail::kCompares<Compare, Key>) inline void sort(const Group& group, Key& key, Compare&& compare,
                                                           Site site = Site::here()) {
  detail::NoValue none;
  detail::sort_records(group, key, none, compare, site);
}

/// Sorts by the keys; each value goes where its key goes.
template <class Group, class Key, class Value>
requires(!detail::kCompares<Value, Key> && !std::same_as<Value, Site>) inline void sort(const Group& group, Key& key,
                                                                                        Value& value,
                                                                                        Site site = Site::here()) {
  std::less<> ascending;
  detail::sort_records(group, key, value, ascending, site);
}

template <class Group, class Key, class Value, class Compare>
requires(detail::kCompares<Compare, Key>) inline void sort(const Group& group, Key& key, Value& value,
                                                           Compare&& compare, Site site = Site::here()) {
  detail::sort_records(group, key, value, compare, site);
}

}  // namespace warpfiber
