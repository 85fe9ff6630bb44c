// SPDX-License-Identifier: Apache-2.0
// Where padding may be, and when loads of unwritten bytes have been stored again.
#include "check/running/unwritten_loads.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/system/address_space.hpp"
#include "check/cells/word.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/launches.hpp"
#include "check/running/violation_log.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::check {
namespace {

/// A structure is copied by fewer hooks.
constexpr unsigned kHooks = 32;

/// Of a member that so many bytes of padding may stand before.
std::uintptr_t alignment_behind(std::size_t bytes) {
  return std::bit_ceil(bytes + 1);
}

bool is_written(const char* byte) {
  if (!shadow.covers(byte)) return false;
  const std::size_t index = shadow.index_of(byte);
  if (shadow.plane(0)[index] == 0) return false;
  const auto at = static_cast<unsigned>(byte - shadow.address_of(index));
  return (initialised_of(shadow.plane(1)[index]) >> at & 1) != 0;
}

/// Whether the thread may have read the byte at the same time by another instruction. The word may not say who has read
/// it any more.
bool may_have_read(const char* byte, const Side& side) {
  const std::size_t index = shadow.index_of(byte);
  const Cell first = shadow.plane(0)[index];
  const WordView word(index);
  const Notes notes = word.notes();
  const auto at = static_cast<unsigned>(byte - shadow.address_of(index));
  if (word.has_more() && (word.has_enough() || word.has_further())) return true;
  for (unsigned i = 0; i < (word.has_more() ? kCellsOfWord : 1); ++i) {
    const Cell cell = i == 0 ? first : shadow.plane(i + 1)[index];
    const bool same = thread_of(cell) == side.thread && clock_of(cell) == side.time && launch_of(cell) == side.launch;
    if (same && !is_write(cell) && (bytes_of(cell) >> at & 1) != 0 && site_of(notes, i) != side.site) return true;
  }
  return false;
}

/// Whether the bytes end where something of more bytes may be aligned, with nothing but written bytes before them from
/// where that might begin, of which the thread has just read the last one.
bool may_be_padding(const Side& side, const char* address, std::size_t bytes) {
  const std::uintptr_t alignment = alignment_behind(bytes);
  const char* const end = address + bytes;
  if (reinterpret_cast<std::uintptr_t>(end) % alignment != 0) return false;
  for (const char* byte = end - alignment; byte != address; ++byte) {
    if (!is_written(byte)) return false;
  }
  return may_have_read(address - 1, side);
}

/// Words that the launch has accessed count as written where accesses are judged quickly, so whole ones are forgotten.
template <class Load>
void unwrite_for(const Load& load, const char* place) {
  unwrite({place, load.bytes});
  if (!load.is_padding) shadow.clear(place, load.bytes);
}

/// Whether the bytes, whole words, hold what fresh memory does: nothing that a program has computed.
bool holds_poison(const char* address, std::size_t bytes) {
  const auto is_poison = [](const char* word) {
    return std::memcmp(word, &memory::kPoisonWord, sizeof memory::kPoisonWord) == 0;
  };
  if ((reinterpret_cast<std::uintptr_t>(address) | bytes) % kWordBytes != 0) return false;
  for (const char* word = address; word < address + bytes; word += kWordBytes) {
    if (!is_poison(word)) return false;
  }
  return true;
}

}  // namespace

/// Memory may be freed meanwhile, and a store that is out of bounds is left out.
bool UnwrittenLoads::Load::is_at(const char* place) const {
  return base::is_readable(place) && base::is_readable(place + bytes - 1) &&
         std::equal(place, place + bytes, value.begin());
}

bool UnwrittenLoads::Load::is_stored() const {
  return stored_at != nullptr && is_at(stored_at);
}

void UnwrittenLoads::add(const Side& side, const char* address, std::size_t bytes) {
  const bool follows = !side.write && !side.strong && bytes <= kMostBytes && count_ < kMostLoads;
  const bool is_padding = follows && bytes % kWordBytes != 0 && may_be_padding(side, address, bytes);
  if (!is_padding && !(follows && holds_poison(address, bytes))) return add_use(side, address, bytes);
  Load& made = loads_[side.thread].emplace_back(
      Load{.side = side, .address = address, .bytes = bytes, .is_padding = is_padding});
  ++count_;
  made.hooks_left = kHooks;
  std::memcpy(made.value.data(), address, bytes);
}

template <class Ends>
void UnwrittenLoads::end_those(std::vector<Load>& loads, const Ends& ends) {
  std::vector<Load> over;
  std::erase_if(loads, [&](Load& load) {
    if (!ends(load)) return false;
    over.push_back(load);
    return true;
  });
  count_ -= over.size();
  for (const Load& load : over) end(load);
}

template <class Ends>
void UnwrittenLoads::end_all(const Ends& ends) {
  for (auto& [thread, loads] : loads_) end_those(loads, ends);
  std::erase_if(loads_, [](const auto& of) { return of.second.empty(); });
}

