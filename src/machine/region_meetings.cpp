// SPDX-License-Identifier: Apache-2.0
// The barriers and collectives of threads that run as loops.
#include "machine/region_meetings.hpp"

#include <warpfiber/detail/machine.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpfiber::machine {

namespace {

constexpr unsigned kLanes = 32;

/// The regions that threads have come to, a bit each.
class RegionSet {
 public:
  void add(unsigned region) { words_[region / 64] |= std::uint64_t{1} << region % 64; }
  void remove(unsigned region) { words_[region / 64] &= ~(std::uint64_t{1} << region % 64); }
  unsigned size() const {
    unsigned count = 0;
    for (const std::uint64_t word : words_) count += static_cast<unsigned>(std::popcount(word));
    return count;
  }
  /// The lowest from `first` on, or kThreadReturned.
  unsigned lowest(unsigned first = 0) const {
    for (unsigned region = first; region < kThreadReturned; ++region) {
      if (words_[region / 64] == 0) {
        region |= 63;
      } else if ((words_[region / 64] >> region % 64 & 1) != 0) {
        return region;
      }
    }
    return kThreadReturned;
  }

 private:
  std::uint64_t words_[4] = {};
};

/// Whether all 32 threads from `next` on have come to one region.
bool are_together(const std::uint8_t* next) {
  std::uint64_t words[4];
  std::memcpy(words, next, sizeof words);
  const std::uint64_t first = next[0] * 0x0101010101010101U;
  return ((words[0] ^ first) | (words[1] ^ first) | (words[2] ^ first) | (words[3] ^ first)) == 0;
}

RegionSet regions_of(const std::uint8_t* next, unsigned threads) {
  RegionSet found;
  for (unsigned first = 0; first < threads; first += kLanes) {
    if (first + kLanes <= threads && are_together(next + first)) {
      found.add(next[first]);
      continue;
    }
    for (unsigned i = first; i < std::min(first + kLanes, threads); ++i) found.add(next[i]);
  }
  found.remove(kThreadReturned);
  return found;
}

/// The threads that have been activated, without those at both ends that have not.
WarpfiberRegionThreads range_of(const std::uint8_t* active, unsigned threads) {
  unsigned first = 0;
  while (first < threads && active[first] == 0) ++first;
  unsigned end = threads;
  while (end > first && active[end - 1] == 0) --end;
  return {first, end, std::memchr(active + first, 0, end - first) == nullptr ? 1U : 0U};
}

void activate(const std::uint8_t* next, std::uint8_t* active, unsigned threads, unsigned region) {
  for (unsigned i = 0; i < threads; ++i) active[i] = next[i] == region ? 1 : 0;
}

/// Of the threads that have come to `region`, those whose group has come as a whole. False: there are none.
bool activate_groups(const std::uint8_t* next, std::uint8_t* active, unsigned threads, unsigned region,
                     unsigned lanes) {
  bool found = false;
  for (unsigned first = 0; first < threads; first += lanes) {
    const unsigned end = std::min(first + lanes, threads);
    bool some = false;
    bool all = true;
    for (unsigned i = first; i < end; ++i) {
      const bool here = next[i] == region;
      active[i] = here ? 1 : 0;
      some |= here;
      all &= here || next[i] == kThreadReturned;
    }
    if (some && !all) std::memset(active + first, 0, end - first);
    found |= some && all;
  }
  return found;
}

/// Lanes of one group: which of them take part, as bits, and where the first is.
struct Group {
  std::uint32_t live;
  unsigned first;
  unsigned end;
};

template <class Visit>
void for_each_group(unsigned lanes, const std::uint8_t* next, unsigned threads, Visit&& visit) {
  for (unsigned first = 0; first < threads; first += lanes) {
    const unsigned end = std::min(first + lanes, threads);
    std::uint32_t live = 0;
    for (unsigned i = first; i < end; ++i) {
      if (next == nullptr || next[i] != kThreadReturned) live |= std::uint32_t{1} << i % kLanes;
    }
    if (live != 0) visit(Group{live, first, end});
  }
}

std::uint32_t vote(RegionVote kind, std::uint32_t votes, std::uint32_t live) {
  switch (kind) {
    case RegionVote::all: return votes == live ? 1 : 0;
    case RegionVote::any: return votes != 0 ? 1 : 0;
    case RegionVote::uniform: return votes == live || votes == 0 ? 1 : 0;
    case RegionVote::ballot: return votes;
  }
  return 0;
}

std::uint32_t combine(RegionReduction kind, std::uint32_t a, std::uint32_t b) {
  const auto is_less = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  switch (kind) {
    case RegionReduction::add: return a + b;
    case RegionReduction::bitwise_and: return a & b;
    case RegionReduction::bitwise_or: return a | b;
    case RegionReduction::exclusive_or: return a ^ b;
    case RegionReduction::min_unsigned: return std::min(a, b);
    case RegionReduction::max_unsigned: return std::max(a, b);
    case RegionReduction::min_signed: return is_less ? a : b;
    case RegionReduction::max_signed: return is_less ? b : a;
  }
  return 0;
}

bool is_live(const Group& group, unsigned thread) {
  return (group.live >> thread % kLanes & 1) != 0;
}

std::uint32_t vote_of(RegionVote kind, const std::uint32_t* brought, const Group& group) {
  std::uint32_t votes = 0;
  for (unsigned i = group.first; i < group.end; ++i) votes |= (brought[i] != 0 ? 1U : 0U) << i % kLanes;
  return vote(kind, votes & group.live, group.live);
}

std::uint32_t reduction_of(RegionReduction kind, const std::uint32_t* brought, const Group& group) {
  const unsigned first = group.first / kLanes * kLanes + static_cast<unsigned>(std::countr_zero(group.live));
  std::uint32_t result = brought[first];
  for (unsigned i = first + 1; i < group.end; ++i) {
    if (is_live(group, i)) result = combine(kind, result, brought[i]);
  }
  return result;
}

void match(bool all, const std::uint64_t* brought, std::uint32_t* results, const Group& group) {
  for (unsigned i = group.first; i < group.end; ++i) {
    std::uint32_t equal = 0;
    for (unsigned k = group.first; k < group.end; ++k) {
      if (is_live(group, k) && brought[k] == brought[i]) equal |= std::uint32_t{1} << k % kLanes;
    }
    results[i] = !all || equal == group.live ? equal : 0;
  }
}

std::uint32_t vote_of_block(detail::BarrierKind kind, const std::uint32_t* brought, const std::uint8_t* next,
                            unsigned threads) {
  unsigned count = 0;
  unsigned live = 0;
  for (unsigned i = 0; i < threads; ++i) {
    const bool takes_part = next == nullptr || next[i] != kThreadReturned;
    live += takes_part ? 1 : 0;
    count += takes_part && brought[i] != 0 ? 1 : 0;
  }
  if (kind == detail::BarrierKind::count) return count;
  return (kind == detail::BarrierKind::all_of ? count == live : count != 0) ? 1 : 0;
}

}  // namespace
}  // namespace warpfiber::machine

