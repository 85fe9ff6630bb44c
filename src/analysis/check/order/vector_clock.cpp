// SPDX-License-Identifier: Apache-2.0
// The tree of blocks: a leaf says what is known of one block, a node has eight parts of equal size, each a leaf, a node
// or nothing, and stands at the lowest level that holds them all. As in a Patricia trie (Morrison 1968), whose union
// Okasaki and Gill describe ("Fast Mergeable Integer Maps", 1998).
#include "check/order/vector_clock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <vector>

namespace warpfiber::check {
namespace {

constexpr unsigned kBitsOfLevel = 3;
constexpr unsigned kParts = 1U << kBitsOfLevel;

}  // namespace

/// The kinds of parts, and how two become one.
class VectorClockJoin {
 public:
  /// Lanes of one warp that are known up to the same time.
  struct LanesUpTo {
    unsigned warp;
    std::uint32_t clock;
    std::uint64_t lanes;

    friend bool operator==(const LanesUpTo&, const LanesUpTo&) = default;
  };

  /// By warp, and the latest first.
  static bool goes_before(const LanesUpTo& one, const LanesUpTo& other) {
    return one.warp != other.warp ? one.warp < other.warp : one.clock > other.clock;
  }

  /// The block of which this is known up to `least`; each lane appears once, with its latest time.
  static void keep_latest(std::vector<LanesUpTo>& sorted, std::uint32_t least) {
    std::size_t kept = 0;
    std::uint64_t seen = 0;  // lanes of the warp
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      LanesUpTo next = sorted[i];
      if (i == 0 || next.warp != sorted[i - 1].warp) seen = 0;
      const std::uint64_t lanes = next.lanes & ~seen;
      seen |= next.lanes;
      if (lanes == 0 || next.clock <= least) continue;
      next.lanes = lanes;
      const bool joins = kept != 0 && sorted[kept - 1].warp == next.warp && sorted[kept - 1].clock == next.clock;
      if (joins) {
        sorted[kept - 1].lanes |= lanes;
      } else {
        sorted[kept++] = next;
      }
    }
    sorted.resize(kept);
  }

  struct Leaf : VectorClock {
    Leaf(std::uint64_t block, std::uint32_t least, std::vector<LanesUpTo> sorted)
        : VectorClock(0, block), lanes(std::move(sorted)) {
      earliest_ = latest_ = least;
      for (const LanesUpTo& one : lanes) latest_ = std::max(latest_, one.clock);
    }

    bool covers(unsigned warp, unsigned lane, std::uint32_t clock) const {
      if (clock <= earliest_) return true;
      auto at = std::ranges::lower_bound(lanes, warp, {}, &LanesUpTo::warp);
      for (; at != lanes.end() && at->warp == warp && clock <= at->clock; ++at) {
        if ((at->lanes >> lane & 1) != 0) return true;
      }
      return false;
    }

    std::vector<LanesUpTo> lanes;  // that are known longer than the whole block
  };

  struct ClockNode : VectorClock {
    ClockNode(unsigned level, std::uint64_t first) : VectorClock(level, first) {}

    unsigned part_of(std::uint64_t block) const {
      return static_cast<unsigned>(block >> (kBitsOfLevel * (level_ - 1))) & (kParts - 1);
    }
    void sum_up() {
      earliest_ = ~0U;
      for (const VectorClockRef& part : parts) {
        earliest_ = std::min(earliest_, part ? part.get()->earliest_ : 0);
        if (part) latest_ = std::max(latest_, part->latest());
      }
    }

    std::array<VectorClockRef, kParts> parts{};
  };

  static const Leaf& leaf(const VectorClock& part) { return static_cast<const Leaf&>(part); }
  static const ClockNode& node(const VectorClock& part) { return static_cast<const ClockNode&>(part); }

  static VectorClockRef join(const VectorClockRef& one, const VectorClockRef& other) {
    if (!other || one == other) return one;
    if (!one) return other;
    if (one->level_ < other->level_) return join(other, one);
    const unsigned shift = kBitsOfLevel * one->level_;
    if (one->first_ >> shift != other->first_ >> shift) return part_above(one, other);
    if (one->earliest_ >= other->latest_) return one;
    if (one->level_ > other->level_) return with_part(one, other);
    if (other->earliest_ >= one->latest_) return other;
    return one->level_ == 0 ? join_leaves(one, other) : join_nodes(one, other);
  }

  static VectorClockRef only(VectorClockRef known, std::uint64_t block) {
    while (known && known->level_ != 0) {
      const ClockNode& all = node(*known.get());
      known = VectorClockRef(all.parts[all.part_of(block)]);
    }
    return known && known->first_ == block ? known : VectorClockRef();
  }

  static VectorClockRef leaf_of(std::uint64_t block, std::span<const Entry> entries) {
    std::uint32_t least = 0;
    std::vector<LanesUpTo> lanes;
    for (const auto& [members, clock] : entries) {
      if (members.warp == BlockPart::kWholeBlock) {
        least = std::max(least, clock);
      } else {
        lanes.push_back({members.warp, clock, members.lanes});
      }
    }
    std::ranges::sort(lanes, goes_before);
    keep_latest(lanes, least);
    return VectorClockRef(new Leaf(block, least, std::move(lanes)));
  }

