// SPDX-License-Identifier: Apache-2.0
// What happens in a launch, as events, and who may want to know: a checker, a trace, a profile. The engine reports to
// observers and knows none of them. Where nobody observes, an event costs a null-pointer test in code that waits,
// starts a block or ends one, and nothing elsewhere. The hooks of checked programs (src/cuda/abi/hooks) call the
// checker directly; accesses and fences are events for observers that ask for them. Invariants: an observer belongs to
// one worker, lives for one of its launches or longer, and is called on the worker's OS thread, possibly on a kernel's
// stack, where there is little room. Events of one worker come in the order in which they happen.
#pragma once

#include <warpfiber/detail/site.hpp>
#include <warpfiber/translated/statements.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "record/finding.hpp"
#include "record/launch_order.hpp"
#include "record/memory_access.hpp"
#include "record/stack_frame.hpp"

namespace warpfiber::memory {
class SharedArena;
}

namespace warpfiber::record {

/// A resident block. `slot` is a small number that no other resident block of the worker has meanwhile.
struct BlockId {
  std::uint64_t rank = 0;
  unsigned slot = 0;
};

/// Threads `first` to `last` - 1 of a block, by rank.
struct ThreadRange {
  BlockId block;
  unsigned first = 0;
  unsigned last = 0;
};

/// A thread that is resident.
struct ThreadId {
  BlockId block;
  unsigned rank = 0;
};

/// What a check of the launch is asked for.
struct CheckRequest {
  bool asked = false;          // what a device lets pass is a finding, in a launch that is not observed too
  bool strict = false;         // also what is right and not portable
  bool stop_at_first = false;  // access that a device refuses, as the device does
  bool last_writes = false;    // of a thread's writes to a word the last one is wanted, not the first
  bool lock_step = false;      // before each access the engine may let other threads run
  bool every_access = false;   // another observer observes accesses, so none is taken for a repetition
};

/// The rank of a thread of another block than the running one.
inline constexpr unsigned kRankElsewhere = ~0U;

/// A worker begins to take part in a launch.
struct LaunchBegin {
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  base::Triple cluster{1, 1, 1};
  unsigned warp_size = 32;
  unsigned worker = 0;                // among those of the launch
  std::uint64_t resident_blocks = 1;  // how many the device holds at once
  const LaunchOrder& order;
  const LaunchFacts& facts;  // lives until the launch ends
  CheckRequest check{};
  const void* arguments = nullptr;  // of the kernel
  std::size_t argument_bytes = 0;
  const void* kernel = nullptr;        // its address, as the program launches it; null: not known
  const void* runs_threads = nullptr;  // the function that calls the kernel for each thread
  std::function<std::optional<unsigned>(const void* address)> stack_owner{};  // the rank in the running block
  std::function<StackFrame(const void* address)> stack_frame{};               // of that thread, where it waits
  std::function<std::optional<LeftStack>(const void* address)> left_stack{};  // where no resident thread has it
  std::function<bool(unsigned rank)> has_returned{};  // whether that thread of the running block
};

/// The worker takes no more part. An observer may add findings, and replace the one that ended the launch by one that
/// says more.
struct LaunchEnd {
  std::optional<Finding>& ended_by;
  std::vector<Finding>& found;
  std::uint64_t& dropped;  // kinds of findings beyond what was kept
};

/// Threads have met and go on: all of some blocks, some of one block, or lanes of one of its warps.
struct Release {
  Width width = Width::block;           // whose barrier it is; warp: of lanes, or of a group of threads
  std::span<const BlockId> blocks{};    // one, or all of a cluster or a grid
  std::span<const unsigned> threads{};  // of the one block, ascending by rank; empty: all, or the lanes below
  unsigned warp = 0;
  std::uint64_t lanes = 0;  // of `warp`; 0: no lanes
  std::uint64_t mask = 0;   // lanes that the collective is for
  bool names_mask = false;  // the call does, so that other lanes may have named another
  bool orders = true;       // memory: votes, shuffles and their kin do not
  std::uint64_t live = 0;   // lanes of the warp that have not returned
  Site site{};              // of the first call; line 0: not known
};

/// All have arrived at a barrier in two parts; `waiting` wait for it already.
struct PhaseEnd {
  const void* phase = nullptr;
  std::span<const BlockId> cluster{};  // its blocks, where the barrier is theirs
  std::span<const ThreadId> waiting{};
};

/// Where the running thread is when the engine goes on for others.
enum class PauseAt {
  event,      // between events
  interrupt,  // anywhere, in a signal handler: an observer may be at work
};

class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// Whether the observer wants to know of threads that begin and end; else only of blocks.
  virtual bool observes_threads() const { return false; }
  /// Whether the observer wants accesses and fences of checked programs (-fcheck). Others have none of these events.
  virtual bool observes_accesses() const { return false; }
  /// Whether the observer wants statements of programs that report them (-fstatements).
  virtual bool observes_statements() const { return false; }

