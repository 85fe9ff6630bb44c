// SPDX-License-Identifier: Apache-2.0
// The parts of the checker by themselves: numbering, happens-before, races, bounds, copies and values of lanes, each
// without the others where it needs none.
#include <warpfiber/detail/current_thread.hpp>

#include <array>
#include <cstdint>
#include <optional>

#include "check/bounds/object_bounds.hpp"
#include "check/copies/async_copies.hpp"
#include "check/enable.hpp"
#include "check/launch/synchronisation.hpp"
#include "check/objects/unwritten.hpp"
#include "check/quick/quick.hpp"
#include "check/races/race_detector.hpp"
#include "memory/global_heap.hpp"
#include "support/catch.hpp"

using namespace warpfiber::check;
namespace memory = warpfiber::memory;
namespace record = warpfiber::record;

namespace {

class NoSlowAccesses final : public SlowAccesses {
 public:
  void access_word(const char*, bool, unsigned) override { FAIL("nothing was counted"); }
};

/// Two blocks of 64 threads, with the parts that are to be tested.
class TwoBlocks {
 public:
  TwoBlocks()
      : numbering_({.grid = {2, 1, 1}, .block = {64, 1, 1}}),
        launch_(numbering_, record::LaunchOrder{}),
        running_(numbering_, launch_),
        log_(numbering_, running_, resident_),
        values_(log_.violations()),
        counted_(numbering_, launch_, running_, slow_),
        sync(numbering_, launch_, running_, resident_),
        races(numbering_, launch_, running_, log_, sync.hand_overs(), reachable_),
        bounds(running_, log_, values_, reachable_),
        copies(launch_, running_, counted_) {
    enable();
    word_ = static_cast<char*>(memory::global_heap().allocate(kWordBytes));
    host_writes().add(word_, kWordBytes);
    shadow.clear(word_, kWordBytes);
    for (unsigned block = 0; block < blocks_.size(); ++block) {
      sync.begin_block(blocks_[block], block, arena_);
      resident_.add(blocks_[block]);
    }
  }
  ~TwoBlocks() {
    memory::global_heap().free(word_);
    threadIdx = uint3{0, 0, 0};
  }
  TwoBlocks(const TwoBlocks&) = delete;
  TwoBlocks& operator=(const TwoBlocks&) = delete;

  /// The thread runs from here on.
  RunningThread& run(unsigned block, unsigned thread) {
    running_.enter(blocks_[block]);
    threadIdx = uint3{thread, 0, 0};
    running_.here();
    return running_;
  }
  BlockShadow& block(unsigned number) { return blocks_[number]; }
  std::array<BlockShadow*, 2> both() { return {&blocks_[0], &blocks_[1]}; }
  Cell cell(const Use& use) { return running_.cell_of(0xf, use); }
  /// The running thread's access to a whole word that `word` is the shadow of.
  void access(ShadowWord& word, const Use& use) { races.check(word, 0xf, use, use.write ? 1 : 2); }
  /// The shadow of a word after a write by the running thread.
  ShadowWord written() {
    const std::size_t index = shadow.index_of(word_);
    shadow.plane(0)[index] = cell({.write = true});
    shadow.plane(1)[index] = notes_for(1, Scope::device);
    return ShadowWord(shadow, index);
  }
  std::size_t cases(ViolationKind kind) const {
    std::size_t count = 0;
    for (const Violation& one : log_.violations().all()) count += one.kind == kind ? 1 : 0;
    return count;
  }
  char* word() { return word_; }

 private:
  NoSlowAccesses slow_;
  ThreadNumbering numbering_;
  LaunchIdentity launch_;
  RunningThread running_;
  BlockShadows resident_;
  ViolationLog log_;
  ReachableMemory reachable_;
  LaneValues values_;
  CountedAccesses counted_;
  memory::SharedArena arena_;
  std::array<BlockShadow, 2> blocks_;
  char* word_ = nullptr;

 public:
  Synchronisation sync;
  RaceDetector races;
  ObjectBounds bounds;
  AsyncCopies copies;
};

constexpr Use kRead{.read = true};
constexpr Use kStore{.write = true};

}  // namespace

TEST_CASE("a thread's number says its block, warp, lane and cluster, whatever the shape") {
  const unsigned threads = GENERATE(1U, 33U, 64U, 1024U);
  const unsigned warp_size = GENERATE(20U, 32U);
  const ThreadNumbering numbering(
      {.grid = {8, 6, 1}, .block = {threads, 1, 1}, .cluster = {2, 3, 1}, .warp_size = warp_size});
  for (std::uint64_t block = 0; block < 48; ++block) {
    CHECK(numbering.cluster_of(block) == block % 8 / 2 + block / 24 * 4);
    for (unsigned rank = 0; rank < threads; ++rank) {
      const std::uint64_t number = numbering.number_of(block, rank);
      const Who who = numbering.who_of(number);
      const bool right = who.block == block && who.warp == rank / warp_size && who.lane == rank % warp_size &&
                         numbering.finding_id(number) == block * threads + rank;
      REQUIRE(right);
    }
  }
}

