// SPDX-License-Identifier: Apache-2.0
// The barriers and collectives of threads that run as loops.
#include "machine/region_meetings.hpp"

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/matrix.hpp>
#include <warpfiber/detail/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace warpfiber::machine {

namespace {

using detail::Formula;
using detail::kLanesOfMask;
using detail::kThreadReturned;
using detail::kThreadsStuck;

constexpr unsigned kLanes = 32;

/// The regions that threads have come to, a bit each.
class RegionSet {
 public:
  void add(unsigned region) { words_[region / 64] |= std::uint64_t{1} << region % 64; }
  void remove(unsigned region) { words_[region / 64] &= ~(std::uint64_t{1} << region % 64); }
  /// The lowest from `first` on, or kThreadReturned.
  unsigned lowest(unsigned first = 0) const {
    std::uint64_t wanted = ~std::uint64_t{0} << first % 64;
    for (unsigned word = first / 64; word < 4; ++word) {
      if ((words_[word] & wanted) != 0)
        return word * 64 + static_cast<unsigned>(std::countr_zero(words_[word] & wanted));
      wanted = ~std::uint64_t{0};
    }
    return kThreadReturned;
  }

 private:
  std::uint64_t words_[4] = {};
};

/// Whether 32 bytes, one of each lane, are `value`.
bool are_all(const std::uint8_t* bytes, std::uint8_t value) {
  std::uint64_t words[4];
  std::memcpy(words, bytes, sizeof words);
  const std::uint64_t same = value * 0x0101010101010101U;
  return ((words[0] ^ same) | (words[1] ^ same) | (words[2] ^ same) | (words[3] ^ same)) == 0;
}

/// Whether all 32 threads from `next` on have come to one region.
bool are_together(const std::uint8_t* next) {
  return are_all(next, next[0]);
}

/// The first byte that is not `value`, or `end`. Most often whole warps are the same.
const std::uint8_t* end_of(std::uint8_t value, const std::uint8_t* begin, const std::uint8_t* end) {
  while (end - begin >= kLanes && are_all(begin, value)) begin += kLanes;
  while (begin != end && *begin == value) ++begin;
  return begin;
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
  const auto first = static_cast<unsigned>(end_of(0, active, active + threads) - active);
  unsigned end = threads;
  while (end >= first + kLanes && are_all(active + end - kLanes, 0)) end -= kLanes;
  while (end > first && active[end - 1] == 0) --end;
  return {first, end, std::memchr(active + first, 0, end - first) == nullptr ? 1U : 0U};
}

void activate(const std::uint8_t* next, std::uint8_t* active, unsigned threads, unsigned region) {
  for (unsigned i = 0; i < threads; ++i) active[i] = next[i] == region ? 1 : 0;
}

/// Those of one group that have come to `region`, if the others have returned. False: there are none.
bool activate_group(const std::uint8_t* next, std::uint8_t* active, unsigned first, unsigned end, unsigned region) {
  bool some = false;
  bool all = true;
  for (unsigned i = first; i < end; ++i) {
    const bool here = next[i] == region;
    active[i] = here ? 1 : 0;
    some |= here;
    all &= here || next[i] == kThreadReturned;
  }
  if (some && !all) std::memset(active + first, 0, end - first);
  return some && all;
}

/// Of the threads that have come to `region`, those whose group has come as a whole. False: there are none.
bool activate_groups(const std::uint8_t* next, std::uint8_t* active, unsigned threads, unsigned region,
                     unsigned lanes) {
  bool found = false;
  for (unsigned warp = 0; warp < threads; warp += kLanes) {
    if (warp + kLanes <= threads && are_together(next + warp)) {
      const bool here = next[warp] == region;
      std::memset(active + warp, here ? 1 : 0, kLanes);
      found |= here;
      continue;
    }
    const unsigned end = std::min(warp + kLanes, threads);
    for (unsigned first = warp; first < end; first += lanes) {
      found |= activate_group(next, active, first, std::min(first + lanes, end), region);
    }
  }
  return found;
}

std::uint32_t bits_of(const std::uint8_t* next, unsigned first, unsigned end, unsigned region) {
  std::uint32_t bits = 0;
  for (unsigned i = first; i < end; ++i) bits |= (next[i] == region ? 1U : 0U) << i % kLanes;
  return bits;
}

/// Whether all lanes of `lanes`, which have come, name `mask`.
bool agree(const std::uint32_t* masks, std::uint32_t lanes, std::uint32_t mask) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (masks[std::countr_zero(lanes)] != mask) return false;
  }
  return true;
}

