// SPDX-License-Identifier: Apache-2.0
// A violation is kept by its kind and sites; some later ones of the same kind say more and take its place.
#include "check/running/violation_log.hpp"

#include <algorithm>
#include <utility>

#include "check/cells/sites.hpp"
#include "check/objects/objects.hpp"

namespace warpfiber::check {

const BlockShadow* ViolationLog::owner_of_shared(const void* address) const {
  const BlockShadow& block = running_.block();
  if (block.arena->owns(address)) return &block;
  return numbering_.has_clusters() ? resident_.owner_of(address, block) : nullptr;
}

MemoryPlace ViolationLog::place_of(const void* address) const {
  const BlockShadow* owner = owner_of_shared(address);
  return describe(address, owner == nullptr ? nullptr : owner->arena, owner != &running_.block());
}

/// Whether less would order the two sides of the violation at hand than orders these: what is reported is to put all
/// right that is folded into it.
bool ViolationLog::is_wider(const Violation* known, const Side& earlier, const Side& now) const {
  if (known == nullptr || earlier.launch != now.launch || known->earlier.launch != known->now.launch) return false;
  const auto width = [this](std::uint64_t one, std::uint64_t other) {
    const Who a = numbering_.who_of(one);
    const Who b = numbering_.who_of(other);
    return a.block != b.block ? 2 : a.warp != b.warp ? 1 : 0;
  };
  return width(earlier.thread, now.thread) > width(known->earlier.thread, known->now.thread);
}

unsigned ViolationLog::index_site_of(const Side* earlier, const Side& now) const {
  const unsigned site = bad_indices_.before(now);
  return site != 0 || earlier == nullptr ? site : bad_indices_.before(*earlier);
}

Violation* ViolationLog::add(ViolationKind kind, const Side* earlier, const Side& now, const void* address,
                             unsigned bytes) {
  Violation* made = violations_.add(kind, earlier == nullptr ? kUnknownSite : earlier->site, now.site);
  if (Violation* known = violations_.last(); made == nullptr && kind == ViolationKind::outside && known != nullptr)
    known->highest = std::max(known->highest, address);
  if (made == nullptr && kind == ViolationKind::race && is_wider(violations_.last(), *earlier, now))
    made = violations_.last();
  const unsigned index_site = bad_indices_.none() ? 0 : index_site_of(earlier, now);
  // What shows a defect of its own is kept in place of what a wrong index explains.
  const bool replaces =
      made == nullptr && kind != ViolationKind::outside && index_site == 0 && violations_.last() != nullptr;
  if (replaces && violations_.last()->index_site != 0) made = violations_.last();
  if (made == nullptr) return nullptr;
  made->index_site = index_site;
  made->two_sides = earlier != nullptr;
  if (earlier != nullptr) made->earlier = *earlier;
  made->now = now;
  made->address = made->highest = address;
  made->size = bytes;
  made->place = place_of(address);
  if (kind == ViolationKind::outside) note_shared(*made);
  return made;
}

/// Blocks take their shared memory along.
void ViolationLog::note_shared(Violation& outside) const {
  outside.shared = shared_places(outside.address, *running_.block().arena);
}

Violation* ViolationLog::add_outside(ViolationKind kind, Space space, const Side& now, const void* address,
                                     std::size_t bytes) {
  Violation* made = violations_.add(kind, kUnknownSite, now.site);
  if (made == nullptr) return nullptr;
  made->now = now;
  made->address = address;
  made->size = static_cast<unsigned>(bytes);
  made->place.space = space;
  if (space == Space::host || space == Space::none) note_shared(*made);
  return made;
}

void ViolationLog::widen(const char* address, unsigned bytes) {
  Violation* known = violations_.last();
  if (known != nullptr && static_cast<const char*>(known->address) + known->size == address) known->size += bytes;
}

void ViolationLog::note_overrun(const char* begin, std::size_t bytes) {
  Violation* known = violations_.last();
  if (known == nullptr || known->kind != ViolationKind::outside) return;
  known->begins_inside |= begin < known->address && known->address < begin + bytes;
}

/// It is if its object is the array, or consists of such arrays.
void ViolationLog::follow_bad_index(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  const std::optional<unsigned> index_site = bad_indices_.follow(site, running_.thread());
  if (!index_site.has_value()) return;
  Violation* made = violations_.turn(ViolationKind::index, kUnknownSite, *index_site, ViolationKind::index);
  if (made == nullptr || made->place.space != Space::none || made->now.thread != running_.thread()) return;
  MemoryPlace place = place_of(address);
  if (!is_in_object(bad_indices_.at(*index_site).bad, place)) return;
  made->now.write = use.write;
  made->address = address;
  made->size = static_cast<unsigned>(bytes);
  made->place = std::move(place);
}

}  // namespace warpfiber::check
