// SPDX-License-Identifier: Apache-2.0
// The quick ways of telling an access leave what the slow one does, over random programs of plain accesses.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "check/enable.hpp"
#include "check/launch/launch_checker.hpp"
#include "check/quick/words.hpp"
#include "memory/global_heap.hpp"
#include "memory/objects.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/quick_ends.hpp"

using namespace warpfiber::check;
using warpfiber::base::Random;
using warpfiber::base::Triple;
using warpfiber::check::test::Ends;
namespace memory = warpfiber::memory;
namespace record = warpfiber::record;

namespace {

constexpr unsigned kToldBlocks = 3;
constexpr std::size_t kToldWords = 2048;
constexpr std::size_t kToldSites = 8;

/// Of an access at the site.
constexpr unsigned words_at(std::size_t site) {
  return site < 6 ? 1 : site == 6 ? 2 : 4;
}

/// What a thread does, or what happens to all of a block.
struct Step {
  enum class Kind : unsigned char { access, atomic, meet_block, meet_warp, meet_grid, go_to_block, doubt_objects } kind;
  unsigned number = 0;  // of a thread, a warp or a block
  std::size_t site = 0;
  std::size_t word = 0;
  bool write = false;
};

/// Rows of threads that access neighbouring words or any, in a few blocks that take turns.
class ToldProgram {
 public:
  ToldProgram(const Triple& block, std::uint64_t seed) : random_(seed), threads_(block.x * block.y * block.z) {
    const std::uint64_t phases = 2 + random_.below(30);
    for (std::uint64_t phase = 0; phase < phases; ++phase) add_phase();
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void add_phase() {
    const std::uint64_t what = random_.below(8);
    if (what < 3) steps_.push_back({Step::Kind::go_to_block, below(kToldBlocks)});
    if (what == 3) steps_.push_back({Step::Kind::meet_block});
    if (what == 4) steps_.push_back({Step::Kind::meet_warp, below((threads_ + 31) / 32)});
    if (what == 5 && random_.below(4) == 0) steps_.push_back({Step::Kind::meet_grid});
    const unsigned first = random_.below(3) == 0 ? below(threads_) : 0;
    const unsigned last = random_.below(3) == 0 ? first + 1 + below(threads_ - first) : threads_;
    const std::uint64_t accesses = 1 + random_.below(3);
    constexpr std::size_t kRow = 64;
    if (random_.below(3) != 0) row_ = kRow * random_.below(kToldWords / kRow);
    std::array<Step, 3> of_all{};
    for (Step& step : of_all) step = some_access();
    for (unsigned thread = first; thread < last; ++thread) {
      if (random_.below(80) == 0) continue;
      if (random_.below(400) == 0) steps_.push_back({Step::Kind::doubt_objects});
      for (std::uint64_t i = 0; i < accesses; ++i) {
        Step step = random_.below(60) == 0 ? some_access() : of_all[i];
        step.number = thread;
        const unsigned words = words_at(step.site);
        step.word = step.word / words * words + (step.site % 2 == 0 ? thread * words : 0);
        if (step.word + words <= kToldWords + 2) steps_.push_back(step);
      }
    }
  }
  Step some_access() {
    const std::uint64_t where = random_.below(8);
    const std::size_t word = where == 0 ? random_.below(kToldWords) : row_ + (where < 3 ? random_.below(3) : 0);
    return {Step::Kind::access, 0, random_.below(kToldSites), word, random_.below(2) == 0};
  }
  unsigned below(unsigned count) { return static_cast<unsigned>(random_.below(count)); }

  Random random_;
  unsigned threads_;
  std::size_t row_ = 0;  // where most accesses of a phase begin
  std::vector<Step> steps_;
};

enum class Way { access, step, slow, counted };

/// What was found and, of each word, what is left.
struct ToldOutcome {
  std::vector<
      std::tuple<ViolationKind, unsigned, unsigned, std::uint64_t, std::uint64_t, std::ptrdiff_t, std::uint64_t>>
      cases;
  std::set<ViolationKind> kinds;
  std::vector<std::array<std::uint64_t, memory::Shadow::kPlanes>> cells;
  std::size_t counted = 0;  // accesses that no hook was told of
};

class ToldRun {
 public:
  ToldRun(const Triple& block, bool initialised, Way way)
      : shape_{.grid = {kToldBlocks, 1, 1}, .block = block},
        way_(way),
        words_((enable(), static_cast<char*>(memory::global_heap().allocate(
                              kToldWords * kWordBytes, memory::Birth{.initialised = initialised})))),
        checker_(shape_, record::LaunchOrder{}, services(), options(way)) {
    forget_memory(words_, kToldWords * kWordBytes);
    // Nothing is stored here. What fresh memory holds would look as if each load's value had been.
    std::memset(words_, 0, kToldWords * kWordBytes);
    begin();
  }
  /// A launch after `earlier`, which has ended, with the same words.
  ToldRun(const Triple& block, ToldRun& earlier, Way way)
      : shape_{.grid = {kToldBlocks, 1, 1}, .block = block},
        way_(way),
        words_(earlier.words_),
        freed_(true),
        checker_(shape_, record::LaunchOrder{}, services(), options(way)) {
    begin();
  }
  ~ToldRun() {
    if (!freed_) free_words();
    threadIdx = uint3{0, 0, 0};
  }
  ToldRun(const ToldRun&) = delete;
  ToldRun& operator=(const ToldRun&) = delete;