void UnwrittenLoads::come(std::uint64_t thread, const char* address, std::size_t bytes, bool write, unsigned site) {
  const auto found = loads_.find(thread);
  if (found == loads_.end()) return;
  end_those(found->second, [&](Load& load) {
    if (is_over(load, address, bytes, write)) return true;
    load.stored_by = site;
    return false;
  });
  if (found->second.empty()) loads_.erase(found);
}

void UnwrittenLoads::meet() {
  end_all([](const Load& load) { return load.is_stored(); });
}

void UnwrittenLoads::finish(std::uint64_t first, std::uint64_t last) {
  end_all([=](const Load& load) { return load.side.thread >= first && load.side.thread <= last; });
  // Other blocks have the shared memory next.
  std::erase_if(moves_, [=](const Move& move) { return move.from.thread >= first && move.from.thread <= last; });
}

void UnwrittenLoads::write_moved(unsigned site) {
  if (launch_ == nullptr) return;
  for (const Stretch& stored : moved_values().take(launch_.get(), site)) host_writes().add(stored.from, stored.bytes);
}

/// Its thread comes to an access.
bool UnwrittenLoads::is_over(Load& load, const char* address, std::size_t bytes, bool write) const {
  if (load.is_stored() || --load.hooks_left == 0) return true;
  const std::uintptr_t alignment = load.is_padding ? alignment_behind(load.bytes) : 1;
  const auto apart = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(load.address);
  const bool may_be_it = write && bytes == load.bytes && apart % alignment == 0;
  load.stored_at = may_be_it && (load.is_padding || may_keep(address)) ? address : nullptr;
  return false;
}

/// Whether unwritten values that are stored there stay in sight: where the host reaches memory, its code may read them.
bool UnwrittenLoads::may_keep(const char* address) const {
  if (log_.arena_of(address) != nullptr) return true;
  const auto object = memory::object_at(address);
  if (!object.has_value() || object->freed || object->initialised) return false;
  const bool is_of_device = object->kind == memory::ObjectKind::global || object->kind == memory::ObjectKind::heap;
  return is_of_device && shadow.covers(address);
}

void UnwrittenLoads::end(const Load& load) {
  if (!load.is_stored()) return add_use(load.side, load.address, load.bytes);
  const bool to_global = !load.is_padding && log_.arena_of(load.stored_at) == nullptr;
  if (to_global && !move_to_global(load)) return add_use(load.side, load.address, load.bytes);
  unwrite_for(load, load.stored_at);
  if (load.is_at(load.address)) unwrite_for(load, load.address);
  if (load.is_padding) return moved_values().remove(load.stored_at, load.bytes);
  if (to_global) return;
  if (moves_.size() < kMostMoves) moves_.push_back({load.stored_at, load.bytes, load.side});
  log_.add(ViolationKind::moved, nullptr, load.side, load.address, static_cast<unsigned>(load.bytes));
}

/// False where it cannot be remembered: then it is a use.
bool UnwrittenLoads::move_to_global(const Load& load) {
  if (load.stored_at == load.address) return false;
  const auto before = moved_values().find(load.address, load.bytes);
  if (!moved_values().add(load.stored_at, load.bytes, before.has_value() ? *before : origin_of(load))) return false;
  // Objects that the host has filled are known as such.
  if (host_writes().contain(load.stored_at, load.bytes)) {
    host_writes().remove(load.stored_at, load.bytes);
    memory::doubt_objects();
  }
  const Side* earlier = before.has_value() ? &before->load : nullptr;
  log_.add(ViolationKind::moved, earlier, load.side, load.address, static_cast<unsigned>(load.bytes));
  Violation* const moved = log_.violations().last();
  if (moved == nullptr) return true;
  moved->to_global = true;
  moved->by_copies = moved->by_copies && load.stored_by == load.side.site;
  if (before.has_value()) moved->earlier_launch = before->launch;
  return true;
}

/// Of a value that no load has brought to where this one has found it.
MovedFrom UnwrittenLoads::origin_of(const Load& load) {
  if (launch_ == nullptr) launch_ = std::make_shared<const BegunLaunch>(launch_shape(load.side.launch));
  return {load.side, launch_};
}

void UnwrittenLoads::add_use(const Side& side, const char* address, std::size_t bytes) {
  const auto size = static_cast<unsigned>(bytes);
  if (const auto origin = moved_values().find(address, bytes)) {
    Violation* const made = log_.add(ViolationKind::uninitialised, &origin->load, side, address, size);
    if (made != nullptr) made->earlier_launch = origin->launch;
    return;
  }
  const auto from = std::ranges::find_if(
      moves_, [=](const Move& move) { return address < move.to + move.bytes && move.to < address + bytes; });
  const Side* moved = from != moves_.end() && from->from.site != side.site ? &from->from : nullptr;
  log_.add(ViolationKind::uninitialised, moved, side, address, size);
}

}  // namespace warpfiber::check