extern "C" {

unsigned warpfiber_regions_next(const std::uint8_t* next, std::uint8_t* active, WarpfiberRegionThreads* threads_of,
                                unsigned threads, const std::uint8_t* lanes) {
  using namespace warpfiber::machine;
  *threads_of = {0, threads, 1};
  if (std::memcmp(next, next + 1, threads - 1) == 0) return next[0];
  const RegionSet regions = regions_of(next, threads);
  unsigned chosen = regions.lowest();
  if (regions.size() <= 1) {
    activate(next, active, threads, chosen);
  } else {
    while (chosen != kThreadReturned &&
           (lanes[chosen] == 0 || !activate_groups(next, active, threads, chosen, lanes[chosen]))) {
      chosen = regions.lowest(chosen + 1);
    }
    if (chosen == kThreadReturned) return kThreadsStuck;
  }
  *threads_of = range_of(active, threads);
  return chosen;
}

void warpfiber_regions_collective(unsigned kind, unsigned lanes, const void* brought, std::uint32_t* results,
                                  const std::uint8_t* next, unsigned threads) {
  using namespace warpfiber::machine;
  const auto* words = static_cast<const std::uint32_t*>(brought);
  if (lanes == 0) {
    *results = vote_of_block(static_cast<warpfiber::detail::BarrierKind>(kind), words, next, threads);
    return;
  }
  for_each_group(lanes, next, threads, [&](const Group& group) {
    if (kind >= kRegionMatchAny) {
      match(kind == kRegionMatchAll, static_cast<const std::uint64_t*>(brought), results, group);
      return;
    }
    const std::uint32_t result =
        kind >= kRegionReductions ? reduction_of(static_cast<RegionReduction>(kind - kRegionReductions), words, group)
                                  : vote_of(static_cast<RegionVote>(kind - kRegionVotes), words, group);
    std::fill(results + group.first, results + group.end, result);
  });
}

}  // extern "C"