 private:
  /// Neither holds the other.
  static VectorClockRef part_above(const VectorClockRef& one, const VectorClockRef& other) {
    const auto bits = static_cast<unsigned>(std::bit_width(one->first_ ^ other->first_));
    const unsigned level = (bits + kBitsOfLevel - 1) / kBitsOfLevel;
    const std::uint64_t below = kBitsOfLevel * level < 64 ? (std::uint64_t{1} << kBitsOfLevel * level) - 1 : ~0ULL;
    ClockNode* above = new ClockNode(level, one->first_ & ~below);
    VectorClockRef made(above);
    above->parts[above->part_of(one->first_)] = one;
    above->parts[above->part_of(other->first_)] = other;
    above->sum_up();
    return made;
  }

  /// `other` belongs into one part of `one`.
  static VectorClockRef with_part(const VectorClockRef& one, const VectorClockRef& other) {
    const ClockNode& all = node(*one.get());
    const unsigned at = all.part_of(other->first_);
    VectorClockRef part = join(all.parts[at], other);
    if (part == all.parts[at]) return one;
    ClockNode* changed = new ClockNode(all.level_, all.first_);
    VectorClockRef made(changed);
    changed->parts = all.parts;
    changed->parts[at] = std::move(part);
    changed->sum_up();
    return made;
  }

  static VectorClockRef join_nodes(const VectorClockRef& one, const VectorClockRef& other) {
    const ClockNode& mine = node(*one.get());
    const ClockNode& theirs = node(*other.get());
    std::array<VectorClockRef, kParts> parts;
    for (unsigned i = 0; i < kParts; ++i) parts[i] = join(mine.parts[i], theirs.parts[i]);
    if (parts == mine.parts) return one;
    if (parts == theirs.parts) return other;
    ClockNode* changed = new ClockNode(mine.level_, mine.first_);
    VectorClockRef made(changed);
    changed->parts = std::move(parts);
    changed->sum_up();
    return made;
  }

  static VectorClockRef join_leaves(const VectorClockRef& one, const VectorClockRef& other) {
    const Leaf& mine = leaf(*one.get());
    const Leaf& theirs = leaf(*other.get());
    const std::uint32_t least = std::max(mine.earliest_, theirs.earliest_);
    std::vector<LanesUpTo> lanes;
    lanes.reserve(mine.lanes.size() + theirs.lanes.size());
    std::ranges::merge(mine.lanes, theirs.lanes, std::back_inserter(lanes), goes_before);
    keep_latest(lanes, least);
    if (least == mine.earliest_ && lanes == mine.lanes) return one;
    if (least == theirs.earliest_ && lanes == theirs.lanes) return other;
    return VectorClockRef(new Leaf(mine.first_, least, std::move(lanes)));
  }
};

void VectorClock::destroy(VectorClock* part) {
  if (part->level_ == 0) {
    delete static_cast<VectorClockJoin::Leaf*>(part);
  } else {
    delete static_cast<VectorClockJoin::ClockNode*>(part);
  }
}

/// Null if nothing is known of the block.
const VectorClock* VectorClock::leaf_of(std::uint64_t block) const {
  const VectorClock* at = this;
  while (at != nullptr && at->level_ != 0) {
    const VectorClockJoin::ClockNode& node = VectorClockJoin::node(*at);
    at = node.parts[node.part_of(block)].get();
  }
  return at != nullptr && at->first_ == block ? at : nullptr;
}

bool VectorClock::names(std::uint64_t block) const {
  return leaf_of(block) != nullptr;
}

bool VectorClock::covers(const Who& who, std::uint32_t clock) const {
  if (clock > latest_) return false;
  const VectorClock* leaf = leaf_of(who.block);
  return leaf != nullptr && VectorClockJoin::leaf(*leaf).covers(who.warp, who.lane, clock);
}

VectorClockRef join(const VectorClockRef& one, const VectorClockRef& other) {
  return VectorClockJoin::join(one, other);
}

VectorClockRef join(const VectorClockRef& known, std::span<const Entry> more) {
  VectorClockRef all = known;
  while (!more.empty()) {
    const std::uint64_t block = more.front().members.block;
    const auto end = std::ranges::find_if(more, [block](const Entry& one) { return one.members.block != block; });
    const auto count = static_cast<std::size_t>(end - more.begin());
    all = join(all, VectorClockJoin::leaf_of(block, more.first(count)));
    more = more.subspan(count);
  }
  return all;
}

VectorClockRef only(const VectorClockRef& known, std::uint64_t block) {
  return VectorClockJoin::only(known, block);
}

VectorClockRef without(const VectorClockRef& known, std::uint64_t block, std::uint32_t clock) {
  return known && known->names_only(block) && known->latest() <= clock ? VectorClockRef() : known;
}

}  // namespace warpfiber::check
