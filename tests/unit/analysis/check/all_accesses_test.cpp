// SPDX-License-Identifier: Apache-2.0
// Races that are found, against a detector that keeps every access and compares every pair, over random lists of
// events. The order is that of order_model.hpp. Warps are four lanes wide, so that few threads are many.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "check/enable.hpp"
#include "check/launch/launch_checker.hpp"
#include "check/quick/quick.hpp"
#include "memory/global_heap.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/order_model.hpp"
#include "unit/analysis/check/quick_ends.hpp"

using namespace warpfiber::check;
using warpfiber::base::Random;
using warpfiber::check::test::Ends;
using warpfiber::test::OrderModel;
using warpfiber::test::Reading;
namespace memory = warpfiber::memory;
namespace record = warpfiber::record;

namespace {

constexpr unsigned kBlocks = 4;
constexpr unsigned kBlocksOfCluster = 2;
constexpr unsigned kThreads = 12;
constexpr unsigned kWarpSize = 4;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr std::size_t kDataWords = 2;
constexpr std::size_t kSyncWords = 2;
constexpr std::size_t kPhases = 2;

/// What a list may be.
struct Kind {
  bool some_meet = false;  // threads meet or wait for others than all of a warp, block, cluster or grid
  bool by_bytes = false;   // some accesses are to single bytes
  bool clusters = false;
  bool updates = false;  // atomics change the data, too, and nobody uses what they find
};

enum class Does { read, write, update };

/// Every access to some bytes, each with its place among those of its thread.
class AllAccesses {
 public:
  explicit AllAccesses(Reading reading) : order(reading, kBlocks, kThreads, std::size_t{kBlocks} * kThreads) {}

  void access(unsigned block, unsigned thread, std::size_t first, std::size_t bytes, Does does) {
    const std::size_t actor = std::size_t{block} * kThreads + thread;
    const warpfiber::test::Counts& known = order.known_to(block, thread);
    const std::uint32_t count = known[actor] + 1;
    for (std::size_t byte = first; byte < first + bytes; ++byte) {
      for (const Access& one : accesses_[byte]) {
        const bool both_read = one.does == Does::read && does == Does::read;
        const bool both_update = one.does == Does::update && does == Does::update;
        if (!both_read && !both_update && one.actor != actor && one.count > known[one.actor])
          raced.insert(byte / kWordBytes);
      }
      accesses_[byte].push_back({actor, count, does});
    }
    order.access(block, thread, actor);
  }

  OrderModel order;
  std::set<std::size_t> raced;  // words

 private:
  struct Access {
    std::size_t actor;
    std::uint32_t count;
    Does does;
  };
  std::array<std::vector<Access>, kDataWords * kWordBytes> accesses_;
};

/// Words that all lists use, as memory of the device that the host has written.
struct Memory {
  Memory() {
    enable();
    constexpr std::size_t kBytes = (kDataWords + kSyncWords) * kWordBytes;
    words = static_cast<char*>(memory::global_heap().allocate(kBytes, memory::Birth{.initialised = true}));
    forget_memory(words, kBytes);
  }
  ~Memory() { memory::global_heap().free(words); }

  char* words;
};

/// One list, told to the checker and to both readings of the order.
class List {
 public:
  List(Memory& memory, const Kind& kind, std::uint64_t seed)
      : memory_(memory),
        kind_(kind),
        random_(seed),
        checker_(shape_of(kind), {}, {.stack_owner = [](const void*) { return std::nullopt; }}) {
    if (kind.some_meet) checker_.running().keep_all();
    for (unsigned i = 0; i < kBlocks; ++i) checker_.begin_block(blocks_[i], i, arena_);
    for (std::uint64_t more = 6 + random_.below(30); more > 0; --more) step();
    for (BlockShadow& block : blocks_) checker_.end_block(block);
    threadIdx = uint3{0, 0, 0};
  }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  /// Words that the checker found raced for.
  std::set<std::size_t> found() const {
    std::set<std::size_t> words;
    for (const Violation& one : checker_.log().violations().all()) {
      const std::ptrdiff_t at = static_cast<const char*>(one.address) - memory_.words;
      const bool of_data = at >= 0 && at < static_cast<std::ptrdiff_t>(kDataWords * kWordBytes);
      if ((one.kind == ViolationKind::race || one.kind == ViolationKind::same_value) && of_data)
        words.insert(static_cast<std::size_t>(at) / kWordBytes);
    }
    return words;
  }
  const std::set<std::size_t>& races_at_least() const { return generous_.raced; }
  const std::set<std::size_t>& races_at_most() const { return strict_.raced; }
  const std::string& history() const { return history_; }

