// SPDX-License-Identifier: Apache-2.0
// One launch as the checker sees it. The engine tells who runs and who has met whom; the hooks of the compiled code
// (src/abi/hooks) tell every access. An access is held against the shadow cells of its words: two accesses of which one
// writes, that are not both atomic at a sufficient scope and that nothing orders, are a race, whatever the order in
// which they happened to run. docs/checking.md describes the method. Invariants: belongs to one worker and is called on
// its OS thread. What a cell leaves out can only hide a race, never make one up: of the reads that nothing orders, two
// are kept that are as far apart as possible.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "check/bounds/bad_indices.hpp"
#include "check/calls/callers.hpp"
#include "check/cases.hpp"
#include "check/cell.hpp"
#include "check/launches.hpp"
#include "check/objects/reach.hpp"
#include "check/order/clocks.hpp"
#include "check/order/hand_overs.hpp"
#include "check/order/lane_meetings.hpp"
#include "check/order/passed_barriers.hpp"
#include "check/order/sync_words.hpp"
#include "check/pending_copies.hpp"
#include "check/quick/series.hpp"
#include "check/racing_stores.hpp"
#include "check/sites.hpp"
#include "check/undefined.hpp"
#include "memory/objects.hpp"
#include "memory/shadow.hpp"
#include "memory/shared_arena.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::check {

/// The shadow of all device memory; covers nothing until a program has hooks.
extern memory::Shadow shadow;

/// What a launch is, for the numbering of its threads.
struct Shape {
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  base::Triple cluster{1, 1, 1};
  unsigned warp_size = 32;
};

/// Whose stack an address is on, as a thread's rank in its block; the checker asks the engine.
using StackOwner = std::function<std::optional<unsigned>(const void* address)>;

/// What an access does.
struct Use {
  bool read = false;  // a change by an atomic reads and writes
  bool write = false;
  bool strong = false;
  Scope scope = Scope::device;
};

/// Memory that is no object of a device, and who accesses it.
struct HostMemory {
  bool of_library = false;     // the library itself does, to what it keeps there; whatever the instruction accesses
  bool is_judged = false;      // no device reaches it; else the access is right, or nothing is known
  const char* base = nullptr;  // of the variable of the host that lies there; null where none is known
  std::size_t bytes = 0;
  std::string name{};
  std::string file{};
  unsigned line = 0;
};
/// What is at the address of an access by `instruction`; `in_program`: in data of the program or of a library. The
/// checker asks the engine, which reads debug information.
using AskHostMemory = std::function<HostMemory(const void* address, bool in_program, const void* instruction)>;

/// An access to the shared memory of another block.
struct Visit {
  Side side;
  std::uint32_t time = 0;
  const void* address = nullptr;
  Place place{};
};

/// A resident block.
struct WatchedBlock {
  BlockClocks clocks;
  const memory::SharedArena* arena = nullptr;
  std::uint64_t cluster = 0;  // number of its cluster
  bool met_cluster = false;   // its cluster's barrier has been passed: all of the cluster's blocks have started
  bool ended = false;         // but others of its cluster have not, so that its shared memory is still there
  std::vector<LaneMeetings> meetings;  // of the lanes of each warp
  std::vector<Visit> visits;  // to its shared memory by threads of other blocks, which have to end before it does
};

/// A thread that waits.
struct Waiter {
  WatchedBlock* block;
  unsigned rank;
};

/// The running thread: what it leaves in cells and what it knows. Computed when another thread or another time begins.
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
struct Lanes {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  Cell cell = 0;    // of the first
  Cell enough = 0;  // for Watch::has_enough_reads()

  /// Counts threads along a row, and no two rows of one z have the same; those of different z have.
  static std::uint64_t number_of(const uint3& index) { return std::uint64_t{index.y} << 32 | index.x; }
};

