// SPDX-License-Identifier: Apache-2.0
// What the clocks and the words of the checker know, against vector clocks of all threads, over random programs.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/lane_mask.hpp"
#include "base/random.hpp"
#include "check/order/clocks.hpp"
#include "check/order/sync_words.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/order_model.hpp"

using namespace warpfiber::check;
using warpfiber::base::LaneMask;
using warpfiber::base::Random;
using warpfiber::test::Counts;
using warpfiber::test::OrderModel;
using warpfiber::test::Reading;
namespace lane_mask = warpfiber::base::lane_mask;

namespace {

constexpr unsigned kBlocks = 4;
constexpr unsigned kBlocksOfCluster = 2;
constexpr int kWords = 3;

/// A thread that accesses memory, and when it did.
struct Actor {
  unsigned block;
  unsigned thread;
  std::vector<std::uint32_t> times{};
};

/// Blocks that run one random program, the checker's clocks and both models beside each other.
class Run {
 public:
  Run(unsigned threads, unsigned warp_size, std::uint64_t seed)
      : random_(seed),
        threads_(threads),
        warp_size_(warp_size),
        actors_(choose_actors()),
        least_(Reading::strict, kBlocks, threads, actors_.size()),
        most_(Reading::generous, kBlocks, threads, actors_.size()),
        returned_(std::size_t{kBlocks} * threads, false) {
    for (unsigned block = 0; block < kBlocks; ++block) clocks_[block].start(block, threads, warp_size);
  }

  void step() {
    switch (random_.below(24)) {
      case 0: return meet_block();
      case 1: return meet_wide();
      case 2: return leave();
      case 3:
      case 4:
      case 5:
      case 6: return meet_lanes();
      case 7:
      case 8: return meet_threads();
      case 9:
      case 10:
      case 11: return fence();
      case 12:
      case 13:
      case 14:
      case 15:
      case 16: return use();
      case 17: return tick();
      case 18: return end_phase();
      default: return access();
    }
  }

  /// The checker knows all of what the strict model knows, and none of what the generous one does not.
  void compare() {
    for (const Actor& observer : actors_) {
      for (std::size_t of = 0; of < actors_.size(); ++of) compare(observer, of);
    }
  }

 private:
  std::vector<Actor> choose_actors() {
    std::vector<Actor> actors;
    for (unsigned block = 0; block < kBlocks; ++block) {
      for (unsigned i = 0; i < 6; ++i) {
        const auto thread = static_cast<unsigned>(random_.below(i < 3 ? std::min(threads_, warp_size_) : threads_));
        const auto same = [&](const Actor& one) { return one.block == block && one.thread == thread; };
        if (std::ranges::none_of(actors, same)) actors.push_back({block, thread});
      }
    }
    return actors;
  }

  Actor& some_actor() { return actors_[random_.below(actors_.size())]; }
  Scope some_scope() { return static_cast<Scope>(random_.below(4)); }
  std::size_t rank(unsigned block, unsigned thread) const { return std::size_t{block} * threads_ + thread; }
  bool chance(unsigned percent) { return random_.below(100) < percent; }

  void log(const std::string& line) { history_ += line + "\n"; }

  void meet(const std::vector<std::size_t>& members, const std::vector<std::size_t>& gone) {
    least_.meet(members, gone);
    most_.meet(members, gone);
  }

  /// Members of a barrier of whole blocks; false if nobody is left.
  bool meet_all_of(unsigned first, unsigned count) {
    std::vector<std::size_t> members;
    std::vector<std::size_t> gone;
    for (std::size_t at = rank(first, 0); at < rank(first + count, 0); ++at) {
      (returned_[at] ? gone : members).push_back(at);
    }
    if (members.empty()) return false;
    meet(members, gone);
    return true;
  }

  void meet_block() {
    const auto block = static_cast<unsigned>(random_.below(kBlocks));
    if (!meet_all_of(block, 1)) return;
    clocks_[block].meet_block();
    log("meet block " + std::to_string(block));
  }

  void meet_wide() {
    const bool grid = chance(30);
    const unsigned first =
        grid ? 0 : static_cast<unsigned>(random_.below(kBlocks / kBlocksOfCluster)) * kBlocksOfCluster;
    const unsigned count = grid ? kBlocks : kBlocksOfCluster;
    if (!meet_all_of(first, count)) return;
    std::vector<BlockClocks*> met;
    for (unsigned block = first; block < first + count; ++block) met.push_back(&clocks_[block]);
    BlockClocks::meet_wide(met, grid);
    log((grid ? "meet grid" : "meet cluster from ") + std::to_string(first));
  }

