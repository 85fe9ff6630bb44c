// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of groups that may be larger than a warp and lie in one block: tiles above 32 threads, and the
// block. As in CUDA 13.0's headers, 32 threads at a time ("part") are evaluated as a warp is, then the parts' results
// among each other. If the operator is known, the thread that comes last does both for all, in one rendezvous; else
// each thread is handed what its part brings, evaluates it, and meets the others again for the parts' results. Threads
// that have returned are left out, as in lane_values.hpp.
#pragma once

#include <warpfiber/groups/evaluate.hpp>
#include <warpfiber/groups/reducible.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::detail::GroupCollective;
using warpfiber::detail::GroupMeeting;
using warpfiber::detail::GroupPart;

inline constexpr unsigned kPartSize = 32;
inline constexpr unsigned kMostParts = 1024 / kPartSize;

/// Where a thread is among those that came.
struct BlockPlace {
  unsigned part;   // 0 for the first
  unsigned parts;  // how many there are
  unsigned rank;   // in its part
  unsigned count;  // threads of its part

  bool is_first() const { return part == 0 && rank == 0; }
  bool is_last() const { return part + 1 == parts && rank + 1 == count; }
};

/// What a thread knows after a rendezvous. `own` is its result among its part. The results of the parts below it,
/// `below`, are for scans: T{} in the first part of an exclusive scan, void in that of an inclusive one. The total is
/// the inclusive scan at the last thread.
template <class T>
struct BlockOutcome {
  T own;
  T below;
  T total;
  BlockPlace place;
};

template <class T>
struct BlockOperand : GroupPart {
  BlockOutcome<T> outcome;  // in: own
};

/// A thread's copy of what all of its part bring, or of what the parts bring.
struct BlockSheet : GroupPart {
  const void* own;
  void* all;
  BlockPlace place;
};

struct BlockOffer : GroupPart {
  void* value;
  bool offers;
};

/// The members of a part that came, by rank.
template <class Operand>
class PartRanks {
 public:
  PartRanks(const GroupMeeting& meeting, unsigned first) {
    for (unsigned rank = first; rank < first + kPartSize && rank < meeting.size; ++rank) {
      if (meeting.parts[rank] != nullptr) operands_[count_++] = static_cast<Operand*>(meeting.parts[rank]);
    }
  }

  unsigned count() const { return count_; }
  Operand& operator[](unsigned rank) const { return *operands_[rank]; }

 private:
  unsigned count_ = 0;
  Operand* operands_[kPartSize];
};

/// Calls visit(part, its number) for every part of which somebody came; returns how many there are.
template <class Operand, class Visit>
inline unsigned each_part(const GroupMeeting& meeting, Visit&& visit) {
  unsigned parts = 0;
  for (unsigned first = 0; first < meeting.size; first += kPartSize) {
    const PartRanks<Operand> part(meeting, first);
    if (part.count() != 0) visit(part, parts++);
  }
  return parts;
}

/// Evaluates one part; returns what it contributes to the others.
template <Form kForm, class T, class Op>
inline T complete_part(const PartRanks<BlockOperand<T>>& part, unsigned number) {
  const unsigned count = part.count();
  T values[kPartSize];
  for (unsigned rank = 0; rank < count; ++rank) values[rank] = part[rank].outcome.own;
  if constexpr (kForm == Form::reduction) {
    reduce_all<kPartSize, kPartSize>(values, count, Op());
  } else {
    scan_all(values, count, Op());
  }
  const T contribution = values[kForm == Form::reduction ? 0 : count - 1];
  if constexpr (kForm == Form::exclusive) {
    for (unsigned rank = count; rank-- > 1;) values[rank] = values[rank - 1];
  }
  for (unsigned rank = 0; rank < count; ++rank) {
    part[rank].outcome.own = values[rank];
    part[rank].outcome.place = {number, 0, rank, count};
  }
  return contribution;
}

