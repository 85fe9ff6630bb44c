// SPDX-License-Identifier: Apache-2.0
// A launch as a list of events: blocks, threads, accesses with the lines they are at, barriers. It drives the checker
// as the engine and the hooks do, without a compiler, fibers or a launch. Lines are named by letters, as the marks @A
// and @B of the hazard programs. Threads take their turns in an order that is made of a seed.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/random.hpp"
#include "check/enable.hpp"
#include "check/launch/checker.hpp"
#include "check/objects/unwritten.hpp"
#include "memory/global_heap.hpp"
#include "memory/shared_arena.hpp"
#include "record/observer.hpp"

namespace warpfiber::check::test {

/// What a script is run with.
struct ScriptShape {
  unsigned blocks = 1;
  unsigned threads = 32;
  unsigned cluster = 1;
  std::size_t shared = 1024;  // bytes
  std::uint64_t seed = 0;     // 0: threads in the order of their ranks
  bool strict = false;
};

/// A finding as scripts compare it: `marks` are the lines of its parties, ascending.
struct ScriptFinding {
  record::Verdict verdict{};
  std::string marks{};

  friend auto operator<=>(const ScriptFinding&, const ScriptFinding&) = default;
};

class EventScript {
 public:
  explicit EventScript(const ScriptShape& shape)
      : shape_(shape), random_(shape.seed), checker_([](std::uintptr_t) { return false; }, {}), arenas_(shape.blocks) {
    enable();
    for (memory::SharedArena& arena : arenas_) arena.reserve(shape.shared);
    facts_.grid = {shape.blocks, 1, 1};
    facts_.block = {shape.threads, 1, 1};
    facts_.cluster = {shape.cluster, 1, 1};
  }
  ~EventScript() {
    end();
    for (void* memory : allocations_) memory::global_heap().free(memory);
    threadIdx = uint3{0, 0, 0};
  }
  EventScript(const EventScript&) = delete;
  EventScript& operator=(const EventScript&) = delete;

  // Memory.
  /// Memory of the device; defined as if the host had written it.
  char* global(std::size_t bytes) {
    char* memory = undefined_global(bytes);
    host_writes().add(memory, bytes);
    return memory;
  }
  char* undefined_global(std::size_t bytes) {
    auto* memory = static_cast<char*>(memory::global_heap().allocate(bytes));
    allocations_.push_back(memory);
    host_writes().remove(memory, bytes);
    forget_memory(memory, bytes);
    return memory;
  }
  void free(char* memory) {
    std::erase(allocations_, memory);
    memory::global_heap().free(memory);
  }
  /// Word `word` of the shared memory of `block`.
  char* shared(unsigned block, unsigned word) { return arenas_[block].dynamic() + word * sizeof(std::uint32_t); }
  /// The kernel's arguments, which say what memory it may reach.
  void arguments(std::vector<const char*> pointers) { arguments_ = std::move(pointers); }
  /// These bytes are on the stack of thread `rank`.
  void local(const char* from, std::size_t bytes, unsigned rank) { locals_.push_back({from, bytes, rank}); }

  // Who runs. The launch begins with the first of these.
  void thread(unsigned block, unsigned rank) {
    begin();
    if (running_ != block) checker_.block_runs(id_of(block));
    running_ = block;
    threadIdx = uint3{rank, 0, 0};
  }
  /// Calls what(rank) as each of the block's threads, in some order.
  template <class What>
  void each_thread(unsigned block, What&& what) {
    for (const unsigned rank : in_some_order(shape_.threads)) {
      thread(block, rank);
      what(rank);
    }
  }
  /// Calls what(block, rank) as each thread of the launch, block after block.
  template <class What>
  void each(What&& what) {
    for (const unsigned block : in_some_order(shape_.blocks)) {
      each_thread(block, [&](unsigned rank) { what(block, rank); });
    }
  }