  void meet_lanes() {
    const Actor& one = some_actor();
    if (returned_[rank(one.block, one.thread)]) return;
    const unsigned warp = one.thread / warp_size_;
    const unsigned first = warp * warp_size_;
    const unsigned size = std::min(warp_size_, threads_ - first);
    LaneMask live = 0;
    for (unsigned lane = 0; lane < size; ++lane) {
      if (!returned_[rank(one.block, first + lane)]) live |= lane_mask::only(lane);
    }
    const bool whole = chance(40);
    const LaneMask lanes =
        whole ? live : (live & random_.next() & random_.next()) | lane_mask::only(one.thread - first);
    std::vector<std::size_t> members;
    std::vector<std::size_t> gone;
    for (unsigned lane = 0; lane < size; ++lane) {
      if (lane_mask::has(lanes, lane)) members.push_back(rank(one.block, first + lane));
      if (lanes == live && !lane_mask::has(live, lane)) gone.push_back(rank(one.block, first + lane));
    }
    meet(members, gone);
    clocks_[one.block].meet_lanes(warp, lanes, live);
    log("meet lanes " + std::to_string(lanes) + " of " + std::to_string(live) + ", block " + std::to_string(one.block) +
        " warp " + std::to_string(warp));
  }

  void meet_threads() {
    const auto block = static_cast<unsigned>(random_.below(kBlocks));
    std::vector<unsigned> threads;
    for (const Actor& one : actors_) {
      if (one.block == block && chance(50)) threads.push_back(one.thread);
    }
    for (std::uint64_t more = random_.below(5); more > 0; --more) {
      threads.push_back(static_cast<unsigned>(random_.below(threads_)));
    }
    std::ranges::sort(threads);
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    std::erase_if(threads, [&](unsigned thread) { return returned_[rank(block, thread)]; });
    if (threads.empty()) return;
    std::vector<std::size_t> members;
    std::string names;
    for (const unsigned thread : threads) {
      members.push_back(rank(block, thread));
      names += " " + std::to_string(thread);
    }
    meet(members, {});
    clocks_[block].meet_threads(threads);
    log("meet threads of block " + std::to_string(block) + names);
  }

  void leave() {
    if (!chance(10)) return;
    const Actor& one = some_actor();
    returned_[rank(one.block, one.thread)] = true;
    log("returns " + name(one));
  }

  void fence() {
    const Actor& one = some_actor();
    if (returned_[rank(one.block, one.thread)]) return;
    const Scope scope = some_scope();
    SyncWords::fence(scope, clocks_[one.block], one.thread);
    least_.fence(scope, one.block, one.thread);
    most_.fence(scope, one.block, one.thread);
    log("fence " + std::to_string(static_cast<int>(scope)) + " by " + name(one));
  }

  void use() {
    const Actor& one = some_actor();
    if (returned_[rank(one.block, one.thread)]) return;
    const auto word = static_cast<int>(random_.below(kWords));
    AtomicUse use{.scope = some_scope()};
    use.reads = chance(75);
    use.writes = !use.reads || chance(50);
    constexpr int kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE,
                               __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    use.order = kOrders[random_.below(std::size(kOrders))];
    words_.use(&memory_[word], use, clocks_[one.block], one.thread);
    least_.use(word, use, one.block, one.thread);
    most_.use(word, use, one.block, one.thread);
    log(std::string(use.reads ? "reads " : "") + (use.writes ? "writes " : "") + "word " + std::to_string(word) +
        " scope " + std::to_string(static_cast<int>(use.scope)) + " order " + std::to_string(use.order) + " by " +
        name(one));
  }

  void end_phase() {
    const auto word = static_cast<int>(random_.below(kWords));
    if (word == 0) return tick();  // one word has no phases
    words_.end_phase(&memory_[word]);
    least_.end_phase(word);
    most_.end_phase(word);
    log("end of a phase of word " + std::to_string(word));
  }

  void tick() {
    const Actor& one = some_actor();
    const auto by = static_cast<std::uint32_t>(1 + random_.below(300));
    clocks_[one.block].tick(one.thread, by);
    log("tick " + std::to_string(by) + " of " + name(one));
  }

  void access() {
    const std::size_t actor = random_.below(actors_.size());
    Actor& one = actors_[actor];
    if (returned_[rank(one.block, one.thread)]) return;
    one.times.push_back(clocks_[one.block].time_of(one.thread));
    least_.access(one.block, one.thread, actor);
    most_.access(one.block, one.thread, actor);
    log("access " + std::to_string(one.times.size()) + " at " + std::to_string(one.times.back()) + " by " + name(one));
  }

  /// As the checker asks (check/running/running_thread.cpp).
  bool covers(const Actor& observer, const Actor& of, std::uint32_t time) const {
    const BlockClocks& clocks = clocks_[observer.block];
    const unsigned warp = of.thread / warp_size_;
    if (observer.block == of.block) {
      if (time <= clocks.known()) return true;
      if (warp == observer.thread / warp_size_ && time <= clocks.known_of_warp(warp)) return true;
    } else {
      if (time <= clocks.known_of_grid()) return true;
      const bool near = observer.block / kBlocksOfCluster == of.block / kBlocksOfCluster;
      if (near && time <= clocks.known_of_cluster()) return true;
    }
    return clocks.covers(observer.thread, {of.block, warp, of.thread % warp_size_}, time);
  }

