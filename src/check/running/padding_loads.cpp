// SPDX-License-Identifier: Apache-2.0
// Where padding may be, and when loads of it have been stored again.
#include "check/running/padding_loads.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "check/cells/cell.hpp"
#include "check/cells/shadow.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/case_log.hpp"

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

}  // namespace

bool PaddingLoads::Load::is_stored() const {
  return stored_at != nullptr && std::equal(stored_at, stored_at + bytes, value.begin());
}

bool PaddingLoads::add(const Side& side, const char* address, std::size_t bytes) {
  if (side.write || side.strong || bytes > kMostBytes || bytes % kWordBytes == 0) return false;
  if (!may_be_padding(side, address, bytes)) return false;
  Load& made = loads_.emplace_back(Load{.side = side, .address = address, .bytes = bytes});
  made.hooks_left = kHooks;
  std::memcpy(made.value.data(), address, bytes);
  return true;
}

void PaddingLoads::come(std::uint64_t thread, const char* address, std::size_t bytes, bool write) {
  std::vector<Load> over;
  std::erase_if(loads_, [&](Load& load) {
    if (load.side.thread != thread || !is_over(load, address, bytes, write)) return false;
    over.push_back(load);
    return true;
  });
  for (const Load& load : over) end(load);
}

void PaddingLoads::finish(std::uint64_t first, std::uint64_t last) {
  std::vector<Load> over;
  std::erase_if(loads_, [&](const Load& load) {
    if (load.side.thread < first || load.side.thread > last) return false;
    over.push_back(load);
    return true;
  });
  for (const Load& load : over) end(load);
}

/// Its thread comes to an access.
bool PaddingLoads::is_over(Load& load, const char* address, std::size_t bytes, bool write) const {
  if (load.is_stored() || --load.hooks_left == 0) return true;
  const std::uintptr_t alignment = alignment_behind(load.bytes);
  const auto apart = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(load.address);
  load.stored_at = write && bytes == load.bytes && apart % alignment == 0 ? address : nullptr;
  return false;
}

void PaddingLoads::end(const Load& load) const {
  if (!load.is_stored()) {
    log_.add(Hazard::uninitialised, nullptr, load.side, load.address, static_cast<unsigned>(load.bytes));
    return;
  }
  unwrite({load.stored_at, load.bytes});
  if (std::equal(load.address, load.address + load.bytes, load.value.begin())) unwrite({load.address, load.bytes});
}

}  // namespace warpfiber::check
