// SPDX-License-Identifier: Apache-2.0
// One launch as the checker sees it: its parts, and the path of an access through them. The engine's events come by way
// of Checker (launch/checker.hpp), accesses directly from the hooks of the compiled code (src/cuda/abi/hooks).
// Invariants: belongs to one worker and is called on its OS thread; what accesses by fast paths read (quick/quick.hpp)
// lies together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/bounds/left_pointers.hpp"
#include "check/bounds/object_bounds.hpp"
#include "check/bounds/outside_memory.hpp"
#include "check/bounds/peer_accesses.hpp"
#include "check/calls/access_sites.hpp"
#include "check/copies/async_copies.hpp"
#include "check/counted/counted_accesses.hpp"
#include "check/launch/call_checks.hpp"
#include "check/launch/synchronisation.hpp"
#include "check/objects/reachable_memory.hpp"
#include "check/races/mixed_widths.hpp"
#include "check/races/race_detector.hpp"
#include "check/races/strong_words.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"
#include "check/values/lane_values.hpp"
#include "record/observer.hpp"

namespace warpfiber::check {

/// What the checker asks others of a launch's memory and calls.
struct CheckerServices {
  StackOwner stack_owner{};
  AskStackFrame stack_frame{};
  AskLeftStack left_stack{};
  HasReturned has_returned{};
  AskHostMemory host_memory{};  // empty: data of the program and of libraries is anybody's
  Callers* callers = nullptr;   // null: the stacks of accesses are not known
};

class LaunchChecker final : private SlowAccesses {
 public:
  LaunchChecker(const GridShape& shape, const record::LaunchOrder& order, CheckerServices services,
                const record::CheckRequest& options = {});
  ~LaunchChecker() { counted_.flush(); }
  LaunchChecker(const LaunchChecker&) = delete;
  LaunchChecker& operator=(const LaunchChecker&) = delete;

  /// What the kernel was called with.
  void arguments(const void* from, std::size_t bytes, const void* kernel = nullptr) {
    reachable_.begin(from, bytes, kernel);
  }

  void begin_block(BlockShadow& block, std::uint64_t rank, const memory::SharedArena& arena);
  void end_block(BlockShadow& block);
  void enter(BlockShadow& block) {
    counted_.flush();
    running_.enter(block);
  }
  /// Accesses that were counted are put into the shadow, and no instruction counts any more.
  void flush() { counted_.flush(); }
  /// The running thread goes on later from where it is, which is no hook: its last reported store may not be done.
  void interrupt() { races_.interrupt(); }

  // The hooks. `instruction` is the one after the access's call.
  // False where no device would do the access, which is to be left out.
  bool access(const void* address, std::size_t bytes, const Use& use, const void* instruction);
  bool atomic(const void* address, unsigned bytes, const AtomicUse& use, const void* instruction);
  /// The running thread uses what its last atomic with `use_follows` there has found.
  void uses_found(const void* address, unsigned bytes);
  void misaligned(const void* address, unsigned bytes, bool write, const void* instruction);
  void copy_async(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call);
  /// An access outside of the device space.
  OutsideJudgement outside(const void* address, std::size_t bytes, const Use& use, const void* instruction);
  bool sees_every_access() const { return running_.sees_every_access(); }

  // The parts.
  RunningThread& running() { return running_; }
  const RunningThread& running() const { return running_; }
  CountedAccesses& counted() { return counted_; }
  AccessSites& sites() { return sites_; }
  const ObjectBounds& bounds() const { return bounds_; }
  const LaunchIdentity& identity() const { return identity_; }
  const ThreadNumbering& numbering() const { return numbering_; }
  Synchronisation& sync() { return sync_; }
  const Synchronisation& sync() const { return sync_; }
  StrongWords& strong_words() { return strong_; }
  AsyncCopies& copies() { return copies_; }
  CallChecks& calls() { return calls_; }
  OutsideMemory& outside_memory() { return outside_; }
  ViolationLog& log() { return log_; }
  const ViolationLog& log() const { return log_; }

  bool is_strict() const { return options_.strict; }
  /// What is wrong with the last access, if it is none that memory allows; the processor may refuse it, too.
  const Violation* refused() const { return bounds_.refused() ? log_.violations().last() : nullptr; }
  /// What the first access to a word by the line's instruction has found out holds for the words around it as well, as
  /// far as they are of one object and one region, until there are other objects or launches.
  void remember(SiteLine& line, const void* address, const KnownObject& known, bool write) const;

 private:
  void access_word(const char* address, bool write, unsigned site) override;
  void access_at(const void* address, std::size_t bytes, const Use& use, unsigned site);
  void begin_access(const void* address, std::size_t bytes, const Use& use, unsigned site);
  void end_access(const void* address, std::size_t bytes, const Use& use, unsigned site);
  void check_word(std::size_t index, unsigned bytes, const Use& use, unsigned site);
  void open_word(std::size_t index, unsigned bytes, const Use& use, unsigned site);
  void check_pending_copies(const BlockShadow& block);

  ThreadNumbering numbering_;
  LaunchIdentity identity_;
  RunningThread running_;
  CountedAccesses counted_;
  AccessSites sites_;
  record::CheckRequest options_;
  BlockShadows resident_;
  ViolationLog log_;
  ReachableMemory reachable_;
  LaneValues values_;
  ObjectBounds bounds_;
  OutsideMemory outside_;
  LeftPointers left_;
  PeerAccesses peers_;
  Synchronisation sync_;
  RaceDetector races_;
  MixedWidths widths_;
  StrongWords strong_;
  AsyncCopies copies_;
  CallChecks calls_;
  bool opened_ = false;  // the running access was the launch's first to its last word
};

/// The launch that this OS thread runs with checks; null while it runs none, or the engine works on its behalf.
extern constinit thread_local LaunchChecker* active_checker WARPFIBER_RUNTIMES_TLS_MODEL;

/// Memory has been filled with poison, or is new: nothing is known of it.
void forget_memory(const void* from, std::size_t bytes);

}  // namespace warpfiber::check
