// SPDX-License-Identifier: Apache-2.0
// What an access that is not as it should be is, and who is involved.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/index.hpp"
#include "check/launches.hpp"
#include "check/objects/host_writes.hpp"
#include "check/objects/objects.hpp"
#include "check/values.hpp"
#include "check/watch.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::check {
namespace {

Side with_value(Side side, const void* address) {
  side.around = surroundings_of(address);
  side.has_value = true;
  return side;
}

/// The host's code may reach the memory, also that without hooks.
bool is_of_host(memory::ObjectKind kind) {
  return kind == memory::ObjectKind::pinned;
}

/// Whether bytes of one word hold what fresh memory does.
bool is_poison(const char* address, unsigned bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address) % kWordBytes;
  return std::memcmp(address, reinterpret_cast<const char*>(&memory::kPoisonWord) + first, bytes) == 0;
}

}  // namespace

std::uint64_t Watch::finding_id(std::uint64_t thread) const {
  return (thread >> thread_bits_) * threads_ + (thread & ((1U << thread_bits_) - 1));
}

std::uint64_t Watch::cluster_of(std::uint64_t block) const {
  const base::Triple at = base::unlinear(block, shape_.grid);
  const base::Triple tiles{shape_.grid.x / shape_.cluster.x, shape_.grid.y / shape_.cluster.y,
                           shape_.grid.z / shape_.cluster.z};
  const base::Triple tile{at.x / shape_.cluster.x, at.y / shape_.cluster.y, at.z / shape_.cluster.z};
  return base::linear_index(tile, tiles);
}

Side Watch::side_of(Cell cell, unsigned site, Scope scope) const {
  return {.thread = thread_of(cell),
          .time = clock_of(cell),
          .launch = launch_of(cell),
          .site = site,
          .write = is_write(cell),
          .strong = is_strong(cell),
          .scope = scope};
}

Side Watch::side_now(const Use& use, unsigned site) const {
  return {.thread = segment_.thread(),
          .time = segment_.time,
          .launch = launch_,
          .site = site,
          .write = use.write,
          .strong = use.strong,
          .scope = use.scope};
}

WatchedBlock* Watch::owner_of_shared(const void* address) const {
  if (block_->arena->owns(address)) return block_;
  if (!clusters_) return nullptr;
  const auto owner = std::ranges::find_if(resident_, [this, address](const WatchedBlock* block) {
    return (!block->ended || block->cluster == block_->cluster) && block->arena->owns(address);
  });
  return owner == resident_.end() ? nullptr : *owner;
}

Place Watch::place_of(const void* address) const {
  const WatchedBlock* owner = owner_of_shared(address);
  return describe(address, owner == nullptr ? nullptr : owner->arena, owner != block_);
}

/// Whether less would order the two sides of the case at hand than orders these: what is told is to put all right that
/// is folded into it.
bool Watch::is_wider(const Case* known, const Side& earlier, const Side& now) const {
  if (known == nullptr || earlier.launch != now.launch || known->earlier.launch != known->now.launch) return false;
  const auto width = [this](std::uint64_t one, std::uint64_t other) {
    const Who a = who_of(one);
    const Who b = who_of(other);
    return a.block != b.block ? 2 : a.warp != b.warp ? 1 : 0;
  };
  return width(earlier.thread, now.thread) > width(known->earlier.thread, known->now.thread);
}

unsigned Watch::index_site_of(const Side* earlier, const Side& now) const {
  const unsigned site = bad_indices_.before(now);
  return site != 0 || earlier == nullptr ? site : bad_indices_.before(*earlier);
}

void Watch::add_case(Hazard hazard, const Side* earlier, const Side& now, const void* address, unsigned bytes) {
  Case* made = cases_.add(hazard, earlier == nullptr ? kUnknownSite : earlier->site, now.site);
  if (Case* known = cases_.last(); made == nullptr && hazard == Hazard::outside && known != nullptr)
    known->highest = std::max(known->highest, address);
  if (made == nullptr && hazard == Hazard::race && is_wider(cases_.last(), *earlier, now)) made = cases_.last();
  const unsigned index_site = bad_indices_.none() ? 0 : index_site_of(earlier, now);
  // What shows a defect of its own is kept in place of what a wrong index explains.
  const bool replaces = made == nullptr && hazard != Hazard::outside && index_site == 0 && cases_.last() != nullptr;
  if (replaces && cases_.last()->index_site != 0) made = cases_.last();
  if (made == nullptr) return;
  made->index_site = index_site;
  made->two_sides = earlier != nullptr;
  if (earlier != nullptr) made->earlier = *earlier;
  made->now = now;
  made->address = made->highest = address;
  made->size = bytes;
  made->place = place_of(address);
  if (hazard == Hazard::race) note_order(*made);
}