class Watch {
 public:
  Watch(const Shape& shape, const record::LaunchOrder& order, StackOwner stack_owner);
  ~Watch() { put_down(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// What the kernel was called with.
  void arguments(const void* from, std::size_t bytes) { reach_.begin(from, bytes); }

  /// Accesses there are for others to judge.
  void leave_alone(const char* from, std::size_t bytes) {
    left_alone_ = from;
    left_alone_end_ = from + bytes;
  }

  /// Before each access other threads may run, as those that rely on it would have them. No access is then taken for a
  /// repetition: the segment is never current.
  void see_lock_step() { lock_step_ = every_access_ = true; }
  /// Whether each access of a thread is looked at.
  bool sees_every_access() const { return every_access_; }

  /// No access is taken for a repetition either: of a thread's writes to a word, the last is kept.
  void keep_last_writes() { every_access_ = true; }

  /// Without it, data of the program and of libraries is anybody's.
  void ask_host_memory(AskHostMemory ask) { host_memory_ = std::move(ask); }

  /// The stacks of accesses are known from then on.
  void ask(Callers& callers) { callers_ = &callers; }

  /// Tells also what is right and not portable.
  void be_strict() { strict_ = true; }
  bool is_strict() const { return strict_; }

  // The engine: who is resident, who runs, who has met.
  void start(WatchedBlock& block, std::uint64_t rank, const memory::SharedArena& arena);
  void finish(WatchedBlock& block);
  void run(WatchedBlock& block);
  void meet_block(WatchedBlock& block);
  void meet_lanes(WatchedBlock& block, unsigned warp, std::uint64_t lanes, std::uint64_t needed);
  /// The same lanes were at the call of an intrinsic; `mask` may name others.
  void note_mask(WatchedBlock& block, unsigned warp, const LaneMeeting& meeting, std::uint64_t live);
  void meet_threads(WatchedBlock& block, std::span<const unsigned> threads);
  void meet_blocks(std::span<WatchedBlock* const> blocks, bool whole_grid);
  /// Threads have passed a barrier at `site`, which a fix may name.
  void passed(record::Width width, const Site& site) { passed_.note(width, site); }
  /// What would have ordered the two sides of a race.
  record::MissingOrder missing_order(const Case& race) const;
  /// Barriers in two parts: the running thread tells `token` what it has done, or learns what others have told it.
  void arrive(const void* token);
  void wait(const void* token);
  /// A phase of such a barrier is complete, for which these threads wait; some came to it as to a whole barrier.
  void open_split(const void* token, std::span<const Waiter> waiting);
  /// Nobody waits any more for what tokens in `bytes` from `from` tell.
  void forget_tokens(const void* from, std::size_t bytes) { tokens_.forget(from, bytes); }
  /// Accesses that were counted are told, and no instruction counts any more.
  void put_down() {
    if (!series_.none()) [[unlikely]]
      put_down_series();
  }
  /// The running thread goes on later from where it is, which is no hook: a store of which it has told may not be done.
  void interrupt() { racing_stores_.interrupt(); }
  /// Shared memory has been filled with poison.
  static void fresh(const void* from, std::size_t bytes);

  // The hooks. `instruction` is the one after the access's call.
  void access(const void* address, std::size_t bytes, const Use& use, const void* instruction);
  void atomic(const void* address, unsigned bytes, const AtomicUse& use, const void* instruction);
  void fence(Scope scope);
  void misaligned(const void* address, unsigned bytes, bool write, const void* instruction);
  /// An index that is about to be used is outside the bounds of its array.
  void index_outside(const record::OutsideIndex& bad, const void* instruction);
  /// A conversion that loses the number. `detail` says of what to what.
  void conversion(const std::string& detail, const void* instruction);
  /// A shuffle takes from a lane outside its mask. Returns its site.
  unsigned foreign_lane(std::uint64_t mask, unsigned source, bool named, const void* instruction);
  /// What the running thread gets from there, where a number can stand for it; else `value`.
  std::uint64_t foreign_value(unsigned site, const Operand& operand, std::uint64_t value);
  /// The running thread comes to a shuffle, and gets this.
  void offer(const Operand& operand);
  void receive(const Operand& operand, std::uint64_t value);
  void rank_beyond(int rank, unsigned size, const void* instruction);
  /// True where no device reaches the memory: the launch has to end.
  bool outside(const void* address, std::size_t bytes, const Use& use, const void* instruction);

  /// Whether an address outside of the device space is a variable of the device.
  bool is_variable(const void* address) { return shadow.covers_also(address) && variable_at(address) != nullptr; }
  /// Whether a plain access to a word there is judged as one in the device space, of which not all is known.
  bool is_word_of_variable(const void* address, bool write) const {
    const Variable* known = known_variable(address);
    return known != nullptr && static_cast<const char*>(address) + kWordBytes <= known->end &&
           !(write && known->is_constant);
  }

  // Asynchronous copies of the running thread (pending_copies.hpp).
  void copy_async(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call);
  /// A copy is promised that `address` is a multiple of `alignment`, which it is.
  void promised(const void* address, std::size_t alignment, const Site& call);
  void commit_copies();
  /// Those of the open batch, and where `committed` of all batches, end with the present phase of the barrier at
  /// `word`.
  void bind_copies(const void* word, bool committed);
  void end_phase(const void* word);
  /// Somebody has seen that a phase is over.
  void see_phase(const void* word);
  void wait_for_copies(std::size_t but);

  /// Whether a plain access to a whole word changes nothing: the thread has made it before in the same time, or it is
  /// one more read, after a barrier, of what a thread of the block has written, or of what nobody writes, and two
  /// others are kept that are as far apart (kEnough). False also where that is not known. `mine` is the cell of the
  /// thread's segment. Changes nothing itself, so it may be interrupted.
  bool changes_nothing(std::size_t index, bool write, Cell mine) const {
    if (!write && has_enough_reads(index, mine ^ kEnough)) return true;
    return is_repeated(shadow.plane(0)[index], write, mine);
  }

  /// Whether the access whose cell is the first of the word makes `mine` one too many.
  static bool is_repeated(Cell first, bool write, Cell mine) {
    return ((first ^ mine) & ~(kMore | kWrite)) == 0 && (!write || (first & kWrite) != 0);
  }

  /// Whether one more read changes nothing beside those of others. `enough` is the reader's cell with kEnough; that of
  /// another lane of its warp does as well while both are at one time and know the same.
  bool has_enough_reads(std::size_t index, Cell enough) const {
    static_assert(kMore == kEnough);
    constexpr Cell kMoreOfLaunch = kMore | Cell{kLaunches - 1} << kLaunchShift;
    if (((shadow.plane(0)[index] ^ enough) & kMoreOfLaunch) != 0) return false;
    const Cell second = shadow.plane(2)[index];
    if (((second ^ enough) & of_warp_) == 0) return true;
    const Cell third = shadow.plane(3)[index];
    if ((second & kEnough) != 0) return ((third ^ enough) & of_time_) == 0;
    return (third & kEnough) != 0 && are_unknown(second, third);
  }

  /// Whether the running thread knows of neither of two accesses, of which one at most is by its block.
  bool are_unknown(Cell one, Cell other) const {
    return clock_of(one) > known_of_others_ && clock_of(other) > known_of_others_;
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

  /// The running thread's rank in its block.
  unsigned rank_here() const {
    return static_cast<unsigned>(segment_.thread() & ((std::uint64_t{1} << thread_bits_) - 1));
  }

  const Shape& shape() const { return shape_; }
  const Cases& cases() const { return cases_; }
  const BadIndices& bad_indices() const { return bad_indices_; }
  /// What is wrong with the last access, if it is none that memory allows; the processor may refuse it, too.
  const Case* refused() const { return refused_ ? cases_.last() : nullptr; }
  unsigned launch() const { return launch_; }
  /// The launch among the program's operations.
  const record::LaunchOrder& order() const { return order_; }
  /// The rank of its block.
  std::uint64_t block_of(std::uint64_t thread) const { return thread >> thread_bits_; }
  /// A thread as findings name it: its block's rank times the threads of a block, and its rank in it.
  std::uint64_t finding_id(std::uint64_t thread) const;

 private:
  struct Words;  // of one access (access.cpp)
  struct KnownObject;

  void begin_segment();
  void new_time() {
    segment_.index.x = Segment::kNobody;
    segment_.lanes_left = 0;
    segment_.cell = 0;
    lanes_.count = 0;
    series_.may_begin();
  }
  void set_plain(bool plain) {
    plain_ = plain;
    if (plain) return;
    put_down();
    lanes_.count = 0;
  }
  void after_meeting(const WatchedBlock& block);
  void renew();
  void take_number();
  struct NewTime {  // of what a thread did at one time
    std::uint64_t thread;
    std::uint32_t before;
    std::uint32_t now;
  };
  void mark(const PendingCopy& copy, const NewTime& time);
  void mark(const char* from, std::size_t bytes, const NewTime& time, bool write);

  // access.cpp
  void access_at(const void* address, std::size_t bytes, const Use& use, unsigned site);
  void access_now(const void* address, std::size_t bytes, const Use& use, unsigned site);
  bool repeat_atomic(const void* address, const Use& use, const void* instruction);
  void word(std::size_t index, unsigned bytes, const Use& use, unsigned site);
  void add_to(std::size_t index, unsigned bytes, const Use& use, unsigned site);
  bool open(std::size_t index, unsigned bytes, const Use& use, unsigned site, unsigned& initialised_bytes);
  Cell cell_of(unsigned bytes, const Use& use) const;
  bool knows(Cell cell) const;
  static bool reaches(Scope scope, const Watch& watch, Cell cell);
  bool conflicts(Cell cell, Scope scope, const Use& use) const;
  bool make_room(Words& words, Cell mine) const;
  unsigned distance(Cell one, Cell other) const;
  unsigned warp_of_rank(unsigned rank) const {
    return warp_shift_ != 0 ? rank >> warp_shift_ : rank / shape_.warp_size;
  }
  unsigned warp_of(Cell cell) const {
    return warp_of_rank(static_cast<unsigned>(thread_of(cell) & ((std::uint64_t{1} << thread_bits_) - 1)));
  }

  unsigned reached(const void* instruction, const char* frame);
  unsigned reached(const Site& call, const char* frame);

  // series.cpp
  void begin_series(std::size_t index, std::size_t alike, Notes notes, bool write, std::ptrdiff_t counter);
  void put_down_series();
  void put_down(const Series& one, unsigned count);
  void put_down_anew(const Series& one, unsigned count);

  // lock_step.cpp
  void hold_against_lanes(const char* address, unsigned bytes, bool write, unsigned site);
  bool is_of_another_lane(Cell cell) const;

  template <class End, bool kWrite>
  friend class Quick;  // and what it is made of: quick.hpp
  template <class End, bool kWrite, unsigned kWords>
  friend class QuickWords;
  bool step_segment();
  bool begin_plainly();
  bool is_settled(Cell cell, Cell mine) const;
  bool overwrite(std::size_t index, Cell mine, Notes notes);
  bool add_read(std::size_t index, Cell mine, unsigned site);
  bool add_read_of_atomics(std::size_t index, Cell mine, unsigned site);
  bool add_third_read(std::size_t index, Cell mine, unsigned site);
  bool put_third_read(std::size_t index, Cell mine, unsigned site);
  bool mark_blocks(std::size_t index);
  bool note_read(std::size_t index, unsigned cell, unsigned site);
  static bool is_new(Cell first, Cell mine);
  static bool is_remembered(std::size_t index, const SiteLine& line);
  static void begin_word(std::size_t index, Cell mine, bool write, Notes notes);
  bool ends_series(std::size_t index, std::ptrdiff_t counter) const;
  bool ends_series(std::size_t index, unsigned words) const;
  const KnownObject* known_object_of(std::size_t index, Cell first, bool write) const;

  /// Whether no other launch that nothing orders before this one can have touched what it touches.
  bool nobody_beside() const { return alone_ && !overtaken_ && launches_begun() == begun_; }
  bool is_beside(unsigned launch);

  // verdicts.cpp
  void race(std::size_t index, Cell cell, Notes notes, unsigned at, const Use& use, unsigned site);
  void hold_against_launches(std::size_t index, Cell cell, Notes notes, const Use& use, unsigned site);
  void hold_against_host(std::size_t index, unsigned bytes);
  bool host_reaches(const char* address, unsigned bytes) const;
  bool inside_object(const char* address, unsigned bytes, const Use& use, unsigned site);
  bool look_up_object(const char* address, unsigned bytes, const Use& use, unsigned site);
  void note_overrun(const char* begin, std::size_t bytes);
  void widen_case(const char* address, unsigned bytes);
  bool is_led_by_undefined(const char* address);
  void visit(const char* address, const Use& use, unsigned site);
  void add_outside(Hazard hazard, Space space, const void* address, std::size_t bytes, const Use& use, unsigned site);
  bool is_first_look(unsigned site);
  bool is_harmless(const void* address, std::size_t bytes) const;
  bool host_memory(const void* address, std::size_t bytes, const Use& use, const void* instruction, unsigned site);
  bool knows_start_of(const WatchedBlock& other) const;
  void hold_visits_against_end(const WatchedBlock& block);
  void hold_copies_against_end(const WatchedBlock& block);
  void judge_racing_stores(const Use& use);
  void judge(const RacingStore& store);
  void settle_store();
  void begin_store(const void* address, std::size_t bytes);
  ShuffleCaller caller_here();
  void follow_bad_index(const void* address, std::size_t bytes, const Use& use, unsigned site);
  unsigned index_site_of(const Side* earlier, const Side& now) const;
  void remember(SiteLine& line, const void* address, const KnownObject& known, bool write) const;
  bool is_wider(const Case* known, const Side& earlier, const Side& now) const;
  void note_order(Case& race) const;
  record::Width width_between(std::uint64_t one, std::uint64_t other) const;
  void add_case(Hazard hazard, const Side* earlier, const Side& now, const void* address, unsigned bytes);
  Side side_of(Cell cell, unsigned site, Scope scope) const;
  Side side_now(const Use& use, unsigned site) const;
  Place place_of(const void* address) const;
  WatchedBlock* owner_of_shared(const void* address) const;
  std::uint64_t cluster_of(std::uint64_t block) const;
  Who who_of(std::uint64_t thread) const;

  std::uint32_t known_of_others_ = 0;  // what the segment knows of other blocks: at most what was done up to then
  Lanes lanes_{};                      // none where accesses are not plain, or blocks have several z
  Segment segment_{};
  bool plain_ = true;  // accesses need no look at anything but cells: no clusters, nothing left of the last access
  Shape shape_;
  record::LaunchOrder order_;
  StackOwner stack_owner_;
  unsigned threads_;      // of a block
  unsigned warp_shift_;   // warps are 2^shift wide; 0: they are not
  unsigned thread_bits_;  // of a thread's rank in the number of a thread
  // Bits of a cell: which launch and block, which bytes and what; the time as well; the warp as well, or the thread
  // where warps are no power of two wide.
  Cell of_block_ = 0;
  Cell of_time_ = 0;
  Cell of_warp_ = 0;
  unsigned launch_ = 0;
  bool clusters_ = false;
  bool alone_ = true;        // all operations that were asked for before this launch are ordered before it
  bool overtaken_ = false;   // launches that were asked for later had begun before it
  std::uint64_t begun_ = 0;  // how many launches had, when this one had
  LaunchSet beside_;         // those that nothing orders before this one, of the `beside_of_` first
  std::uint64_t beside_of_ = 0;

  bool every_access_ = false;  // no segment is ever current
  bool lock_step_ = false;     // other threads may run before each access
  WatchedBlock* block_ = nullptr;
  std::vector<WatchedBlock*> resident_;

  SyncWords words_;
  HandOvers hand_overs_;
  PassedBarriers passed_;
  SyncWords tokens_;
  SiteCache sites_;
  SeriesList series_;
  Callers* callers_ = nullptr;
  Cases cases_;
  BadIndices bad_indices_;
  PendingCopies copies_;
  UndefinedValues undefined_;
  struct Store {
    std::uint64_t thread = 0;
    const void* address = nullptr;  // null: none
    std::size_t bytes = 0;
    std::uint64_t before = 0;  // what was there
  };
  Store store_;  // the last, while there are undefined values
  struct NamedLane {
    std::uint64_t thread = 0;
    unsigned source = 0;
  };
  std::unordered_map<std::uint64_t, NamedLane> named_lanes_;  // outside of masks, by warp and site, the last
  bool strict_ = false;
  struct VolatileUse {
    Cell cell = 0;  // 0: none yet
    unsigned site = 0;
  };
  struct VolatileWord {
    VolatileUse write;     // the last
    VolatileUse reads[2];  // the last of two threads
  };
  std::unordered_map<const char*, VolatileWord> volatile_words_;  // by address
  Reach reach_;
  RacingStores racing_stores_;
  bool opened_ = false;       // the running access was the launch's first to its last word, in objects_[object_]
  unsigned fresh_bytes_ = 0;  // of the running access, that nobody has written before
  bool refused_ = false;      // the last access was outside of any object, in freed memory or misaligned
  const char* refused_end_ = nullptr;  // behind the part of it that was
  // Objects that were looked up last: accesses within them need no other look.
  struct KnownObject {
    const char* begin = nullptr;
    const char* end = nullptr;
    bool initialised = false;
    bool host_reaches = false;  // and writes it in ways that nobody sees
  };
  static constexpr unsigned kKnownObjects = 4;
  KnownObject objects_[kKnownObjects];
  unsigned object_ = 0;  // the last
  const KnownObject* known_object(const char* address, unsigned bytes) const {
    for (const KnownObject& known : objects_) {
      if (address >= known.begin && address + bytes <= known.end) return &known;
    }
    return nullptr;
  }
  std::uint64_t objects_generation_ = 0;
  // Variables that were looked up last, and addresses where none was found.
  struct Variable {
    const char* begin = nullptr;
    const char* end = nullptr;
    bool is_constant = false;
  };
  struct NoVariable {
    const void* address = nullptr;
    std::uint64_t generation = 0;
  };
  static constexpr unsigned kKnownVariables = 4;
  static constexpr unsigned kNoVariables = 32;
  Variable variables_[kKnownVariables];
  unsigned variable_ = 0;  // the last that was looked up
  NoVariable no_variables_[kNoVariables];
  const Variable* known_variable(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    for (const Variable& known : variables_) {
      if (at >= known.begin && at < known.end) return &known;
    }
    return nullptr;
  }
  const Variable* variable_at(const void* address);
  bool is_of_library(const void* instruction) const;
  // Sites that have touched a red zone, and calls that promise an alignment. One look at each is enough.
  std::vector<bool> judged_;
  std::vector<bool> of_library_;  // by sites: what they access is the library's
  AskHostMemory host_memory_;
  // Outside of the device space, what was found to be right last: an object of the host and the device, constants.
  memory::AddressRange harmless_{};
  std::uint64_t harmless_since_ = 0;  // objects_generation() then
  const char* left_alone_ = nullptr;
  const char* left_alone_end_ = nullptr;
};

/// The launch that this OS thread runs with checks; null while it runs none, or the engine works on its behalf.
extern constinit thread_local Watch* watching WARPFIBER_TLS_MODEL;

}  // namespace warpfiber::check
