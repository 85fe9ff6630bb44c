// SPDX-License-Identifier: Apache-2.0
// The shadow cells of one word, taken out of it while an access is compared with them. What goes back into it leaves
// every later access to be compared (WordState).
#pragma once

#include <cstddef>

#include "check/cells/word.hpp"
#include "memory/shadow.hpp"

namespace warpfiber::check {

struct ShadowWord {
  ShadowWord(const memory::Shadow& planes, std::size_t at) : index(at), notes(planes.plane(1)[at] & ~kFurther) {
    const Cell first = planes.plane(0)[at];
    cells[count++] = without_tag(first);
    if (!has_more(first)) return;
    for (unsigned i = 1; i < kCellsOfWord; ++i) {
      const Cell cell = without_tag(planes.plane(i + 1)[at]);
      if (cell == 0) return;
      cells[count++] = cell;
    }
    has_further = (planes.plane(1)[at] & kFurther) != 0;
  }

  void store(const memory::Shadow& planes) const {
    const WordState state = count > 1 ? WordState::more_cells : WordState::one_cell;
    planes.plane(0)[index] = cells[0] | tag_of(state, 0);
    planes.plane(1)[index] = notes | (has_further ? kFurther : 0);
    if (count < 2) return;
    planes.plane(2)[index] = cells[1];
    planes.plane(3)[index] = count > 2 ? cells[2] : 0;
  }

  void put(unsigned at, Cell cell, unsigned site, Scope scope) {
    cells[at] = cell;
    notes = (notes & ~mask_of_notes(at)) | put_notes(at, site, scope);
  }

  void remove(unsigned at) {
    for (--count; at < count; ++at) put(at, cells[at + 1], site_of(notes, at + 1), scope_of(notes, at + 1));
  }

  std::size_t index;
  Notes notes;  // but kFurther
  unsigned count = 0;
  bool has_further = false;  // only with three cells
  Cell cells[kCellsOfWord]{};
};

}  // namespace warpfiber::check