void Watch::race(std::size_t index, Cell cell, Notes notes, unsigned at, const Use& use, unsigned site) {
  Side earlier = side_of(cell, site_of(notes, at), scope_of(notes, at));
  Side now = side_now(use, site);
  const char* address = shadow.address_of(index) + std::countr_zero(bytes_of(cell));
  const auto bytes = static_cast<unsigned>(std::popcount(bytes_of(cell)));
  if (clock_of(cell) == kPendingClock) {
    add_case(earlier.write ? Hazard::async_destination : Hazard::async_source, &earlier, now, address, bytes);
    return;
  }
  if (earlier.write && now.write && !earlier.strong && !now.strong) {
    racing_stores_.add({address, bytes, value_at(address, bytes), with_value(earlier, address), now});
    return;
  }
  // The hook comes before the access: what was stored is there still, and is what a load will find.
  if (earlier.write) {
    earlier = with_value(earlier, address);
    if (!now.write) now = with_value(now, address);
  }
  add_case(Hazard::race, &earlier, now, address, bytes);
}

void Watch::judge_racing_stores(const Use& use) {
  racing_stores_.come(segment_.thread(), use.write, [this](const RacingStore& store) { judge(store); });
}

void Watch::judge(const RacingStore& store) {
  add_case(store.kept_value() ? Hazard::same_value : Hazard::race, &store.earlier, with_value(store.now, store.address),
           store.address, store.bytes);
}

/// Whether nothing orders that launch, which has begun, before this one.
bool Watch::is_beside(unsigned launch) {
  if (const std::uint64_t begun = launches_begun(); begun != beside_of_) {
    beside_of_ = begun;
    beside_ = launches_beside(order_);
  }
  return beside_[launch];
}

/// The word was last used in another launch.
void Watch::hold_against_launches(std::size_t index, Cell cell, Notes notes, const Use& use, unsigned site) {
  if (!is_beside(launch_of(cell))) return;
  if (!is_write(cell) && !use.write) return;
  if (is_strong(cell) && use.strong) return;
  const Side earlier = side_of(cell, site_of(notes, 0), scope_of(notes, 0));
  add_case(Hazard::race, &earlier, side_now(use, site), shadow.address_of(index), kWordBytes);
}

/// No thread has written these bytes.
void Watch::hold_against_host(std::size_t index, unsigned bytes) {
  const char* address = shadow.address_of(index) + std::countr_zero(bytes);
  const auto size = static_cast<unsigned>(std::popcount(bytes));
  if (host_writes().contain(address, size)) return;
  // Where nobody has written, memory holds what it was filled with.
  if (host_reaches(address, size) && !is_poison(address, size)) return;
  fresh_bytes_ += size;
}

bool Watch::host_reaches(const char* address, unsigned bytes) const {
  if (const KnownObject* known = known_object(address, bytes); known != nullptr) return known->host_reaches;
  const auto object = memory::object_at(address);
  return object.has_value() && is_of_host(object->kind);
}

bool Watch::inside_object(const char* address, unsigned bytes, const Use& use, unsigned site) {
  if (const std::uint64_t generation = memory::objects_generation(); generation != objects_generation_) {
    std::ranges::fill(objects_, KnownObject{});
    objects_generation_ = generation;
  }
  if (const KnownObject* known = known_object(address, bytes); known != nullptr) {
    object_ = static_cast<unsigned>(known - objects_);
    return true;
  }
  return look_up_object(address, bytes, use, site);
}