TEST_CASE("an access happens before what comes after a barrier of its block, and of the grid for others") {
  TwoBlocks two;
  const Cell before = (two.run(0, 3), two.cell(kStore));
  CHECK(two.run(0, 3).happens_after(before));
  CHECK_FALSE(two.run(0, 4).happens_after(before));
  two.sync.on_lanes(two.block(0), 0, 0xffffffff, 0xffffffff);
  CHECK(two.run(0, 4).happens_after(before));
  CHECK_FALSE(two.run(0, 40).happens_after(before));
  two.sync.on_block_barrier(two.block(0));
  CHECK(two.run(0, 40).happens_after(before));
  CHECK_FALSE(two.run(1, 4).happens_after(before));
  two.sync.on_blocks(two.both(), true);
  CHECK(two.run(1, 4).happens_after(before));
}

TEST_CASE("a release and an acquire of one word order what was before and after, a relaxed atomic does not") {
  const int order = GENERATE(__ATOMIC_RELAXED, __ATOMIC_ACQUIRE);
  TwoBlocks two;
  const Cell before = (two.run(0, 3), two.cell(kStore));
  two.sync.atomic(two.word(), {.writes = true, .order = __ATOMIC_RELEASE}, 1);
  two.run(1, 4);
  two.sync.atomic(two.word(), {.reads = true, .order = order}, 2);
  CHECK(two.run(1, 4).happens_after(before) == (order == __ATOMIC_ACQUIRE));
  CHECK_FALSE(two.run(1, 5).happens_after(before));
}

TEST_CASE("a read of another thread's write is a race until a barrier is between them") {
  TwoBlocks two;
  two.run(0, 3);
  ShadowWord word = two.written();
  two.run(0, 3);
  two.access(word, kRead);
  CHECK(two.cases(ViolationKind::race) == 0);
  const bool barrier = GENERATE(false, true);
  if (barrier) two.sync.on_block_barrier(two.block(0));
  two.run(0, 40);
  two.access(word, kRead);
  CHECK(two.cases(ViolationKind::race) == (barrier ? 0 : 1));
}

TEST_CASE("atomics race where the scope of one leaves the other's thread out") {
  const Scope scope = GENERATE(Scope::block, Scope::device);
  const Use add{.read = true, .write = true, .strong = true, .scope = scope};
  TwoBlocks two;
  two.run(0, 3);
  const std::size_t index = shadow.index_of(two.word());
  shadow.plane(0)[index] = two.cell(add);
  shadow.plane(1)[index] = notes_for(1, scope);
  ShadowWord word(shadow, index);
  two.run(0, 40);
  two.access(word, add);
  CHECK(two.cases(ViolationKind::race) == 0);
  two.run(1, 3);
  two.access(word, add);
  CHECK(two.cases(ViolationKind::race) == (scope == Scope::block ? 1 : 0));
}

TEST_CASE("bytes are in bounds up to the end of their object, and fresh until the host has written them") {
  TwoBlocks two;
  two.run(0, 3);
  two.bounds.begin_access();
  CHECK(two.bounds.contain(two.word(), kWordBytes, kRead, 1));
  CHECK_FALSE(two.bounds.refused());
  two.bounds.count_fresh(shadow.index_of(two.word()), 0xf);
  CHECK(two.bounds.fresh_bytes() == 0);
  host_writes().remove(two.word(), 2);
  two.bounds.count_fresh(shadow.index_of(two.word()), 0x3);
  CHECK(two.bounds.fresh_bytes() == 2);
  two.bounds.begin_access();
  CHECK_FALSE(two.bounds.contain(two.word() + kWordBytes, kWordBytes, kStore, 2));
  CHECK(two.bounds.refused());
  CHECK(two.cases(ViolationKind::outside) == 1);
}

TEST_CASE("nothing happens after a copy until its thread has waited for its batch") {
  TwoBlocks two;
  two.run(0, 3);
  const std::size_t index = two.written().index;
  two.copies.start({.to = two.word(), .from = nullptr, .bytes = 0, .room = kWordBytes, .site = 1});
  two.copies.commit();
  CHECK(clock_of(shadow.plane(0)[index]) == kPendingClock);
  two.run(0, 3);
  two.copies.wait(1);
  CHECK(clock_of(shadow.plane(0)[index]) == kPendingClock);
  two.copies.wait(0);
  CHECK(clock_of(shadow.plane(0)[index]) != kPendingClock);
  CHECK(two.copies.none());
}

TEST_CASE("a copy that is bound to a phase of a barrier is done when that ends") {
  TwoBlocks two;
  const char phase = 0;
  two.run(0, 3);
  const std::size_t index = two.written().index;
  two.copies.start({.to = two.word(), .from = nullptr, .bytes = 0, .room = kWordBytes, .site = 1});
  two.run(0, 3);
  two.copies.bind(&phase, false);
  CHECK(clock_of(shadow.plane(0)[index]) == kPendingClock);
  two.copies.end_phase(&phase);
  CHECK(clock_of(shadow.plane(0)[index]) != kPendingClock);
  CHECK_FALSE(two.copies.none());
  two.copies.see_phase(&phase);
  CHECK(two.copies.none());
}

