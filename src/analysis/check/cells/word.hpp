// SPDX-License-Identifier: Apache-2.0
// A word of the shadow: three cells, the state that their tags make up, and a word of notes about them. The quick paths
// use it in place (WordView); where an access is compared with every cell it is taken out (races/shadow_word.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/cells/cell.hpp"
#include "check/cells/word_parts.hpp"

namespace warpfiber::check {

/// How many cells of a word hold something, and which further reads of it add nothing. The bits are the tags of the
/// cells, the lowest that of the first: who looks at the cells has the state as well, and needs no notes. The states
/// with enough hold while threads meet whole warps, blocks and grids only; where they may meet or wait for others
/// (RunningThread::keeps_all), no word comes to them.
enum class WordState : unsigned {
  /// The first cell. The others may hold anything.
  one_cell = 0b000,
  /// The first and the second cell, and the third unless it is 0. Every access is compared with them.
  more_cells = 0b001,
  /// Reads by the warp of the second cell at its time add nothing: the second and the third are reads by the block at
  /// one time, and the first is a read, or a write that all of the block know.
  enough_of_warp = 0b011,
  /// The same of all the block at that time, because the second and the third are of different warps.
  enough_of_block = 0b111,
  /// Reads by threads that know neither the second nor the third add nothing: those are reads by different blocks and
  /// the first cell is a read as well, so whoever writes is in conflict with one of the two.
  enough_of_blocks = 0b101,
};

constexpr bool has_tag(Cell cell) {
  return (cell & kTag) != 0;
}
constexpr Cell without_tag(Cell cell) {
  return cell & ~kTag;
}
/// The tag of a cell, by its number in the word, in the place that it has in the cell.
constexpr Cell tag_of(WordState state, unsigned cell) {
  return Cell{static_cast<unsigned>(state) >> cell & 1} << kTagShift;
}
/// Of the first cell, with its tag: whether the others hold something.
constexpr bool has_more(Cell first) {
  return has_tag(first);
}

// The notes, from the lowest bit: the site of each cell, the scope of each cell, which bytes hold something that was
// written or has been complained about, and whether further accesses are kept elsewhere (races/further_accesses.hpp):
// only of words with three cells.
using Notes = std::uint64_t;

inline constexpr unsigned kSiteBits = 16;
inline constexpr unsigned kScopesShift = kCellsOfWord * kSiteBits;
inline constexpr unsigned kScopeBits = 2;
inline constexpr unsigned kInitialisedShift = kScopesShift + kCellsOfWord * kScopeBits;
inline constexpr unsigned kFurtherShift = kInitialisedShift + kWordBytes;
inline constexpr Notes kFurther = Notes{1} << kFurtherShift;

constexpr unsigned site_of(Notes notes, unsigned cell) {
  return static_cast<unsigned>(notes >> (cell * kSiteBits)) & ((1U << kSiteBits) - 1);
}
constexpr Scope scope_of(Notes notes, unsigned cell) {
  return static_cast<Scope>(notes >> (kScopesShift + cell * kScopeBits) & ((1U << kScopeBits) - 1));
}
constexpr unsigned initialised_of(Notes notes) {
  return static_cast<unsigned>(notes >> kInitialisedShift) & ((1U << kWordBytes) - 1);
}
constexpr Notes initialised(unsigned bytes) {
  return Notes{bytes} << kInitialisedShift;
}
/// What the notes say of one cell, in the place of the first.
constexpr Notes notes_for(unsigned site, Scope scope) {
  return Notes{site} | Notes{static_cast<unsigned>(scope)} << kScopesShift;
}
/// The same, in the place of another.
constexpr Notes put_notes(unsigned cell, unsigned site, Scope scope) {
  return Notes{site} << (cell * kSiteBits) | Notes{static_cast<unsigned>(scope)} << (kScopesShift + cell * kScopeBits);
}
constexpr Notes mask_of_notes(unsigned cell) {
  return put_notes(cell, (1U << kSiteBits) - 1, Scope::system);
}

/// A word where it lies. Its cells are read with their tags, which no field of them has to do with, and written
/// without. The second and the third are of words that have more than one.
class WordView {
 public:
  explicit WordView(std::size_t index) : index_(index) {}

  Cell first() const { return plane(0); }
  Cell second() const { return plane(2); }
  Cell third() const { return plane(3); }  // 0: none
  bool has_more() const { return check::has_more(plane(0)); }
  Notes notes() const { return plane(1); }
  bool has_further() const { return (plane(1) & kFurther) != 0; }  // of a word that has more

  WordState state() const {
    if (!has_more()) return WordState::one_cell;
    const unsigned second = has_tag(plane(2)) ? 0b010 : 0;
    const unsigned third = has_tag(plane(3)) ? 0b100 : 0;
    return static_cast<WordState>(0b001 | second | third);
  }
  bool has_enough() const { return state() > WordState::more_cells; }

  /// The word has one cell now.
  void begin(Cell cell, Notes notes) const {
    plane(0) = cell;
    plane(1) = notes;
  }
  /// The state stays.
  void put_first(Cell cell) const { plane(0) = cell | (plane(0) & kTag); }
  /// A word of one cell gets another. Who looks at the word meanwhile sees one cell, or both.
  void add_second(Cell cell) const {
    plane(2) = cell;
    plane(3) = 0;
    plane(0) |= kTag;
  }
  /// Every access is compared with the cells again.
  void put_second(Cell cell) const {
    plane(2) = cell;
    plane(3) &= ~kTag;
  }
  /// Of a word that has more than one cell, as it has with the state.
  void put_third(Cell cell, WordState state) const {
    plane(2) = without_tag(plane(2)) | tag_of(state, 1);
    plane(3) = cell | tag_of(state, 2);
  }
  void set_state(WordState state) const { put_third(without_tag(third()), state); }
  void note(unsigned cell, unsigned site, Scope scope) const {
    plane(1) = (plane(1) & ~mask_of_notes(cell)) | put_notes(cell, site, scope);
  }

 private:
  std::uint64_t& plane(unsigned number) const { return shadow.plane(number)[index_]; }

  std::size_t index_;
};

}  // namespace warpfiber::check