template <Form kForm, class T, class Op>
inline void complete_block(const GroupMeeting& meeting) {
  using Part = PartRanks<BlockOperand<T>>;
  T brought[kMostParts];
  const unsigned parts = each_part<BlockOperand<T>>(
      meeting, [&](const Part& part, unsigned number) { brought[number] = complete_part<kForm, T, Op>(part, number); });
  T results[kMostParts];
  for (unsigned i = 0; i < parts; ++i) results[i] = brought[i];
  if constexpr (kForm == Form::reduction) {
    if (is_butterfly_size(parts)) {
      butterfly<kMostParts>(results, parts, Op());
    } else {
      reduce_all<kMostParts, 0>(results, parts, Op());
    }
  } else {
    scan_all(results, parts, Op());
  }
  const T total = results[parts - 1];
  if constexpr (kForm != Form::reduction) make_exclusive<Op>(results, parts, [&](unsigned i) { return brought[i]; });
  each_part<BlockOperand<T>>(meeting, [&](const Part& part, unsigned number) {
    for (unsigned rank = 0; rank < part.count(); ++rank) {
      BlockOutcome<T>& outcome = part[rank].outcome;
      if constexpr (kForm == Form::reduction) outcome.own = results[number];
      outcome.below = results[number];
      outcome.total = total;
      outcome.place.parts = parts;
    }
  });
}

/// Hands every thread what the threads of its part bring.
template <class T>
inline void hand_out_part(const GroupMeeting& meeting) {
  using Part = PartRanks<BlockSheet>;
  const unsigned parts = each_part<BlockSheet>(meeting, [](const Part& part, unsigned number) {
    const unsigned count = part.count();
    std::byte all[kPartSize * sizeof(T)];
    for (unsigned rank = 0; rank < count; ++rank) __builtin_memcpy(all + rank * sizeof(T), part[rank].own, sizeof(T));
    for (unsigned rank = 0; rank < count; ++rank) {
      __builtin_memcpy(part[rank].all, all, count * sizeof(T));
      part[rank].place = {number, 0, rank, count};
    }
  });
  each_part<BlockSheet>(meeting, [&](const Part& part, unsigned) {
    for (unsigned rank = 0; rank < part.count(); ++rank) part[rank].place.parts = parts;
  });
}

/// Hands every thread what the parts bring: a reduction's is with the first of each, a scan's with the last.
template <Form kForm, class T>
inline void hand_out_parts(const GroupMeeting& meeting) {
  using Part = PartRanks<BlockSheet>;
  std::byte all[kMostParts * sizeof(T)];
  const unsigned parts = each_part<BlockSheet>(meeting, [&](const Part& part, unsigned number) {
    const unsigned from = kForm == Form::reduction ? 0 : part.count() - 1;
    __builtin_memcpy(all + number * sizeof(T), part[from].own, sizeof(T));
  });
  each_part<BlockSheet>(meeting, [&](const Part& part, unsigned) {
    for (unsigned rank = 0; rank < part.count(); ++rank) __builtin_memcpy(part[rank].all, all, parts * sizeof(T));
  });
}

template <class T>
inline void pass_on_in_block(const GroupMeeting& meeting) {
  const void* value = nullptr;
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    const auto* offer = static_cast<BlockOffer*>(meeting.parts[rank]);
    if (offer != nullptr && (offer->offers || value == nullptr)) value = offer->value;
  }
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    auto* offer = static_cast<BlockOffer*>(meeting.parts[rank]);
    if (offer != nullptr && offer->value != value) __builtin_memcpy(offer->value, value, sizeof(T));
  }
}

template <Form kForm, class T, class Op>
inline constexpr GroupCollective kBlockCollective{name_of(kForm), complete_block<kForm, T, Op>};

template <Form kForm, class T>
inline constexpr GroupCollective kHandOutPart{name_of(kForm), hand_out_part<T>};

template <Form kForm, class T>
inline constexpr GroupCollective kHandOutParts{name_of(kForm), hand_out_parts<kForm, T>};

template <class T>
inline constexpr GroupCollective kPassOnInBlock{"cg::scan_update()", pass_on_in_block<T>};

/// The part that the calling thread takes in a rendezvous of `group`.
template <class Group>
inline GroupPart part_in(const Group& group, Site site) {
  GroupPart part{site, static_cast<unsigned>(group.thread_rank())};
  if constexpr (requires { Group::kIsBlock; }) part.whole_block = Group::kIsBlock;
  return part;
}