 private:
  static GridShape shape_of(const Kind& kind) {
    return {.grid = {kBlocks, 1, 1},
            .block = {kThreads, 1, 1},
            .cluster = {kind.clusters ? kBlocksOfCluster : 1, 1, 1},
            .warp_size = kWarpSize};
  }

  unsigned below(unsigned count) { return static_cast<unsigned>(random_.below(count)); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void step() {
    if (kind_.updates && chance(85)) return chance(70) ? update_by_many() : chance(50) ? meet_grid() : meet_block();
    const unsigned what = below(kind_.some_meet ? 20 : 14);
    if (what < 7) return read_by_many();
    if (what < 10) return access(below(kBlocks), below(kThreads), some_word(), chance(60));
    if (what == 10) return meet_block();
    if (what < 13) return meet_lanes(kind_.some_meet && chance(50));
    if (what == 13) return kind_.clusters && chance(60) ? meet_cluster() : meet_grid();
    if (what < 16) return meet_threads();
    if (what == 16) return chance(25) ? end_phase() : arrive_or_wait();
    if (what == 17) return fence();
    atomic();
  }

  std::size_t some_word() { return chance(75) ? 0 : below(kDataWords); }

  /// Threads that follow each other with a stride, or any, of one block or of several.
  void read_by_many() {
    const std::size_t word = some_word();
    const unsigned last = chance(60) ? below(kBlocks) : kBlocks - 1;
    const unsigned stride = 1 + (chance(70) ? 0 : below(4));
    const bool any = chance(20);
    for (unsigned block = chance(60) ? last : 0; block <= last; ++block) {
      for (unsigned thread = below(stride); thread < kThreads; thread += stride) {
        if (chance(10)) continue;
        access(block, any ? below(kThreads) : thread, word, false);
      }
    }
  }

  void update_by_many() {
    const std::size_t word = some_word();
    for (unsigned more = below(6); more > 0; --more) update(below(kBlocks), below(kThreads), word);
  }

  void update(unsigned block, unsigned thread, std::size_t word) {
    run(block, thread);
    const std::size_t first = word * kWordBytes;
    strict_.access(block, thread, first, kWordBytes, Does::update);
    generous_.access(block, thread, first, kWordBytes, Does::update);
    const AtomicUse use{.reads = true, .writes = true, .use_follows = true};
    checker_.atomic(memory_.words + first, kWordBytes, use, &kInstructions[kSites * (1 + word) + below(kSites)]);
    told(static_cast<int>(kSyncWords + word), use, block, thread);
  }

  void run(unsigned block, unsigned thread) {
    if (running_ != block) checker_.enter(blocks_[block]);
    running_ = block;
    threadIdx = uint3{thread, 0, 0};
  }

  void access(unsigned block, unsigned thread, std::size_t word, bool write) {
    run(block, thread);
    const bool whole = !kind_.by_bytes || chance(60);
    const std::size_t first = word * kWordBytes + (whole ? 0 : below(kWordBytes));
    const std::size_t bytes = whole ? kWordBytes : 1;
    strict_.access(block, thread, first, bytes, write ? Does::write : Does::read);
    generous_.access(block, thread, first, bytes, write ? Does::write : Does::read);
    log((write ? "writes " : "reads ") + std::to_string(first) + (whole ? "" : " byte") + by(block, thread));
    write ? tell<true>(first, bytes) : tell<false>(first, bytes);
  }

  template <bool kWrite>
  void tell(std::size_t first, std::size_t bytes) {
    const std::size_t word = first / kWordBytes;  // races between the same lines are one case
    const void* instruction = &kInstructions[kSites * (1 + word) + below(kSites)];
    Ends::telling = &checker_;
    const char* at = memory_.words + first;
    if (bytes != kWordBytes) return Ends::access<kWrite>(at, instruction, bytes);
    const std::size_t index = shadow.index_of_whole(at);
    if (chance(30)) return Quick<Ends, kWrite>::step(index, instruction, &checker_);
    if (!Quick<Ends, kWrite>::has_enough(index, 1, &checker_))
      Quick<Ends, kWrite>::access(index, instruction, &checker_);
  }

  Synchronisation& sync() {
    checker_.flush();
    return checker_.sync();
  }

  void meet(const std::vector<std::size_t>& members) {
    strict_.order.meet(members, {});
    generous_.order.meet(members, {});
  }

  static std::vector<std::size_t> all_of(unsigned first, unsigned count) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < std::size_t{count} * kThreads; ++i) all.push_back(std::size_t{first} * kThreads + i);
    return all;
  }