  virtual void launch_begin(const LaunchBegin& /*launch*/) {}
  virtual void launch_end(const LaunchEnd& /*launch*/) {}

  virtual void block_begin(const BlockId& /*block*/, const memory::SharedArena& /*shared*/) {}
  /// All threads of the block have returned.
  virtual void block_end(const BlockId& /*block*/) {}
  /// Threads of the block run from here on, until others do.
  virtual void block_runs(const BlockId& /*block*/) {}

  /// Threads that run to their end without a wait are reported late, all at once.
  virtual void threads_begin(const ThreadRange& /*threads*/) {}
  virtual void threads_end(const ThreadRange& /*threads*/) {}

  virtual void release(const Release& /*threads*/) {}
  /// The running thread arrives at a barrier in two parts, of which `phase` stands for the present use, and goes on.
  virtual void arrive(const void* /*phase*/) {}
  /// The running thread has waited for that phase.
  virtual void wait(const void* /*phase*/) {}
  virtual void phase_end(const PhaseEnd& /*phase*/) {}
  /// Barriers whose phases lie in these bytes are used anew.
  virtual void forget_phases(const void* /*from*/, std::size_t /*bytes*/) {}

  /// The running thread accesses device memory, or a variable of the device, next.
  virtual void access(const MemoryAccess& /*access*/) {}
  virtual void fence(AccessScope /*scope*/) {}
  /// The running thread executes the first statement of a line next, or tests the condition of a loop that begins
  /// there. `where` has no column.
  virtual void statement(const Site& /*where*/) {}
  /// The running thread begins a pass of a loop of its function, which is known by its number, has left it, or enters
  /// or leaves a function. Only loops report in which lanes may part and come together in each pass. Never a statement.
  virtual void control_flow(detail::ControlFlow /*what*/, unsigned /*loop*/) {}

  /// The running thread goes on later from where it is, which may be between an access hook and its access.
  virtual void preempt() {}
  /// What follows, until resume(), is the engine's own doing, or a signal handler's. May be nested.
  virtual void pause(PauseAt /*where*/) {}
  virtual void resume() {}

  /// Shared memory has been filled with what memory holds before anything is written.
  virtual void undefine(const void* /*from*/, std::size_t /*bytes*/) {}
  /// The engine itself reports accesses there.
  virtual void ignore(const void* /*from*/, std::size_t /*bytes*/) {}

  /// What launch_end() would add now. Called on a stack with room, of a thread that leaves the launch for ever.
  virtual std::vector<Finding> findings_so_far() const { return {}; }
};

/// Makes observers of launches, one for each worker. Any worker may call.
class ObserverFactory {
 public:
  ObserverFactory() = default;
  ObserverFactory(const ObserverFactory&) = delete;
  ObserverFactory& operator=(const ObserverFactory&) = delete;

  virtual std::unique_ptr<Observer> make() = 0;

 protected:
  ~ObserverFactory() = default;
};

/// The running thread of a kernel does nothing itself while this lives. `observer` may be null.
class ScopedPause {
 public:
  explicit ScopedPause(Observer* observer, PauseAt where = PauseAt::event) : observer_(observer) {
    if (observer_ != nullptr) observer_->pause(where);
  }
  ~ScopedPause() {
    if (observer_ != nullptr) observer_->resume();
  }
  ScopedPause(const ScopedPause&) = delete;
  ScopedPause& operator=(const ScopedPause&) = delete;

 private:
  Observer* observer_;
};

}  // namespace warpfiber::record