TEST_CASE("a lane outside the mask is a defect where the call names it for all, or its value is stored") {
  Violations cases;
  LaneValues values(cases);
  const Side now{.thread = 3, .site = 7};
  values.foreign_lane({3, 0}, 0xffff, 20, false, now);
  CHECK(cases.last()->kind == ViolationKind::foreign_neighbour);
  SECTION("named by two threads") {
    values.foreign_lane({3, 0}, 0xffff, 20, true, now);
    CHECK(cases.last()->kind == ViolationKind::foreign_neighbour);
    values.foreign_lane({4, 0}, 0xffff, 20, true, now);
    CHECK(cases.last()->kind == ViolationKind::foreign_lane);
  }
  SECTION("stored") {
    std::uint32_t memory = 0;
    const auto given = static_cast<std::uint32_t>(values.give({3, 0}, 7, {ValueKind::int32, 5}));
    values.begin_store(3, &memory, sizeof memory);
    memory = given + 5;
    values.end_store();
    CHECK(cases.last()->kind == ViolationKind::foreign_used);
  }
  SECTION("stored with what was added to it, or a multiple of it") {
    const std::uint32_t add = GENERATE(0U, 1U, 1000U, static_cast<std::uint32_t>(-7));
    const std::uint32_t factor = GENERATE(1U, 2U, 3U);
    if (add != 0 && factor != 1) return;
    std::uint32_t memory = 40;
    const auto given = static_cast<std::uint32_t>(values.give({3, 0}, 7, {ValueKind::int32, 5}));
    values.begin_store(3, &memory, sizeof memory);
    memory = given * factor + add;
    values.end_store();
    CHECK(cases.last()->kind == ViolationKind::foreign_used);
  }
  SECTION("far from what was stored, or given long ago") {
    std::uint32_t memory = 0;
    const auto given = static_cast<std::uint32_t>(values.give({3, 0}, 7, {ValueKind::int32, 5}));
    const std::uint32_t earlier = GENERATE(0U, 8U);
    for (std::uint32_t i = 0; i < earlier; ++i) {
      values.begin_store(3, &memory, sizeof memory);
      memory = i;
      values.end_store();
    }
    values.begin_store(3, &memory, sizeof memory);
    memory = earlier == 0 ? given + 100000 : given + 9;
    values.end_store();
    CHECK(cases.last()->kind == ViolationKind::foreign_neighbour);
  }
  SECTION("dropped") {
    std::uint32_t memory = 0;
    values.give({3, 0}, 7, {ValueKind::int32, 5});
    values.begin_store(3, &memory, sizeof memory);
    memory = 5;
    values.end_store();
    CHECK(cases.last()->kind == ViolationKind::foreign_neighbour);
  }
}

TEST_CASE("a word's state names which further reads add nothing") {
  TwoBlocks two;
  const std::size_t index = shadow.index_of(two.word());
  const WordView word(index);
  const auto state_after_read = [&](unsigned block, unsigned thread) {
    const RunningThread& now = two.run(block, thread);
    CHECK(add_read(now, index, now.segment().cell, 1));
    return word.state();
  };
  two.run(0, 0);
  word.begin(two.cell(kRead), notes_for(1, Scope::device));
  CHECK(word.state() == WordState::one_cell);
  CHECK(state_after_read(0, 1) == WordState::more_cells);
  CHECK(state_after_read(0, 2) == WordState::enough_of_warp);
  CHECK(two.run(0, 3).changes_nothing(index, false, two.cell(kRead)));
  CHECK_FALSE(two.run(0, 32).changes_nothing(index, false, two.cell(kRead)));
  CHECK(state_after_read(0, 32) == WordState::enough_of_block);
  CHECK(two.run(0, 63).changes_nothing(index, false, two.cell(kRead)));
  CHECK_FALSE(two.run(1, 0).changes_nothing(index, false, two.cell(kRead)));
  CHECK(state_after_read(1, 0) == WordState::enough_of_blocks);
  CHECK(two.run(1, 63).changes_nothing(index, false, two.cell(kRead)));
}

TEST_CASE("the notes say that more is kept of a word than its cells hold, and the state does not") {
  TwoBlocks two;
  const std::size_t index = shadow.index_of(two.word());
  two.run(0, 0).keep_all();
  two.run(0, 0);
  WordView(index).begin(two.cell(kRead), notes_for(1, Scope::device));
  for (unsigned thread = 1; thread < 5; ++thread) {
    two.run(0, thread);
    ShadowWord word(shadow, index);
    two.access(word, kRead);
    word.store(shadow);
    CHECK(WordView(index).has_further() == (thread > 2));
  }
  CHECK(WordView(index).state() == WordState::more_cells);
  CHECK_FALSE(two.run(0, 5).changes_nothing(index, false, two.cell(kRead)));
}
