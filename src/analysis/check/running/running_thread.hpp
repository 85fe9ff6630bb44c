// SPDX-License-Identifier: Apache-2.0
// The running thread of a launch: what it leaves in shadow cells, and what happens before what it does now. Most of it
// is computed when another thread or another time begins, and a row of a warp's threads shares it. The fast paths of
// accesses (quick/quick.hpp) are inlined from here, so that what they read lies together. Belongs to one worker.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "check/cells/word.hpp"
#include "check/running/block_shadow.hpp"
#include "check/running/identity.hpp"
#include "check/running/numbering.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

/// What an access does.
struct Use {
  bool read = false;  // a change by an atomic reads and writes
  bool write = false;
  bool strong = false;
  Scope scope = Scope::device;
  bool use_follows = false;  // whether the thread uses what it finds is said afterwards
};

/// One thread at one time.
struct Segment {
  static constexpr unsigned kNobody = ~0U;  // x of no thread

  uint3 index{kNobody, 0, 0};
  unsigned lanes_left = 0;  // of its warp and its row, behind it; 0 where they are at other times or know other things
  Cell cell = 0;            // of an access to all bytes of a word; 0: the segment is over
  unsigned warp = 0;
  std::uint32_t time = 0;
  std::uint32_t known = 0;
  std::uint32_t known_of_warp = 0;
  std::uint32_t known_of_grid = 0;

  std::uint64_t thread() const { return thread_of(cell); }
};

/// Threads of a row and a warp that are at one time and know the same: which they are and what each leaves in cells is
/// seen without a segment of its own.
struct LaneRow {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  Cell cell = 0;    // of the first
  Cell tagged = 0;  // the same with its tag, for RunningThread::has_enough_reads()

  /// Counts threads along a row, and no two rows of one z have the same; those of different z have.
  static std::uint64_t number_of(const uint3& index) { return std::uint64_t{index.y} << 32 | index.x; }
};

class RunningThread {
 public:
  RunningThread(const ThreadNumbering& numbering, const LaunchIdentity& launch);

  /// Threads of the block run from here on.
  void enter(BlockShadow& block) {
    block_ = &block;
    end_segment();
  }
  BlockShadow& block() const { return *block_; }

  /// No access is taken for a repetition: the segment is never current.
  void see_every_access() { every_access_ = true; }
  bool sees_every_access() const { return every_access_; }
  /// Threads may meet or wait for some that have read a word and not for others: all accesses are kept from now on.
  void keep_all() {
    keeps_all_ = true;
    end_segment();
  }
  bool keeps_all() const { return keeps_all_; }
  /// Whether accesses need no look at anything but cells.
  bool is_plain() const { return plain_; }
  void set_plain(bool plain) {
    plain_ = plain;
    if (!plain) row_.count = 0;
  }

  /// Whether the segment is that of the running thread at its present time.
  bool is_current() const {
    const Segment& now = segment_;
    return now.index.x == threadIdx.x && now.index.y == threadIdx.y && now.index.z == threadIdx.z;
  }
  const Segment& here() {
    if (!is_current()) [[unlikely]]
      begin_segment();
    return segment_;
  }
  /// Another time begins, or other things are known.
  void end_segment() {
    segment_.index.x = Segment::kNobody;
    segment_.lanes_left = 0;
    segment_.cell = 0;
    row_.count = 0;
    ++ended_;
  }
  /// How many segments have ended so.
  unsigned ended_segments() const { return ended_; }
  const Segment& segment() const { return segment_; }
  const LaneRow& row() const { return row_; }
  /// The segment's thread.
  std::uint64_t thread() const { return segment_.thread(); }
  unsigned rank() const { return numbering_.rank_of(segment_.thread()); }

  /// The segment of the next thread of a row and a warp, from that of one before it.
  bool step_segment() {
    Segment& now = segment_;
    const unsigned step = threadIdx.x - now.index.x;
    if (step > now.lanes_left || now.index.y != threadIdx.y || now.index.z != threadIdx.z) return false;
    now.index.x += step;
    now.lanes_left -= step;
    now.cell += Cell{step} << kThreadShift;
    return true;
  }
  /// The segment begins with an access, unless more than that is to be done before it.
  bool begin_plainly() {
    if (every_access_ || !plain_) return false;
    begin_segment();
    return true;
  }