  void meet_block() {
    const unsigned block = below(kBlocks);
    sync().on_block_barrier(blocks_[block]);
    meet(all_of(block, 1));
    log("meet block " + std::to_string(block));
  }

  void meet_grid() {
    std::vector<BlockShadow*> all;
    for (BlockShadow& block : blocks_) all.push_back(&block);
    sync().on_blocks(all, true);
    meet(all_of(0, kBlocks));
    log("meet grid");
  }

  void meet_cluster() {
    const unsigned first = below(kBlocks / kBlocksOfCluster) * kBlocksOfCluster;
    std::vector<BlockShadow*> all;
    for (unsigned i = 0; i < kBlocksOfCluster; ++i) all.push_back(&blocks_[first + i]);
    sync().on_blocks(all, false);
    meet(all_of(first, kBlocksOfCluster));
    log("meet cluster from " + std::to_string(first));
  }

  void meet_lanes(bool some) {
    constexpr std::uint64_t kAll = (1U << kWarpSize) - 1;
    const unsigned block = below(kBlocks);
    const unsigned warp = below(kWarps);
    const std::uint64_t lanes = some ? 1 + random_.below(kAll) : kAll;
    std::vector<std::size_t> members;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if ((lanes >> lane & 1) != 0) members.push_back(std::size_t{block} * kThreads + warp * kWarpSize + lane);
    }
    sync().on_lanes(blocks_[block], warp, lanes, kAll);
    meet(members);
    log("meet lanes " + std::to_string(lanes) + " of warp " + std::to_string(warp) + " block " + std::to_string(block));
  }

  void meet_threads() {
    const unsigned block = below(kBlocks);
    const bool warps = chance(60);
    unsigned chosen = below(1U << kThreads);
    if (warps) chosen &= 0b000100010001;
    std::vector<unsigned> threads;
    std::vector<std::size_t> members;
    std::string names;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      if ((chosen >> (warps ? thread / kWarpSize * kWarpSize : thread) & 1) == 0) continue;
      threads.push_back(thread);
      members.push_back(std::size_t{block} * kThreads + thread);
      names += " " + std::to_string(thread);
    }
    if (threads.empty()) return;
    sync().on_threads(blocks_[block], threads);
    meet(members);
    log("meet threads of block " + std::to_string(block) + names);
  }

  /// As at a barrier in two parts, which any thread may come to.
  void arrive_or_wait() {
    const unsigned block = below(kBlocks);
    const unsigned thread = below(kThreads);
    const auto phase = static_cast<int>(below(kPhases));
    const bool waits = chance(50);
    run(block, thread);
    const AtomicUse use{.reads = true, .writes = !waits, .order = waits ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE};
    waits ? sync().wait(&phases_[static_cast<std::size_t>(phase)])
          : sync().arrive(&phases_[static_cast<std::size_t>(phase)]);
    told(-1 - phase, use, block, thread);
  }

  /// Of a barrier in two parts, or of the phases that one of the words counts.
  void end_phase() {
    const bool of_word = chance(30);
    const auto phase = static_cast<int>(below(kPhases));
    of_word ? sync().end_phase_of_word(memory_.words + kDataWords * kWordBytes)
            : sync().end_phase(&phases_[static_cast<std::size_t>(phase)], {});
    const int word = of_word ? 0 : -1 - phase;
    strict_.order.end_phase(word);
    generous_.order.end_phase(word);
    log("end of a phase of sync word " + std::to_string(word));
  }

  void fence() {
    const unsigned block = below(kBlocks);
    const unsigned thread = below(kThreads);
    const auto scope = static_cast<Scope>(below(4));
    run(block, thread);
    sync().fence(scope);
    strict_.order.fence(scope, block, thread);
    generous_.order.fence(scope, block, thread);
    log("fence " + std::to_string(static_cast<int>(scope)) + by(block, thread));
  }

  void atomic() {
    const unsigned block = below(kBlocks);
    const unsigned thread = below(kThreads);
    const unsigned word = below(kSyncWords);
    AtomicUse use{.scope = static_cast<Scope>(below(4))};
    use.reads = chance(75);
    use.writes = !use.reads || chance(60);
    constexpr std::array kOrders{__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL};
    use.order = kOrders[below(kOrders.size())];
    run(block, thread);
    checker_.atomic(memory_.words + (kDataWords + word) * kWordBytes, kWordBytes, use, &kInstructions[0]);
    told(static_cast<int>(word), use, block, thread);
  }

  void told(int word, const AtomicUse& use, unsigned block, unsigned thread) {
    strict_.order.use(word, use, block, thread);
    generous_.order.use(word, use, block, thread);
    log(std::string(use.reads ? "reads " : "") + (use.writes ? "writes " : "") + "sync word " + std::to_string(word) +
        " order " + std::to_string(use.order) + " scope " + std::to_string(static_cast<int>(use.scope)) +
        by(block, thread));
  }

  static std::string by(unsigned block, unsigned thread) {
    return " by (" + std::to_string(block) + ", " + std::to_string(thread) + ")";
  }
  void log(const std::string& line) { history_ += line + "\n"; }

  static constexpr unsigned kSites = 3;  // of a word, besides those of words to synchronise by
  static constexpr std::array<std::uint32_t, kSites*(1 + kDataWords)> kInstructions{};

  Memory& memory_;
  Kind kind_;
  Random random_;
  AllAccesses strict_{Reading::strict};
  AllAccesses generous_{Reading::generous};
  memory::SharedArena arena_;
  std::array<BlockShadow, kBlocks> blocks_;
  std::array<char, kPhases> phases_{};
  LaunchChecker checker_;
  std::optional<unsigned> running_;
  std::string history_;
};

}  // namespace