  // Accesses of the running thread.
  void read(const char* at, char mark = ' ', std::size_t bytes = kWordBytes) { access(at, bytes, false, mark); }
  void write(char* at, char mark = ' ', std::size_t bytes = kWordBytes) { access(at, bytes, true, mark); }
  void atomic_add(char* at, char mark = ' ', Scope scope = Scope::device, int order = __ATOMIC_RELAXED) {
    active_checker->atomic(at, kWordBytes, {.reads = true, .writes = true, .scope = scope, .order = order}, line(mark));
  }
  /// An atomic sum; `used`: the thread uses what it found.
  void update(char* at, char mark = ' ', bool used = false) {
    active_checker->atomic(at, kWordBytes, {.reads = true, .writes = true, .use_follows = true}, line(mark));
    if (used) active_checker->uses_found(at, kWordBytes);
  }
  void atomic_load(char* at, char mark = ' ', int order = __ATOMIC_RELAXED) {
    active_checker->atomic(at, kWordBytes, {.reads = true, .order = order}, line(mark));
  }
  void atomic_store(char* at, char mark = ' ', int order = __ATOMIC_RELAXED) {
    active_checker->atomic(at, kWordBytes, {.writes = true, .order = order}, line(mark));
  }
  void volatile_read(char* at, char mark = ' ') {
    active_checker->atomic(at, kWordBytes, {.reads = true, .is_volatile = true}, line(mark));
  }
  void volatile_write(char* at, char mark = ' ') {
    active_checker->atomic(at, kWordBytes, {.writes = true, .is_volatile = true}, line(mark));
  }
  // The same with the value, as the program does them.
  std::uint32_t volatile_load(char* at, char mark = ' ') {
    volatile_read(at, mark);
    return value_of(at);
  }
  void volatile_store(char* at, std::uint32_t value, char mark = ' ') {
    volatile_write(at, mark);
    std::memcpy(at, &value, sizeof value);
  }
  std::uint32_t exchange(char* at, std::uint32_t value, char mark = ' ', Scope scope = Scope::device) {
    active_checker->atomic(at, kWordBytes, {.reads = true, .writes = true, .scope = scope, .blind = true}, line(mark));
    const std::uint32_t before = value_of(at);
    std::memcpy(at, &value, sizeof value);
    return before;
  }
  bool compare_exchange(char* at, std::uint32_t expected, std::uint32_t value, char mark = ' ',
                        Scope scope = Scope::device) {
    const bool done = value_of(at) == expected;
    active_checker->atomic(at, kWordBytes, {.reads = true, .writes = done, .scope = scope, .compares = true},
                           line(mark));
    if (done) std::memcpy(at, &value, sizeof value);
    return done;
  }
  void atomic_of(char* at, unsigned bytes, char mark) {
    active_checker->atomic(at, bytes, {.reads = true, .writes = true}, line(mark));
  }
  /// A loop reads the word until it holds `value`, as it does here.
  std::uint32_t wait_for(char* at, char mark = ' ') {
    active_checker->strong_words().come_to_wait();
    const std::uint32_t value = volatile_load(at, mark);
    active_checker->strong_words().end_look(false);
    return value;
  }
  /// Lanes are meant to go step by step through the array.
  void step(const char* array) { active_checker->strong_words().step(array); }
  void fence(Scope scope = Scope::device) {
    active_checker->flush();
    active_checker->sync().fence(scope);
  }
  void misaligned_read(const char* at, unsigned bytes, char mark) {
    active_checker->misaligned(at, bytes, false, line(mark));
  }
  void outside_read(const char* at, char mark) {
    active_checker->outside(at, kWordBytes, Use{.read = true}, line(mark));
  }
  void shuffle_from_outside(std::uint64_t mask, unsigned source, char mark) {
    active_checker->calls().foreign_lane(mask, source, true, line(mark));
  }
  /// A copy from global to shared memory that goes on while the thread runs.
  void copy_async(char* to, const char* from, std::size_t bytes, char mark = ' ') {
    active_checker->copy_async(to, from, bytes, bytes, call(mark));
  }
  void commit_copies() { active_checker->copies().commit(); }
  void wait_for_copies(std::size_t but) { active_checker->copies().wait(but); }

  // Threads meet.
  void barrier(unsigned block) {
    begin();
    const record::BlockId id = id_of(block);
    checker_.release({.width = record::Width::block, .blocks = {&id, 1}, .site = call('|')});
  }
  void warp_barrier(unsigned block, unsigned warp, std::uint64_t mask = 0xffffffff) {
    meet_lanes(block, warp, mask, true);
  }
  void vote(unsigned block, unsigned warp) { meet_lanes(block, warp, 0xffffffff, false); }
  void cluster_barrier(unsigned first) { wide_barrier(record::Width::cluster, first, shape_.cluster); }
  void grid_barrier() { wide_barrier(record::Width::grid, 0, shape_.blocks); }
  void arrive(const void* phase) { checker_.arrive(phase); }
  void wait(const void* phase) { checker_.wait(phase); }
  void phase_end(const void* phase) { checker_.phase_end({.phase = phase}); }
  /// All threads of the block have returned.
  void end_block(unsigned block) {
    begin();
    if (!ended_[block]) checker_.block_end(id_of(block));
    ended_[block] = true;
  }