  /// Whether an access happens before what the thread does now.
  bool happens_after(Cell cell) const;
  /// Which threads have come after an access by meeting, as far as this thread is one of them: all of its warp, block,
  /// cluster or grid. `unknown`: it is none of them, or there is no other.
  enum class Reached : unsigned char { unknown, warp, block, cluster, grid };
  Reached reached_by(Cell cell) const;
  /// The cell of an access by it.
  Cell cell_of(unsigned bytes, const Use& use) const {
    return (segment_.cell & ~kAllBytes) | of_bytes(bytes) | (use.write ? kWrite : 0) | (use.strong ? kStrong : 0);
  }
  /// The thread's side of a violation.
  Side side(const Use& use, unsigned site) const;

  /// Whether a plain access to a whole word changes nothing: the thread has made it before in the same time, or it is
  /// one more read, after a barrier, of what a thread of the block has written, or of what nobody writes, and two
  /// others are kept that are as far apart (WordState). False also where that is not known. `mine` is the cell of the
  /// thread's segment. Changes nothing itself, so it may be interrupted.
  bool changes_nothing(std::size_t index, bool write, Cell mine) const {
    if (!write && has_enough_reads(index, mine | kTag)) return true;
    return is_repeated(shadow.plane(0)[index], write, mine);
  }

  /// Whether the access whose cell is the first of the word makes `mine` one too many.
  static bool is_repeated(Cell first, bool write, Cell mine) {
    return ((first ^ mine) & ~(kTag | kWrite)) == 0 && (!write || (first & kWrite) != 0);
  }

  /// Whether one more read changes nothing next to those of others. `tagged` is the reader's cell with its tag; that of
  /// another lane of its warp does as well while both are at one time and know the same. The tags of the cells, which
  /// are the state of the word, are compared with the rest of them at once.
  bool has_enough_reads(std::size_t index, Cell tagged) const {
    constexpr Cell kMoreOfLaunch = kTag | Cell{kLaunches - 1} << kLaunchShift;
    if (((shadow.plane(0)[index] ^ tagged) & kMoreOfLaunch) != 0) return false;
    const Cell second = shadow.plane(2)[index];
    if (((second ^ tagged) & of_warp_) == 0) return true;  // enough_of_warp, enough_of_block
    const Cell third = shadow.plane(3)[index];
    if (has_tag(second)) return ((third ^ tagged) & of_time_) == 0;  // enough_of_block
    return has_tag(third) && are_unknown(second, third);             // enough_of_blocks
  }

  /// Whether neither of two accesses, of which one at most is by its block, happens before what the thread does.
  bool are_unknown(Cell one, Cell other) const {
    return clock_of(one) > known_of_others_ && clock_of(other) > known_of_others_;
  }

  /// Whether the access is of the running thread, whose cells are like `mine`, or before a barrier of the block or the
  /// grid that both have passed. The segment may be that of another lane that knows the same.
  bool is_settled(Cell cell, Cell mine) const {
    constexpr Cell kThread = kThreadMask << kThreadShift;
    const Cell other = cell ^ mine;
    if ((other & kThread) == 0) return !is_pending(cell);
    return clock_of(cell) <= ((other & kThread & of_block_) == 0 ? segment_.known : segment_.known_of_grid);
  }

  // Bits of a cell: which launch and block, which bytes and what; the time as well; the warp as well, or the thread
  // where warps are no power of two wide.
  Cell of_block() const { return of_block_; }
  Cell of_time() const { return of_time_; }
  Cell of_warp() const { return of_warp_; }
  bool has_round_warps() const { return numbering_.warp_shift() != 0; }

 private:
  void begin_segment();

  std::uint32_t known_of_others_ = 0;  // what the segment knows of other blocks: at most what was done up to then
  LaneRow row_{};                      // empty where accesses are not plain, or blocks have several z
  Segment segment_{};
  bool plain_;  // no clusters, nothing left of the last access
  bool every_access_ = false;
  bool keeps_all_ = false;
  unsigned ended_ = 0;
  Cell of_block_ = 0;
  Cell of_time_ = 0;
  Cell of_warp_ = 0;
  const ThreadNumbering& numbering_;
  const LaunchIdentity& launch_;
  BlockShadow* block_ = nullptr;
};

}  // namespace warpfiber::check