  void execute(const std::vector<Step>& steps) {
    for (const Step& step : steps) execute(step);
  }
  void finish() {
    for (BlockShadow& block : blocks_) checker_.end_block(block);
  }
  void free_words() {
    memory::global_heap().free(words_);
    freed_ = true;
  }

  ToldOutcome outcome() const {
    ToldOutcome all;
    all.counted = counted_;
    for (const Violation& one : checker_.log().violations().all()) {
      all.cases.emplace_back(one.kind, one.earlier.site, one.now.site, one.earlier.thread, one.now.thread,
                             static_cast<const char*>(one.address) - words_, one.repeats);
      all.kinds.insert(one.kind);
    }
    for (std::size_t i = 0; i < kToldWords; ++i) {
      const std::size_t index = shadow.index_of(words_ + i * kWordBytes);
      auto& cells = all.cells.emplace_back();
      const Cell first = shadow.plane(0)[index];
      if (first == 0) continue;
      const bool more = has_more(first);
      const Notes all_of_first = mask_of_notes(0) | initialised((1U << kWordBytes) - 1);
      cells = {without_launch(first), shadow.plane(1)[index] & (more ? ~Notes{0} : all_of_first)};
      for (unsigned plane = 2; more && plane < cells.size(); ++plane) {
        cells[plane] = without_launch(shadow.plane(plane)[index]);
      }
    }
    return all;
  }

 private:
  static CheckerServices services() {
    return {.stack_owner = [](const void*) { return std::nullopt; }};
  }
  static record::CheckRequest options(Way way) { return {.last_writes = way == Way::slow}; }
  Synchronisation& sync() {
    checker_.flush();
    return checker_.sync();
  }
  void begin() {
    for (unsigned i = 0; i < kToldBlocks; ++i) checker_.begin_block(blocks_[i], i, arena_);
    checker_.enter(blocks_[0]);
  }
  static Cell without_launch(Cell cell) { return cell & ~(Cell{kLaunches - 1} << kLaunchShift); }

  void execute(const Step& step) {
    switch (step.kind) {
      case Step::Kind::meet_block: return sync().on_block_barrier(blocks_[block_]);
      case Step::Kind::meet_grid: return meet_grid();
      case Step::Kind::meet_warp: {
        const unsigned threads = shape_.block.x * shape_.block.y * shape_.block.z;
        const unsigned lanes = std::min(shape_.warp_size, threads - step.number * shape_.warp_size);
        const std::uint64_t all = (std::uint64_t{1} << lanes) - 1;
        return sync().on_lanes(blocks_[block_], step.number, all, all);
      }
      case Step::Kind::go_to_block: block_ = step.number; return checker_.enter(blocks_[block_]);
      case Step::Kind::doubt_objects: return memory::doubt_objects();
      case Step::Kind::access:
      case Step::Kind::atomic: break;
    }
    const unsigned row = step.number / shape_.block.x;
    threadIdx = uint3{step.number % shape_.block.x, row % shape_.block.y, row / shape_.block.y};
    if (step.kind == Step::Kind::atomic) return change(step);
    step.write ? tell<true>(step) : tell<false>(step);
  }

  /// By an atomic at the scope of the block or the device.
  void change(const Step& step) {
    static const std::array<std::uint32_t, kToldSites> instructions{};
    const AtomicUse use{.reads = true, .writes = true, .scope = step.site == 0 ? Scope::block : Scope::device};
    checker_.atomic(words_ + step.word * kWordBytes, kWordBytes, use, &instructions[step.site]);
  }

