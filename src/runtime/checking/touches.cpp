// SPDX-License-Identifier: Apache-2.0
//
// Walks over the shadow cells of an area word by word. Cells are read as atomics, because kernels may change them
// meanwhile.
#include "runtime/checking/touches.hpp"

#include <algorithm>
#include <bit>

#include "check/launch/running_thread.hpp"

namespace warpfiber::runtime {
namespace {

using check::Cell;
using check::shadow;

std::uint64_t load(unsigned plane, std::size_t index) {
  return __atomic_load_n(shadow.plane(plane) + index, __ATOMIC_RELAXED);
}

/// The accesses to the given bytes of one word.
void visit_word(std::size_t index, unsigned bytes, const check::LaunchSet& launches,
                const std::function<void(const Touch&)>& visit) {
  const Cell first = load(0, index);
  if (first == 0) return;
  const unsigned cells = (first & check::kMore) != 0 ? check::kCellsOfWord : 1;
  for (unsigned i = 0; i < cells; ++i) {
    const Cell cell = i == 0 ? first : load(i + 1, index);
    if (cell == 0) return;
    const unsigned both = check::bytes_of(cell) & bytes;
    if (both == 0 || !launches.test(check::launch_of(cell))) continue;
    visit(Touch{check::launch_of(cell), check::thread_of(cell), check::site_of(load(1, index), i),
                check::is_write(cell), shadow.address_of(index) + std::countr_zero(both),
                static_cast<unsigned>(std::popcount(both))});
  }
}

void visit_row(const char* from, std::size_t bytes, const check::LaunchSet& launches,
               const std::function<void(const Touch&)>& visit) {
  while (bytes > 0) {
    const auto before = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % check::kWordBytes);
    const auto part = static_cast<unsigned>(std::min<std::size_t>(check::kWordBytes - before, bytes));
    visit_word(shadow.index_of(from), ((1U << part) - 1) << before, launches, visit);
    from += part;
    bytes -= part;
  }
}

}  // namespace

Area area_of(const void* at, std::size_t bytes) {
  return Area{static_cast<const char*>(at), Box{bytes, 1, 1}, bytes, bytes};
}

bool is_shadowed(const void* address) {
  return shadow.covers(address) || shadow.covers_also(address);
}

void for_each_touch(const Area& area, const check::LaunchSet& launches,
                    const std::function<void(const Touch&)>& visit) {
  if (launches.none() || area.box.empty() || !is_shadowed(area.at)) return;
  area.box.for_each_row([&](std::size_t y, std::size_t z) {
    visit_row(area.at + z * area.slice + y * area.pitch, area.box.width, launches, visit);
  });
}

}  // namespace warpfiber::runtime
