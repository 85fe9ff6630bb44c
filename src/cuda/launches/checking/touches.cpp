// SPDX-License-Identifier: Apache-2.0
//
// Walks over the shadow cells of an area word by word. Cells are read as atomics, because kernels may change them
// meanwhile.
#include "launches/checking/touches.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "check/calls/places.hpp"
#include "check/cells/sites.hpp"
#include "check/cells/word.hpp"
#include "check/running/running_thread.hpp"

namespace warpfiber::launches {
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
  const unsigned cells = check::has_more(first) ? check::kCellsOfWord : 1;
  for (unsigned i = 0; i < cells; ++i) {
    const Cell cell = check::without_tag(i == 0 ? first : load(i + 1, index));
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
  return Area{static_cast<const char*>(at), process::Box{bytes, 1, 1}, bytes, bytes};
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

record::LaunchFacts launch_of(const Touch& touch) {
  const check::BegunLaunch shape = check::launch_shape(touch.launch);
  record::LaunchFacts launch;
  launch.kernel = shape.kernel;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.warp_size = shape.warp_size;
  return launch;
}

record::Party party_of(const Touch& touch) {
  const check::BegunLaunch shape = check::launch_shape(touch.launch);
  const std::uint64_t rank = touch.thread & ((std::uint64_t{1} << shape.thread_bits) - 1);
  const base::FiberId id = (touch.thread >> shape.thread_bits) * base::volume(shape.block) + rank;
  record::Party party;
  party.role = touch.write ? record::Role::write : record::Role::read;
  party.who = record::members_of_threads(launch_of(touch), std::span(&id, 1));
  check::put_site(touch.site, party);
  party.what = touch.write ? "store" : "load";
  return party;
}

}  // namespace warpfiber::launches