  void meet_grid() {
    std::vector<BlockShadow*> all;
    for (BlockShadow& block : blocks_) all.push_back(&block);
    sync().on_blocks(all, true);
  }

  template <bool kWrite>
  void tell(const Step& step) {
    Ends::telling = &checker_;
    switch (words_at(step.site)) {
      case 2: return tell_words<kWrite, 2>(step);
      case 4: return tell_words<kWrite, 4>(step);
      default: return tell_word<kWrite>(step);
    }
  }

  template <bool kWrite, unsigned kWords>
  void tell_words(const Step& step) {
    static const std::array<std::uint32_t, kToldSites> instructions{};
    const void* instruction = &instructions[step.site];
    const char* first = words_ + step.word * kWordBytes;
    const std::size_t index = shadow.index_of_whole(first);
    switch (way_) {
      case Way::access:
      case Way::counted: return QuickWords<Ends, kWrite, kWords>::access(index, instruction, &checker_);
      case Way::step: return QuickWords<Ends, kWrite, kWords>::step(index, instruction, &checker_);
      case Way::slow: return Ends::access<kWrite>(first, instruction, kWords * kWordBytes);
    }
  }

  template <bool kWrite>
  void tell_word(const Step& step) {
    static const std::array<std::uint32_t, kToldSites> instructions{};
    const void* instruction = &instructions[step.site];
    const char* word = words_ + step.word * kWordBytes;
    if (way_ == Way::counted) return count<kWrite>(word, instruction, counters[2 * step.site + (kWrite ? 1 : 0)]);
    switch (way_) {
      case Way::access: return access<kWrite>(word, instruction);
      case Way::step: return Quick<Ends, kWrite>::step(shadow.index_of_whole(word), instruction, &checker_);
      case Way::slow: return Ends::access<kWrite>(word, instruction);
      case Way::counted: break;
    }
  }

  /// What the compiled code does.
  template <bool kWrite>
  void count(const char* word, const void* instruction, std::uint64_t& counter) {
    namespace detail = warpfiber::detail;
    if (counter == detail::counted_state(reinterpret_cast<std::uint64_t>(word), threadIdx.x)) {
      counter += detail::counted_step;
      ++counted_;
      return;
    }
    const std::ptrdiff_t offset =
        reinterpret_cast<const char*>(&counter) - static_cast<const char*>(__builtin_thread_pointer());
    access<kWrite>(word, instruction, offset);
  }

  /// What the hooks do.
  template <bool kWrite>
  void access(const char* word, const void* instruction, std::ptrdiff_t counter = 0) {
    const std::size_t index = shadow.index_of_whole(word);
    if (Quick<Ends, kWrite>::has_enough(index, 1, &checker_)) return;
    Quick<Ends, kWrite>::access(index, instruction, &checker_, counter);
  }

  static inline thread_local std::array<std::uint64_t, 2 * kToldSites> counters = [] {
    std::array<std::uint64_t, 2 * kToldSites> none;
    none.fill(warpfiber::detail::counted_nothing);
    return none;
  }();

