// SPDX-License-Identifier: Apache-2.0
// A place is followed from its first atomic of another width than a word's; what came before is in cells.
#include "check/races/mixed_widths.hpp"

#include <algorithm>
#include <bit>

#include "check/races/shadow_word.hpp"

namespace warpfiber::check {

void MixedWidths::follow(const char* address, unsigned bytes, const Use& use, unsigned site) {
  running_.here();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const char* const begin = address - at % kBytes;
  const Wide now{.first = static_cast<unsigned>(at % kBytes),
                 .bytes = bytes,
                 .cell = running_.cell_of(0, use),
                 .site = site,
                 .scope = use.scope};
  auto known = places_.find(at / kBytes);
  const BlockShadow* const of_shared = log_.owner_of_shared(address);
  const std::uint64_t owner = of_shared == nullptr ? 0 : of_shared->clocks.block() + 1;
  if (known == places_.end()) {
    if (bytes == kWordBytes || places_.size() == kMost) return;
    compare_with_cells(now, begin);
    known = places_.emplace(at / kBytes, Place{.owner = owner}).first;
  }
  Place& place = known->second;
  if (place.owner != owner) place = {.owner = owner};
  for (const Wide& earlier : place.last) compare(now, earlier, begin);
  const auto same = std::ranges::find_if(place.last, [&now](const Wide& one) {
    return one.bytes == 0 || (one.first == now.first && one.bytes == now.bytes);
  });
  if (same != place.last.end()) *same = now;
}

void MixedWidths::compare(const Wide& now, const Wide& earlier, const char* begin) {
  const bool same = earlier.first == now.first && earlier.bytes == now.bytes;
  const bool apart = earlier.first + earlier.bytes <= now.first || now.first + now.bytes <= earlier.first;
  if (earlier.bytes == 0 || same || apart || !(is_write(earlier.cell) || is_write(now.cell))) return;
  if (launch_of(earlier.cell) != launch_of(now.cell) || running_.happens_after(earlier.cell)) return;
  const Side side = side_of(earlier);
  const Wide& narrow = earlier.bytes < now.bytes ? earlier : now;
  log_.add(ViolationKind::widths_differ, &side, side_of(now), begin + narrow.first, narrow.bytes);
}

/// The cells of the place's words are of atomics of one word, or of volatile accesses.
void MixedWidths::compare_with_cells(const Wide& now, const char* begin) {
  if (!shadow.covers(begin)) return;
  for (unsigned first = 0; first < kBytes; first += kWordBytes) {
    const std::size_t index = shadow.index_of(begin + first);
    if (shadow.plane(0)[index] == 0) continue;
    const ShadowWord word(shadow, index);
    for (unsigned i = 0; i < word.count; ++i) {
      const Cell cell = word.cells[i];
      if (!is_strong(cell) || (bytes_of(cell) & (bytes_of(cell) + 1)) != 0) continue;
      const auto bytes = static_cast<unsigned>(std::popcount(bytes_of(cell)));
      compare(now, {first, bytes, cell, site_of(word.notes, i), scope_of(word.notes, i)}, begin);
    }
  }
}

Side MixedWidths::side_of(const Wide& one) {
  return {.thread = thread_of(one.cell),
          .time = clock_of(one.cell),
          .launch = launch_of(one.cell),
          .site = one.site,
          .write = is_write(one.cell),
          .strong = true,
          .scope = one.scope};
}

}  // namespace warpfiber::check