TEST_CASE("a word is raced for exactly where some pair of all accesses to it has no order", "[address-space][sweep]") {
  const Kind kind = GENERATE(Kind{}, Kind{.some_meet = true}, Kind{.some_meet = true, .by_bytes = true},
                             Kind{.clusters = true}, Kind{.some_meet = true, .clusters = true}, Kind{.updates = true},
                             Kind{.clusters = true, .updates = true}, Kind{.some_meet = true, .updates = true});
  constexpr std::uint64_t kLists = 1200;
  Memory memory;
  std::size_t with_race = 0, without = 0;
  // Updates, a store and reads that fill a word: what all threads, or all that come after another, come after, goes.
  const std::vector<std::uint64_t> of_full_words{5277, 70873};
  for (std::uint64_t i = 1; i <= kLists + of_full_words.size(); ++i) {
    const std::uint64_t seed = i <= kLists ? i : of_full_words[i - kLists - 1];
    const List list(memory, kind, warpfiber::base::mix(kind.some_meet ? 1 : 0, seed));
    const std::set<std::size_t> found = list.found();
    INFO("seed " << seed << "\n" << list.history());
    // Of updates two are kept, which is enough where threads meet all of something.
    if (!kind.updates || !kind.some_meet) REQUIRE(std::ranges::includes(found, list.races_at_least()));
    REQUIRE(std::ranges::includes(list.races_at_most(), found));
    (found.empty() ? without : with_race) += 1;
  }
  CHECK(with_race > kLists / 4);
  CHECK(without > kLists / 10);
}