/// The same where each lane names those that it meets: all live ones have come, and name the same.
bool activate_masked(const std::uint8_t* next, std::uint8_t* active, unsigned threads, unsigned region,
                     const std::uint32_t* masks) {
  bool found = false;
  for (unsigned first = 0; first < threads; first += kLanes) {
    const unsigned end = std::min(first + kLanes, threads);
    const std::uint32_t here = bits_of(next, first, end, region);
    const std::uint32_t live = ~bits_of(next, first, end, kThreadReturned);
    std::uint32_t chosen = 0;
    for (std::uint32_t rest = here; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint32_t mask = masks[first + lane];
      const std::uint32_t group = mask & live & (end - first == kLanes ? ~0U : (1U << (end - first)) - 1);
      const bool named = (group >> lane & 1) != 0;
      if (named && (group & ~here) == 0 && agree(masks + first, group, mask)) chosen |= std::uint32_t{1} << lane;
    }
    for (unsigned i = first; i < end; ++i) active[i] = chosen >> i % kLanes & 1;
    found |= chosen != 0;
  }
  return found;
}

/// Lanes of one group: which of them take part, as bits, and where the first is.
struct Group {
  std::uint32_t live;
  unsigned first;
  unsigned end;
};

/// The bits of lanes that are in one warp.
std::uint32_t all_bits(unsigned first, unsigned end) {
  return ~std::uint32_t{0} >> (kLanes - (end - first)) << first % kLanes;
}

std::uint32_t live_of(const std::uint8_t* next, unsigned first, unsigned end) {
  if (next == nullptr) return all_bits(first, end);
  if (end - first == kLanes && are_together(next + first)) return next[first] == kThreadReturned ? 0 : ~0U;
  return all_bits(first, end) & ~bits_of(next, first, end, kThreadReturned);
}

template <class Visit>
void for_each_group(unsigned lanes, const std::uint8_t* next, unsigned threads, Visit&& visit) {
  for (unsigned first = 0; first < threads; first += lanes) {
    const unsigned end = std::min(first + lanes, threads);
    const std::uint32_t live = live_of(next, first, end);
    if (live != 0) visit(Group{live, first, end});
  }
}

bool is_live(const Group& group, unsigned thread) {
  return (group.live >> thread % kLanes & 1) != 0;
}

/// A bit for each lane: compilers make vectors of a table, and of shifts only for processors with AVX2.
constexpr std::array<std::uint32_t, kLanes> kBits = [] {
  std::array<std::uint32_t, kLanes> bits{};
  for (unsigned lane = 0; lane < kLanes; ++lane) bits[lane] = std::uint32_t{1} << lane;
  return bits;
}();

template <class Word>
Word vote_of(Formula formula, const Word* brought, const Group& group) {
  const std::uint32_t* bits = kBits.data() + group.first % kLanes;
  std::uint32_t votes = 0;
  for (unsigned i = group.first; i < group.end; ++i) votes |= brought[i] != 0 ? bits[i - group.first] : 0;
  return static_cast<Word>(detail::vote_result(formula, votes & group.live, group.live));
}

template <class Word>
Word reduction_of(Formula formula, const Word* brought, const Group& group) {
  const unsigned first = group.first / kLanes * kLanes + static_cast<unsigned>(std::countr_zero(group.live));
  Word result = brought[first];
  for (unsigned i = first + 1; i < group.end; ++i) {
    if (is_live(group, i)) result = detail::combined(formula, result, brought[i]);
  }
  return result;
}

template <class Word>
void match(Formula formula, const Word* brought, Word* results, const Group& group) {
  const Word* warp = brought + group.first / kLanes * kLanes;
  for (unsigned i = group.first; i < group.end; ++i) {
    if (!is_live(group, i)) continue;
    results[i] = static_cast<Word>(
        detail::match_result(formula, group.live, i % kLanes, [warp](unsigned lane) { return warp[lane]; }));
  }
}

template <class Word>
void compute(Formula formula, const Word* brought, Word* results, const Group& group) {
  if (is_match(formula)) return match(formula, brought, results, group);
  const Word result = is_vote(formula) ? vote_of(formula, brought, group) : reduction_of(formula, brought, group);
  if (group.live == all_bits(group.first, group.end)) {
    std::fill(results + group.first, results + group.end, result);
    return;
  }
  for (unsigned i = group.first; i < group.end; ++i) {
    if (is_live(group, i)) results[i] = result;
  }
}

/// Whether a rule of operations on matrices is violated by lanes that have met, of whom `first` is one.
bool is_misused(Formula formula, const detail::LaneArgument* first, const Group& group) {
  if (!detail::is_whole_warp(group.live)) return true;
  return formula == Formula::matrix_access &&
         detail::misuse_of(*static_cast<const detail::MatrixAccess*>(first)).is_found;
}

/// Lanes bring the addresses of their arguments.
void complete(unsigned operation, const std::uint64_t* brought, const Group& group) {
  detail::LaneArgument* arguments[kLanes] = {};
  const unsigned warp = group.first / kLanes * kLanes;
  for (unsigned i = group.first; i < group.end; ++i)
    arguments[i - warp] = reinterpret_cast<detail::LaneArgument*>(brought[i]);
  detail::kCollectives[operation].complete({.arguments = arguments,
                                            .lanes = group.live,
                                            .handed = group.live,
                                            .offered = nullptr,
                                            .warp_size = kLanes,
                                            .capability = RegionDevice::of_thread().capability});
  const detail::LaneArgument* first = arguments[std::countr_zero(group.live)];
  if (is_misused(detail::kOperations[operation].formula, first, group)) RegionDevice::of_thread().has_misuse = true;
}

