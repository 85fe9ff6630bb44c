// SPDX-License-Identifier: Apache-2.0
// Where padding may be, and when loads of unwritten bytes have been stored again.
#include "check/running/unwritten_loads.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/system/readable.hpp"
#include "check/cells/cell.hpp"
#include "check/cells/shadow.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/case_log.hpp"
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
/// it any more (kEnough).
bool may_have_read(const char* byte, const Side& side) {
  const std::size_t index = shadow.index_of(byte);
  const Cell first = shadow.plane(0)[index];
  const Notes notes = shadow.plane(1)[index];
  const auto at = static_cast<unsigned>(byte - shadow.address_of(index));
  for (unsigned i = 0; i < ((first & kMore) != 0 ? kCellsOfWord : 1); ++i) {
    const Cell cell = i == 0 ? first : shadow.plane(i + 1)[index];
    if (i != 0 && (cell & kEnough) != 0) return true;
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
  const bool follows = !side.write && !side.strong && bytes <= kMostBytes && loads_.size() < kMostLoads;
  const bool is_padding = follows && bytes % kWordBytes != 0 && may_be_padding(side, address, bytes);
  if (!is_padding && !(follows && holds_poison(address, bytes))) return add_use(side, address, bytes);
  Load& made = loads_.emplace_back(Load{.side = side, .address = address, .bytes = bytes, .is_padding = is_padding});
  made.hooks_left = kHooks;
  std::memcpy(made.value.data(), address, bytes);
}

template <class Ends>
void UnwrittenLoads::end_those(const Ends& ends) {
  std::vector<Load> over;
  std::erase_if(loads_, [&](Load& load) {
    if (!ends(load)) return false;
    over.push_back(load);
    return true;
  });
  for (const Load& load : over) end(load);
}

void UnwrittenLoads::come(std::uint64_t thread, const char* address, std::size_t bytes, bool write) {
  end_those([&](Load& load) { return load.side.thread == thread && is_over(load, address, bytes, write); });
}

void UnwrittenLoads::meet() {
  end_those([](const Load& load) { return load.is_stored(); });
}

void UnwrittenLoads::finish(std::uint64_t first, std::uint64_t last) {
  end_those([=](const Load& load) { return load.side.thread >= first && load.side.thread <= last; });
}

/// Its thread comes to an access.
bool UnwrittenLoads::is_over(Load& load, const char* address, std::size_t bytes, bool write) const {
  if (load.is_stored() || --load.hooks_left == 0) return true;
  const std::uintptr_t alignment = load.is_padding ? alignment_behind(load.bytes) : 1;
  const auto apart = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(load.address);
  // Global memory may be the result, which the host copies.
  const bool may_be_there = load.is_padding || log_.arena_of(address) != nullptr;
  const bool may_be_it = write && bytes == load.bytes && apart % alignment == 0 && may_be_there;
  load.stored_at = may_be_it ? address : nullptr;
  return false;
}

void UnwrittenLoads::end(const Load& load) {
  if (!load.is_stored()) return add_use(load.side, load.address, load.bytes);
  unwrite_for(load, load.stored_at);
  if (load.is_at(load.address)) unwrite_for(load, load.address);
  if (load.is_padding) return;
  if (moves_.size() < kMostMoves) moves_.push_back({load.stored_at, load.bytes, load.side});
  log_.add(Hazard::moved, nullptr, load.side, load.address, static_cast<unsigned>(load.bytes));
}

void UnwrittenLoads::add_use(const Side& side, const char* address, std::size_t bytes) {
  const auto from = std::ranges::find_if(
      moves_, [=](const Move& move) { return address < move.to + move.bytes && move.to < address + bytes; });
  const Side* moved = from != moves_.end() && from->from.site != side.site ? &from->from : nullptr;
  log_.add(Hazard::uninitialised, moved, side, address, static_cast<unsigned>(bytes));
}

}  // namespace warpfiber::check