template <class Group>
inline WARPFIBER_INLINED void meet_in(const Group& group, const GroupCollective& collective, GroupPart* part) {
  warpfiber::detail::meet(first_thread_of(group), static_cast<unsigned>(group.size()), collective, part);
}

/// What the caller's part makes of the values in `sheet`; for the last of its part, also what the part contributes.
template <Form kForm, class T, class Op>
inline T own_part(const BlockPlace& place, Sheet<T, kPartSize>& sheet, Op& op, T& contribution) {
  if constexpr (kForm == Form::reduction) {
    return contribution = own_reduction<kPartSize>(sheet.values(), place.count, place.rank, op);
  }
  if (kForm == Form::inclusive || place.rank + 1 == place.count) {
    Sheet<T, kPartSize> copy = sheet;
    contribution = own_scan(copy.values(), place.rank, op);
    if constexpr (kForm == Form::inclusive) return contribution;
  }
  return place.rank == 0 ? contribution : own_scan(sheet.values(), place.rank - 1, op);
}

/// The outcome by an operator that is not known.
template <Form kForm, class Group, class T, class Op>
inline BlockOutcome<T> evaluated_in_block(const Group& group, const T& value, Op& op, Site site) {
  Sheet<T, kPartSize> sheet;
  const T brought = value;
  BlockSheet among{part_in(group, site), &brought, sheet.bytes, {}};
  meet_in(group, kHandOutPart<kForm, T>, &among);
  T contribution = value;
  const T own = own_part<kForm>(among.place, sheet, op, contribution);

  Sheet<T, kMostParts> all;
  BlockSheet parts{part_in(group, site), &contribution, all.bytes, {}};
  meet_in(group, kHandOutParts<kForm, T>, &parts);
  const BlockPlace place = among.place;
  if constexpr (kForm == Form::reduction) {
    T* values = all.values();
    const T result = is_butterfly_size(place.parts) ? own_butterfly_of(place.parts, values, place.part, op)
                                                    : own_scan(values, place.parts - 1, op);
    return {result, result, result, place};
  } else {
    BlockOutcome<T> outcome{own, kForm == Form::exclusive ? T{} : own, own, place};
    Sheet<T, kMostParts> copy = all;
    if (place.is_last()) outcome.total = own_scan(copy.values(), place.part, op);
    if (place.part > 0) outcome.below = own_scan(all.values(), place.part - 1, op);
    return outcome;
  }
}

/// Meets the other threads of `group` for a reduction or scan.
template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED BlockOutcome<T> block_outcome(const Group& group, const T& value, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  if constexpr (kKnown<T, Functor>) {
    BlockOperand<T> operand{part_in(group, site), {value, value, value, {}}};
    meet_in(group, kBlockCollective<kForm, T, Functor>, &operand);
    return operand.outcome;
  } else {
    return evaluated_in_block<kForm>(group, value, op, site);
  }
}

/// The caller's result of a scan. `below` is what everything below its part comes to; `first`: there is nothing.
template <Form kForm, class T, class Op>
inline T result_above(const BlockOutcome<T>& outcome, const T& below, bool first, Op& op) {
  if (kForm == Form::exclusive && outcome.place.rank == 0) return below;
  return first ? outcome.own : op(outcome.own, below);
}

template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED T block_result(const Group& group, const T& value, Op& op, Site site) {
  const BlockOutcome<T> outcome = block_outcome<kForm>(group, value, op, site);
  if constexpr (kForm == Form::reduction) {
    return outcome.own;
  } else {
    return result_above<kForm>(outcome, outcome.below, outcome.place.part == 0, op);
  }
}

/// `value` as the thread that offers has it, for all threads of `group`.
template <class Group, class T>
inline WARPFIBER_INLINED T taken_in_block(bool offers, const Group& group, T value, Site site) {
  BlockOffer offer{part_in(group, site), &value, offers};
  meet_in(group, kPassOnInBlock<T>, &offer);
  return value;
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
