// SPDX-License-Identifier: Apache-2.0
// Sources: CUDA C++ Programming Guide, "Read-Only Data Cache Load Function" and "Texture Memory" (the texture cache is
// not kept coherent with writes of the same kernel).
#include "check/races/read_only_loads.hpp"

#include <bit>

#include "check/cells/shadow.hpp"
#include "check/races/race_detector.hpp"
#include "check/races/shadow_word.hpp"

namespace warpfiber::check {

void ReadOnlyLoads::check(std::size_t index, unsigned bytes, unsigned site) {
  const Cell first = shadow.plane(0)[index];
  if (first == 0 || launch_of(first) != launch_.number()) return;
  const ShadowWord word(shadow, index);
  for (unsigned i = 0; i < word.count; ++i) {
    const Cell cell = word.cells[i];
    const unsigned both = bytes_of(cell) & bytes;
    if (both == 0 || !is_write(cell) || is_pending(cell) || !running_.happens_after(cell)) continue;
    const Side earlier = RaceDetector::side_of(cell, site_of(word.notes, i), scope_of(word.notes, i));
    const char* address = shadow.address_of(index) + std::countr_zero(both);
    log_.add(ViolationKind::read_only_load, &earlier, running_.side(Use{.read = true}, site), address,
             static_cast<unsigned>(std::popcount(both)));
  }
}

}  // namespace warpfiber::check