void compute(unsigned operation, unsigned words, const void* brought, void* results, const Group& group) {
  const Formula formula = detail::kOperations[operation].formula;
  if (is_of_matrices(formula)) {
    complete(operation, static_cast<const std::uint64_t*>(brought), group);
  } else if (words == 1) {
    compute(formula, static_cast<const std::uint32_t*>(brought), static_cast<std::uint32_t*>(results), group);
  } else {
    compute(formula, static_cast<const std::uint64_t*>(brought), static_cast<std::uint64_t*>(results), group);
  }
}

std::uint32_t vote_of_block(Formula formula, const std::uint32_t* brought, const std::uint8_t* next, unsigned threads) {
  unsigned hold = 0;
  unsigned live = 0;
  for (unsigned i = 0; i < threads; ++i) {
    const bool takes_part = next == nullptr || next[i] != kThreadReturned;
    live += takes_part ? 1 : 0;
    hold += takes_part && brought[i] != 0 ? 1 : 0;
  }
  return static_cast<std::uint32_t>(detail::vote_result(formula, hold, live));
}

}  // namespace

constinit thread_local RegionDevice RegionDevice::of_thread_{};

}  // namespace warpfiber::machine

extern "C" {

unsigned warpfiber_regions_next(const std::uint8_t* next, std::uint8_t* active, WarpfiberRegionThreads* threads_of,
                                unsigned threads, const std::uint8_t* lanes, const std::uint32_t* const* masks) {
  using namespace warpfiber::machine;
  *threads_of = {0, threads, 1};
  const auto groups_run = [&](unsigned region) {
    if (lanes[region] == kLanesOfMask) return activate_masked(next, active, threads, region, masks[region]);
    return lanes[region] != 0 && activate_groups(next, active, threads, region, lanes[region]);
  };
  if (std::memcmp(next, next + 1, threads - 1) == 0 && (next[0] == kThreadReturned || lanes[next[0]] != kLanesOfMask)) {
    return next[0];
  }
  const RegionSet regions = regions_of(next, threads);
  unsigned chosen = regions.lowest();
  const bool is_one = regions.lowest(chosen + 1) == kThreadReturned;
  if (is_one && (chosen == kThreadReturned || lanes[chosen] != kLanesOfMask)) {
    activate(next, active, threads, chosen);
  } else {
    while (chosen != kThreadReturned && !groups_run(chosen)) chosen = regions.lowest(chosen + 1);
    if (chosen == kThreadReturned) return kThreadsStuck;
  }
  *threads_of = range_of(active, threads);
  return chosen;
}

void warpfiber_regions_forget_returned(void* exchange, unsigned bytes, const std::uint8_t* next, unsigned threads) {
  using namespace warpfiber::machine;
  const std::uint8_t* end = next + threads;
  for (const std::uint8_t* at = next; at != end;) {
    const auto* first =
        static_cast<const std::uint8_t*>(std::memchr(at, kThreadReturned, static_cast<std::size_t>(end - at)));
    if (first == nullptr) return;
    at = end_of(kThreadReturned, first, end);
    std::memset(static_cast<char*>(exchange) + (first - next) * bytes, 0, static_cast<std::size_t>(at - first) * bytes);
  }
}

void warpfiber_regions_block_collective(unsigned operation, const std::uint32_t* brought, std::uint32_t* result,
                                        const std::uint8_t* next, unsigned threads) {
  *result =
      warpfiber::machine::vote_of_block(warpfiber::detail::kOperations[operation].formula, brought, next, threads);
}

void warpfiber_regions_collective(unsigned operation, unsigned words, unsigned lanes, const void* brought,
                                  void* results, const std::uint8_t* next, unsigned threads) {
  using namespace warpfiber::machine;
  for_each_group(lanes, next, threads, [&](const Group& group) { compute(operation, words, brought, results, group); });
}

void warpfiber_regions_masked_collective(unsigned operation, unsigned words, const void* brought, void* results,
                                         const std::uint8_t* next, const std::uint8_t* active,
                                         const WarpfiberRegionThreads* threads_of, const std::uint32_t* masks) {
  using namespace warpfiber::machine;
  for (unsigned first = threads_of->first / kLanes * kLanes; first < threads_of->end; first += kLanes) {
    const unsigned end = std::min<unsigned>(first + kLanes, threads_of->end);
    std::uint32_t rest = 0;
    for (unsigned i = std::max<unsigned>(first, threads_of->first); i < end; ++i) {
      if (threads_of->all != 0 || active[i] != 0) rest |= std::uint32_t{1} << i % kLanes;
    }
    const std::uint32_t live = ~bits_of(next, first, end, kThreadReturned);
    while (rest != 0) {
      const std::uint32_t group = masks[first + static_cast<unsigned>(std::countr_zero(rest))] & live & rest;
      compute(operation, words, brought, results, Group{group, first, end});
      rest &= ~group;
    }
  }
}

}  // extern "C"