  /// Ends all blocks and the launch, and returns what was found: each defect once, ascending, no notes.
  std::set<ScriptFinding> end() {
    if (!begun_) return {};
    for (unsigned block = 0; block < shape_.blocks; ++block) end_block(block);
    begun_ = false;
    std::optional<record::Finding> ended_by;
    std::vector<record::Finding> found;
    std::uint64_t dropped = 0;
    checker_.launch_end({ended_by, found, dropped});
    std::set<ScriptFinding> all;
    for (const record::Finding& finding : found) {
      if (finding.severity != record::Severity::info) all.insert({finding.verdict, marks_of(finding)});
    }
    return all;
  }

 private:
  void meet_lanes(unsigned block, unsigned warp, std::uint64_t mask, bool orders) {
    const record::BlockId id = id_of(block);
    checker_.release({.width = record::Width::warp,
                      .blocks = {&id, 1},
                      .warp = warp,
                      .lanes = mask,
                      .mask = mask,
                      .names_mask = true,
                      .orders = orders,
                      .live = 0xffffffff,
                      .site = call('|')});
  }
  static std::uint32_t value_of(const char* at) {
    std::uint32_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }

  struct Local {
    const char* from;
    std::size_t bytes;
    unsigned rank;
  };
  static constexpr unsigned kLines = 128;

  static record::BlockId id_of(unsigned block) { return {block, block}; }
  /// What an access at the line returns to.
  static const void* line(char mark) {
    static const std::array<std::uint32_t, kLines> lines{};
    return &lines[static_cast<unsigned char>(mark)];
  }
  static Site call(char mark) { return {.file = "script", .line = static_cast<unsigned char>(mark), .column = 1}; }

  static char mark_of(const record::Place& place) {
    if (place.line != 0) return static_cast<char>(place.line);
    const auto* last = static_cast<const char*>(place.instruction);
    return static_cast<char>((last + 1 - static_cast<const char*>(line('\0'))) / sizeof(std::uint32_t));
  }
  static std::string marks_of(const record::Finding& finding) {
    std::set<char> marks;
    for (const record::Party& party : finding.parties) marks.insert(mark_of(party.place));
    return std::string(marks.begin(), marks.end());
  }

  void begin() {
    if (std::exchange(begun_, true)) return;
    record::LaunchBegin launch{.order = order_, .facts = facts_};
    launch.grid = facts_.grid;
    launch.block = facts_.block;
    launch.cluster = facts_.cluster;
    launch.check.strict = shape_.strict;
    launch.arguments = arguments_.data();
    launch.argument_bytes = arguments_.size() * sizeof arguments_[0];
    launch.stack_owner = [this](const void* address) { return owner_of(static_cast<const char*>(address)); };
    checker_.launch_begin(launch);
    ended_.assign(shape_.blocks, false);
    running_.reset();
    for (unsigned block = 0; block < shape_.blocks; ++block) {
      checker_.block_begin(id_of(block), arenas_[block]);
      memory::poison(arenas_[block].dynamic(), shape_.shared);
      checker_.undefine(arenas_[block].dynamic(), shape_.shared);
    }
  }

  std::optional<unsigned> owner_of(const char* address) const {
    for (const Local& one : locals_) {
      if (address >= one.from && address < one.from + one.bytes) return one.rank;
    }
    return std::nullopt;
  }

  std::vector<unsigned> in_some_order(unsigned count) {
    std::vector<unsigned> all(count);
    std::iota(all.begin(), all.end(), 0U);
    for (unsigned i = count; shape_.seed != 0 && i > 1; --i) std::swap(all[i - 1], all[random_.below(i)]);
    return all;
  }

  void access(const char* at, std::size_t bytes, bool write, char mark) {
    active_checker->access(at, bytes, Use{.read = !write, .write = write}, line(mark));
  }

  void wide_barrier(record::Width width, unsigned first, unsigned count) {
    begin();
    std::vector<record::BlockId> blocks;
    for (unsigned block = first; block < first + count; ++block) blocks.push_back(id_of(block));
    checker_.release({.width = width, .blocks = blocks, .site = call('|')});
  }

  ScriptShape shape_;
  base::Random random_;
  Checker checker_;
  record::LaunchOrder order_;
  record::LaunchFacts facts_;
  std::vector<const char*> arguments_;
  std::vector<memory::SharedArena> arenas_;
  std::vector<void*> allocations_;
  std::vector<Local> locals_;
  std::vector<bool> ended_;
  std::optional<unsigned> running_;
  bool begun_ = false;
};

}  // namespace warpfiber::check::test
