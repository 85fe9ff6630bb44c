// SPDX-License-Identifier: Apache-2.0
// warpfiber::labeled_partition and binary_partition, an extension: what CUDA has for groups within a warp, for every
// group up to the grid. Called by every thread of the group at the same place, inside a kernel. Groups that lie in one
// block take no memory; each that spreads over blocks takes some until the launch ends.
#pragma once

#include <warpfiber/groups/labeled_group.hpp>

namespace warpfiber {

struct PartitionAccess {
  static labeled_group make(const detail::Membership& membership) { return labeled_group(membership); }
};

namespace detail {

struct PartitionCaller : Caller {
  std::uint64_t label = 0;
  std::uint64_t position = 0;             // among all callers
  PartitionCaller* link = nullptr;        // to the next of the same label, then to the lowest of the next label
  PartitionCaller* next_group = nullptr;  // of the lowest of a label
  Membership result;
};

/// Calls visit(caller) for those of the label of `lowest`.
template <class Visit>
inline void each_of_label(PartitionCaller& lowest, Visit&& visit) {
  for (PartitionCaller* at = &lowest; at != nullptr && at->label == lowest.label; at = at->link) visit(*at);
}

/// Gives the members in each block the set of those there. Blocks are neighbours in the order of ranks.
inline void fill_sets(PartitionCaller& lowest) {
  PartitionCaller* begin = &lowest;
  ThreadSet here;
  const auto hand_out = [&](const PartitionCaller* end) {
    for (; begin != end; begin = begin->link) begin->result.here = here;
    here = {};
  };
  PartitionCaller* behind = nullptr;
  each_of_label(lowest, [&](PartitionCaller& caller) {
    if (caller.result.block != begin->result.block) hand_out(&caller);
    here.add(static_cast<unsigned>(caller.result.rank));
    behind = caller.link;
  });
  hand_out(behind);
}

/// How many blocks have members, and how many threads are members.
struct Extent {
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
};
inline Extent extent_of(PartitionCaller& lowest) {
  Extent extent;
  std::uint64_t block = lowest.result.block;
  each_of_label(lowest, [&](const PartitionCaller& caller) {
    if (extent.blocks == 0 || caller.result.block != block) ++extent.blocks;
    block = caller.result.block;
    ++extent.threads;
  });
  return extent;
}

/// `kByLabel`: groups are ranked by their labels, not by their lowest members. `kName` is an object, the call's name.
template <const auto& kCallName, bool kByLabel>
struct PartitionWork {
  static constexpr const char* kName = kCallName;
  static constexpr bool kAtOnce = true;

  static void run(Caller& lowest) {
    PartitionCaller* groups = grouped(static_cast<PartitionCaller&>(lowest));
    unsigned long long count = 0;
    std::size_t wide = 0;
    for (PartitionCaller* group = groups; group != nullptr; group = group->next_group, ++count) {
      wide += extent_of(*group).blocks > 1 ? 1U : 0U;
    }
    WideMeeting* meetings = wide != 0 ? make_wide_meetings(wide, groups->result.origin) : nullptr;
    unsigned long long rank = 0;
    for (PartitionCaller* group = groups; group != nullptr; group = group->next_group, ++rank) {
      const Extent extent = extent_of(*group);
      WideMeeting* meeting = extent.blocks > 1 ? meetings++ : nullptr;
      if (meeting != nullptr) {
        Phase<WideFields>::init(&meeting->word, static_cast<std::int64_t>(extent.blocks), kName, group->result.origin);
      }
      fill_sets(*group);
      unsigned long long member = 0;
      each_of_label(*group, [&](PartitionCaller& caller) {
        Membership& result = caller.result;
        result.size = extent.threads;
        result.rank = member++;
        result.meta_rank = rank;
        result.meta_size = count;
        result.elsewhere = meeting;
      });
    }
  }

 private:
  /// Links members, and the lowest of each label in the order of their ranks; returns the first of those.
  static PartitionCaller* grouped(PartitionCaller& first) {
    std::uint64_t position = 0;
    for (PartitionCaller* at = &first; at != nullptr; at = at->link) {
      at->link = static_cast<PartitionCaller*>(at->next);
      at->position = position++;
    }
    PartitionCaller* all = sorted_chain<&PartitionCaller::link>(
        &first, [](const PartitionCaller& a, const PartitionCaller& b) { return a.label < b.label; });
    PartitionCaller* groups = nullptr;
    PartitionCaller** end = &groups;
    const PartitionCaller* before = nullptr;
    for (PartitionCaller* at = all; at != nullptr; before = at, at = at->link) {
      if (before != nullptr && before->label == at->label) continue;
      *end = at;
      end = &at->next_group;
    }
    if constexpr (kByLabel) return groups;
    return sorted_chain<&PartitionCaller::next_group>(
        groups, [](const PartitionCaller& a, const PartitionCaller& b) { return a.position < b.position; });
  }
};

template <const auto& kCallName, bool kByLabel, class Group>
inline Membership partition(const Group& group, std::uint64_t label, Site site) {
  PartitionCaller mine;
  mine.label = label;
  mine.result.block = cgd::grid::block_rank();
  mine.result.rank = cgd::block::thread_rank();  // until the work gives it its rank in the group
  mine.result.origin = site;
  call_roll<PartitionWork<kCallName, kByLabel>>(group, mine, site);
  return mine.result;
}

inline constexpr char kLabeledPartitionName[] = "warpfiber::labeled_partition()";
inline constexpr char kBinaryPartitionName[] = "warpfiber::binary_partition()";

}  // namespace detail

/// The threads of `group` for which the predicate is the same as for the caller. If both occur, those where it holds
/// have meta rank 1 of 2, the others 0 of 2; else all are 0 of 1. Any group of <cooperative_groups.h>, a labeled_group
/// or a cluster_tile; of a grid in cooperative launches only.
template <class Group>
inline labeled_group binary_partition(const Group& group, bool predicate, Site site = Site::here()) {
  return PartitionAccess::make(detail::partition<detail::kBinaryPartitionName, true>(group, predicate ? 1 : 0, site));
}

/// The threads of `group` whose label, an integer or a pointer, is the caller's. Groups are ranked in the order of
/// their lowest members; a bool makes it a binary_partition(). The same groups as there.
template <class Group, class Label>
inline labeled_group labeled_partition(const Group& group, Label label, Site site = Site::here()) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>, "labels are integers or pointers");
  if constexpr (std::is_same_v<Label, bool>) {
    return binary_partition(group, label, site);
  } else {
    return PartitionAccess::make(
        detail::partition<detail::kLabeledPartitionName, false>(group, detail::to_bits(label), site));
  }
}

}  // namespace warpfiber
