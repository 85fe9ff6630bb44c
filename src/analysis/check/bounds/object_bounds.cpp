// SPDX-License-Identifier: Apache-2.0
// Objects are looked up once and kept until others are made or freed.
#include "check/bounds/object_bounds.hpp"

#include <bit>
#include <cstring>

#include "check/objects/objects.hpp"
#include "check/objects/unwritten.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::check {
namespace {

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

bool ObjectBounds::contain(const char* address, unsigned bytes, const Use& use, unsigned site) {
  if (const std::uint64_t generation = memory::objects_generation(); generation != generation_) {
    std::ranges::fill(objects_, KnownObject{});
    generation_ = generation;
  }
  if (const KnownObject* found = known(address, bytes); found != nullptr) {
    last_ = static_cast<unsigned>(found - objects_);
    return true;
  }
  return look_up(address, bytes, use, site);
}

bool ObjectBounds::look_up(const char* address, unsigned bytes, const Use& use, unsigned site) {
  const auto object = object_at(address, log_.arena_of(address));
  if (!object.has_value() || object->freed || address + bytes > object->base + object->bytes) {
    refuse(address, bytes, object.has_value() && object->freed, use, site);
    return false;
  }
  if (is_shared_of_other_block(address, log_.arena_of(address))) {
    const ViolationKind kind =
        memory::is_rested_shared(address) ? ViolationKind::shared_of_ended : ViolationKind::shared_of_another;
    log_.add(kind, nullptr, running_.side(use, site), address, bytes);
    is_of_other_object_ = true;
    return false;
  }
  if (object->kind == memory::ObjectKind::global && !reachable_.given(object->base, object->bytes)) {
    log_.add(ViolationKind::other_object, nullptr, running_.side(use, site), address, bytes);
    is_of_other_object_ = true;
    return false;
  }
  last_ = (last_ + kKnownObjects - 1) % kKnownObjects;
  const bool initialised = object->initialised || host_writes().contain(object->base, object->bytes);
  const auto* const own = running_.block().arena->owns(address) ? running_.block().arena : nullptr;
  objects_[last_] = KnownObject{object->base, object->base + object->bytes, initialised, is_of_host(object->kind), own};
  return true;
}

bool ObjectBounds::holds(const char* address, unsigned bytes) const {
  if (memory::objects_generation() == generation_ && known(address, bytes) != nullptr) return true;
  const auto object = object_at(address, log_.arena_of(address));
  if (!object.has_value() || object->freed || address + bytes > object->base + object->bytes) return false;
  return object->kind != memory::ObjectKind::global || reachable_.given(object->base, object->bytes);
}

void ObjectBounds::refuse(const char* address, unsigned bytes, bool freed, const Use& use, unsigned site) {
  if (refused_ && address == refused_end_) {
    log_.widen(address, bytes);
  } else if (freed || !is_led_by_undefined(address)) {
    log_.add(freed ? ViolationKind::freed : ViolationKind::outside, nullptr, running_.side(use, site), address, bytes);
  }
  refused_ = true;
  refused_end_ = address + bytes;
}

void ObjectBounds::forget(const memory::SharedArena& arena) {
  for (KnownObject& object : objects_) {
    if (arena.owns(object.begin)) object = KnownObject{};
  }
}

void ObjectBounds::count_fresh(std::size_t index, unsigned bytes) {
  const char* address = shadow.address_of(index) + std::countr_zero(bytes);
  const auto size = static_cast<unsigned>(std::popcount(bytes));
  if (host_writes().contain(address, size)) return;
  // Uninitialised memory holds what it was filled with.
  if (host_reaches(address, size) && !is_poison(address, size)) return;
  fresh_bytes_ += size;
}

bool ObjectBounds::host_reaches(const char* address, unsigned bytes) const {
  if (const KnownObject* found = known(address, bytes); found != nullptr) return found->host_reaches;
  const auto object = memory::object_at(address);
  return object.has_value() && is_of_host(object->kind);
}

bool ObjectBounds::is_led_by_undefined(const char* address) {
  return values_.lead_to(running_.thread(), address,
                         [this](const char* place) { return object_at(place, log_.arena_of(place)).has_value(); });
}

}  // namespace warpfiber::check