  void compare(const Actor& observer, std::size_t of) {
    const Actor& other = actors_[of];
    if (&other == &observer) return;
    const std::uint32_t must = least_.known_to(observer.block, observer.thread)[of];
    if (must > 0 && !covers(observer, other, other.times[must - 1])) {
      FAIL("false alarm: " << name(observer) << " does not know access " << must << " of " << name(other) << " after\n"
                           << history_);
    }
    if (returned_[rank(observer.block, observer.thread)]) return;
    const std::uint32_t may = most_.known_to(observer.block, observer.thread)[of];
    if (may < other.times.size() && covers(observer, other, other.times[may])) {
      FAIL("missed race: " << name(observer) << " known access " << may + 1 << " of " << name(other) << " after\n"
                           << history_);
    }
  }

  static std::string name(const Actor& one) {
    return "(" + std::to_string(one.block) + ", " + std::to_string(one.thread) + ")";
  }

  Random random_;
  unsigned threads_;
  unsigned warp_size_;
  std::vector<Actor> actors_;
  BlockClocks clocks_[kBlocks];
  SyncWords words_;
  int memory_[kWords]{};
  OrderModel least_;
  OrderModel most_;
  std::vector<bool> returned_;
  std::string history_;
};

}  // namespace

TEST_CASE("the checker known what happened before, neither less nor more, in random programs") {
  const unsigned threads = GENERATE(1U, 31U, 32U, 33U, 96U, 1000U, 1024U);
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  INFO(threads << " threads in warps of " << warp_size);
  const std::uint64_t programs = threads > 100 ? 4 : 60;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    INFO("seed " << seed);
    Run run(threads, warp_size, warpfiber::base::mix(threads * 64 + warp_size, seed));
    for (int i = 0; i < 150; ++i) {
      run.step();
      run.compare();
    }
  }
  SUCCEED("every pair of threads was compared after every step");
}

TEST_CASE("joined knowledge says what both say, and is one of them where that says it all") {
  constexpr unsigned kRanks = 700, kWarps = 3, kLanes = 32;
  Random random(7);
  const auto some_entry = [&] {
    const std::uint64_t block = random.below(3) == 0 ? random.below(kRanks) : 8 * random.below(kRanks / 8);
    const auto clock = static_cast<std::uint32_t>(1 + random.below(40));
    if (random.below(3) == 0) return Entry{BlockPart{block}, clock};
    return Entry{BlockPart{block, static_cast<unsigned>(random.below(kWarps)), 1 + random.below(0xFFFFFFFF)}, clock};
  };
  std::vector<std::uint32_t> times(std::size_t{kRanks} * kWarps * kLanes);  // known of each thread
  const auto add = [&](const Entry& entry) {
    for (unsigned at = 0; at < kWarps * kLanes; ++at) {
      const bool whole = entry.members.warp == BlockPart::kWholeBlock;
      if (!whole && (entry.members.warp != at / kLanes || !lane_mask::has(entry.members.lanes, at % kLanes))) continue;
      std::uint32_t& time = times[entry.members.block * kWarps * kLanes + at];
      time = std::max(time, entry.clock);
    }
  };
  VectorClockRef all;
  for (int round = 0; round < 60; ++round) {
    VectorClockRef part;
    for (std::uint64_t more = 1 + random.below(40); more > 0; --more) {
      const Entry entry = some_entry();
      add(entry);
      part = join(part, std::span(&entry, 1));
    }
    const VectorClockRef before = all;
    all = round % 2 == 0 ? join(all, part) : join(part, all);
    REQUIRE(join(all, part) == all);
    REQUIRE(join(part, all) == all);
    REQUIRE(join(before, all) == all);
    REQUIRE(all->latest() == *std::ranges::max_element(times));
    std::size_t wrong = 0;
    for (std::size_t at = 0; at < times.size(); ++at) {
      const Who who{at / (kWarps * kLanes), static_cast<unsigned>(at / kLanes % kWarps),
                    static_cast<unsigned>(at % kLanes)};
      const bool all_known = times[at] == 0 || all->covers(who, times[at]);
      wrong += !all_known || all->covers(who, times[at] + 1) ? 1 : 0;
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("blocks that meet through one word share what they know") {
  constexpr unsigned kMany = 256, kThreads = 64;
  std::vector<BlockClocks> clocks(kMany);
  SyncWords words;
  int word = 0;
  for (unsigned block = 0; block < kMany; ++block) clocks[block].start(block, kThreads, 32);
  for (int round = 0; round < 2; ++round) {
    for (BlockClocks& block : clocks) {
      block.meet_block();
      SyncWords::fence(Scope::device, block, 0);
      words.use(&word, AtomicUse{.reads = true, .writes = true}, block, 0);
    }
    for (BlockClocks& block : clocks) {
      words.use(&word, AtomicUse{.reads = true}, block, 0);
      CHECK_FALSE(words.use(&word, AtomicUse{.reads = true}, block, 0));
      SyncWords::fence(Scope::device, block, 0);
    }
    // Where block 0 knows what all do, so do the others, by the same object.
    const VectorClockRef known = clocks[0].personal(0)->shared.known;
    std::size_t same = 0;
    for (BlockClocks& block : clocks) {
      same += block.personal(0)->shared.known == known ? 1 : 0;
      block.meet_block();
      CHECK(block.is_uniform());
    }
    CHECK(same == kMany);
  }
}
