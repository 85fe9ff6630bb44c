// SPDX-License-Identifier: Apache-2.0
// The shadow cells of one word, out of the planes of memory::Shadow while an access is compared with them.
#pragma once

#include <cstddef>

#include "check/cells/cell.hpp"
#include "memory/shadow.hpp"

namespace warpfiber::check {

struct ShadowWord {
  /// `keeps_all`: the launch keeps further accesses (further_accesses.hpp).
  ShadowWord(const memory::Shadow& planes, std::size_t at, bool keeps_all) : index(at), notes(planes.plane(1)[at]) {
    const Cell first = planes.plane(0)[at];
    cells[count++] = first & ~kMore;
    if ((first & kMore) == 0) return;
    for (unsigned i = 1; i < kCellsOfWord; ++i) {
      const Cell cell = planes.plane(i + 1)[at];
      if (cell == 0) return;
      cells[count++] = cell & ~kEnough;
    }
    has_further = keeps_all && (planes.plane(kCellsOfWord)[at] & kEnough) != 0;
  }

  void store(const memory::Shadow& planes) const {
    planes.plane(0)[index] = cells[0] | (count > 1 ? kMore : 0);
    planes.plane(1)[index] = notes;
    if (count < 2) return;
    planes.plane(2)[index] = cells[1];
    planes.plane(3)[index] = count > 2 ? cells[2] | (has_further ? kEnough : 0) : 0;
  }

  void put(unsigned at, Cell cell, unsigned site, Scope scope) {
    cells[at] = cell;
    notes = (notes & ~mask_of_notes(at)) | put_notes(at, site, scope);
  }

  void remove(unsigned at) {
    for (--count; at < count; ++at) put(at, cells[at + 1], site_of(notes, at + 1), scope_of(notes, at + 1));
  }

  std::size_t index;
  Notes notes;
  unsigned count = 0;
  bool has_further = false;  // only with three cells
  Cell cells[kCellsOfWord]{};
};

}  // namespace warpfiber::check