  GridShape shape_;
  Way way_;
  char* words_;
  bool freed_ = false;
  memory::SharedArena arena_;
  std::array<BlockShadow, kToldBlocks> blocks_;
  unsigned block_ = 0;
  std::size_t counted_ = 0;
  LaunchChecker checker_;
};

ToldOutcome outcome_of(const Triple& block, bool initialised, const ToldProgram& program, Way way) {
  ToldRun run(block, initialised, way);
  run.execute(program.steps());
  run.finish();
  return run.outcome();
}

}  // namespace

TEST_CASE("accesses that were counted are held against memory that was freed meanwhile", "[address-space]") {
  const auto row = [](std::size_t word, unsigned first, unsigned last) {
    std::vector<Step> steps;
    for (unsigned thread = first; thread < last; ++thread) {
      steps.push_back({Step::Kind::access, thread, 0, word + thread, true});
    }
    return steps;
  };
  ToldRun run({64, 1, 1}, true, Way::counted);
  run.execute(row(0, 0, 64));
  run.execute(row(64, 0, 32));
  const std::size_t counted = run.outcome().counted;
  run.free_words();
  run.execute(row(64, 32, 64));
  run.finish();
  const ToldOutcome outcome = run.outcome();
  CHECK(outcome.counted == counted + 32);
  CHECK(outcome.kinds == std::set<ViolationKind>{ViolationKind::freed});
}

TEST_CASE("accesses told quickly find and leave what those told slowly do", "[address-space]") {
  const Triple block =
      GENERATE(Triple{64, 1, 1}, Triple{40, 1, 1}, Triple{16, 4, 1}, Triple{33, 2, 1}, Triple{8, 4, 2});
  const bool initialised = GENERATE(true, false);
  std::size_t found = 0, counted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("block " << block.x << " x " << block.y << " x " << block.z << ", seed " << seed);
    const ToldProgram program(block, seed);
    const ToldOutcome quick = outcome_of(block, initialised, program, Way::access);
    const ToldOutcome stepped = outcome_of(block, initialised, program, Way::step);
    const ToldOutcome slow = outcome_of(block, initialised, program, Way::slow);
    REQUIRE(quick.cases == stepped.cases);
    REQUIRE(quick.cells == stepped.cells);
    REQUIRE(quick.kinds == slow.kinds);
    const ToldOutcome of_counters = outcome_of(block, initialised, program, Way::counted);
    REQUIRE(quick.cases == of_counters.cases);
    REQUIRE(quick.cells == of_counters.cells);
    counted += of_counters.counted;
    found += quick.cases.size();
  }
  CHECK(found > 100);
  CHECK((counted > 150) == (block.y == 1));
}

TEST_CASE("words that many threads read and few write are raced for alike, told quickly or slowly", "[address-space]") {
  const Triple block = GENERATE(Triple{64, 1, 1}, Triple{16, 8, 1}, Triple{33, 2, 1});
  const unsigned threads = block.x * block.y * block.z;
  std::size_t with_race = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 3200; ++seed) {
    INFO("block " << block.x << " x " << block.y << ", seed " << seed);
    Random random(warpfiber::base::mix(threads, seed));
    std::vector<Step> steps;
    for (std::uint64_t more = 2 + random.below(24); more > 0; --more) {
      const std::uint64_t what = random.below(12);
      const auto some = [&](unsigned count) { return static_cast<unsigned>(random.below(count)); };
      if (what == 0) steps.push_back({Step::Kind::meet_grid});
      if (what == 1) steps.push_back({Step::Kind::meet_block});
      if (what == 2 || what == 3) steps.push_back({Step::Kind::go_to_block, some(kToldBlocks)});
      if (what == 4) steps.push_back({Step::Kind::meet_warp, some((threads + 31) / 32)});
      if (what < 4) continue;
      const bool write = random.below(10) == 0;
      const auto kind = random.below(4) == 0 ? Step::Kind::atomic : Step::Kind::access;
      for (unsigned i = write ? 1 : 1 + some(4); i > 0; --i) {
        const std::size_t site = some(kToldSites);
        const std::size_t word = words_at(site) == 1 ? some(2) : 0;
        steps.push_back({kind, some(threads), site, word, write});
      }
    }
    const auto kinds_of = [&](Way way) {
      ToldRun run(block, true, way);
      run.execute(steps);
      run.finish();
      return run.outcome().kinds;
    };
    const std::set<ViolationKind> slow = kinds_of(Way::slow);
    REQUIRE(kinds_of(Way::access) == slow);
    (slow.empty() ? without : with_race) += 1;
  }
  CHECK(with_race > 500);
  CHECK(without > 500);
}

TEST_CASE("what an earlier launch has read does not stand for a read of this one", "[address-space]") {
  const auto way = GENERATE(Way::access, Way::step);
  const Triple block{64, 1, 1};
  std::vector<Step> reads;
  for (unsigned number = 0; number < kToldBlocks; ++number) {
    reads.push_back({Step::Kind::go_to_block, number});
    for (unsigned thread = 0; thread < 64; ++thread) reads.push_back({Step::Kind::access, thread, 0, 0, false});
  }
  ToldRun words(block, true, way);
  words.execute(reads);
  words.finish();
  ToldRun next(block, words, way);
  next.execute(
      {{Step::Kind::access, 0, 0, 0, false}, {Step::Kind::go_to_block, 1}, {Step::Kind::access, 0, 1, 0, true}});
  next.finish();
  CHECK(next.outcome().kinds == std::set<ViolationKind>{ViolationKind::race});
}