bool Watch::look_up_object(const char* address, unsigned bytes, const Use& use, unsigned site) {
  const WatchedBlock* owner = owner_of_shared(address);
  const auto object = object_at(address, owner == nullptr ? nullptr : owner->arena);
  if (!object.has_value() || object->freed || address + bytes > object->base + object->bytes) {
    const bool freed = object.has_value() && object->freed;
    if (refused_ && address == refused_end_) {
      widen_case(address, bytes);
    } else if (freed || !is_led_by_undefined(address)) {
      add_case(freed ? Hazard::freed : Hazard::outside, nullptr, side_now(use, site), address, bytes);
    }
    refused_ = true;
    refused_end_ = address + bytes;
    return false;
  }
  if (object->kind == memory::ObjectKind::global && !reach_.given(object->base, object->bytes)) {
    add_case(Hazard::other_object, nullptr, side_now(use, site), address, bytes);
    return false;
  }
  object_ = (object_ + kKnownObjects - 1) % kKnownObjects;
  const bool initialised = object->initialised || host_writes().contain(object->base, object->bytes);
  objects_[object_] = KnownObject{object->base, object->base + object->bytes, initialised, is_of_host(object->kind)};
  return true;
}

/// The running access, to several words, goes on at `address`.
void Watch::widen_case(const char* address, unsigned bytes) {
  Case* known = cases_.last();
  if (known != nullptr && static_cast<const char*>(known->address) + known->size == address) known->size += bytes;
}

/// The running access is outside of an object, wholly or with its last bytes.
void Watch::note_overrun(const char* begin, std::size_t bytes) {
  Case* known = cases_.last();
  if (known == nullptr || known->hazard != Hazard::outside) return;
  known->begins_inside |= begin < known->address && known->address < begin + bytes;
}

/// Whether the thread has come there because it took for an index what a shuffle got from outside its mask. Then that
/// is the defect.
bool Watch::is_led_by_undefined(const char* address) {
  if (undefined_.none()) return false;
  const auto is_object = [this](const char* place) {
    const WatchedBlock* owner = owner_of_shared(place);
    return object_at(place, owner == nullptr ? nullptr : owner->arena).has_value();
  };
  const auto call = undefined_.index_of(segment_.thread(), address, is_object);
  return call.has_value() &&
         cases_.turn(Hazard::foreign_neighbour, kUnknownSite, *call, Hazard::foreign_used) != nullptr;
}

void Watch::misaligned(const void* address, unsigned bytes, bool write, const void* instruction) {
  here();
  const Side now = side_now(Use{.read = !write, .write = write}, reached(instruction, own_frame()));
  add_case(Hazard::misaligned, nullptr, now, address, bytes);
  refused_ = true;
  set_plain(false);
}

/// An access to shared memory of another block: it must have begun, and must not end before the access.
void Watch::visit(const char* address, const Use& use, unsigned site) {
  if (block_->arena->owns(address)) return;
  WatchedBlock* owner = owner_of_shared(address);
  if (owner == nullptr) return;
  const Side now = side_now(use, site);
  if (owner->ended) {
    add_case(Hazard::peer_may_be_gone, nullptr, now, address, kWordBytes);
    return;
  }
  if (!block_->met_cluster && !knows_start_of(*owner)) {
    add_case(Hazard::peer_may_not_run, nullptr, now, address, kWordBytes);
    return;
  }
  for (Visit& one : owner->visits) {
    if (one.side.thread == now.thread && one.side.site == site) {
      one.time = segment_.time;
      return;
    }
  }
  owner->visits.push_back(Visit{now, segment_.time, address, place_of(address)});
}

/// Whether the running thread has learnt anything of the block.
bool Watch::knows_start_of(const WatchedBlock& other) const {
  return block_->clocks.knows_any_of(rank_here(), other.clocks.block() & (kThreadMask >> thread_bits_));
}

/// The block's threads have all returned. Whoever has used its shared memory must have told one of them so.
void Watch::hold_visits_against_end(const WatchedBlock& block) {
  for (const Visit& visit : block.visits) {
    if (visit.time <= block.clocks.known_of_cluster()) continue;
    const Who who = who_of(visit.side.thread);
    bool told = false;
    for (unsigned thread = 0; thread < threads_ && !told; ++thread) {
      told = block.clocks.knows(thread, who, visit.time);
    }
    if (told) continue;
    Case* made = cases_.add(Hazard::peer_may_be_gone, kUnknownSite, visit.side.site);
    if (made == nullptr) continue;
    made->now = visit.side;
    made->address = visit.address;
    made->size = kWordBytes;
    made->place = visit.place;
  }
}

}  // namespace warpfiber::check
