// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a launch's threads: which are pending, and what that makes of the shadow cells of their bytes.
// Until somebody has waited for a copy, its cells have a time that nothing happens after. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/copies/pending_copies.hpp"
#include "check/counted/counted_accesses.hpp"
#include "check/running/running_thread.hpp"

namespace warpfiber::check {

class AsyncCopies {
 public:
  AsyncCopies(const LaunchIdentity& launch, RunningThread& running, CountedAccesses& counted)
      : launch_(launch), running_(running), counted_(counted) {}

  bool none() const { return pending_.none(); }
  // By the running thread.
  /// The accesses of the copy are in the shadow.
  void start(const PendingCopy& copy);
  void commit() { pending_.commit(running_.here().thread()); }
  /// Those of the open batch, and where `committed` of all batches, end with the present phase of the barrier at
  /// `word`.
  void bind(const void* word, bool committed);
  void end_phase(const void* word);
  /// It has seen that a phase is over.
  void see_phase(const void* word) {
    if (!none()) pending_.see(word);
  }
  /// It has waited for all committed batches but the last `but`.
  void wait(std::size_t but);
  /// Takes out what a thread that has returned leaves pending.
  PendingCopies::Batch leave(std::uint64_t thread) { return pending_.leave(thread); }

 private:
  struct NewTime {  // of what a thread did at one time
    std::uint64_t thread;
    std::uint32_t before;
    std::uint32_t now;
  };
  void mark(const PendingCopy& copy, const NewTime& time) const;
  void mark(const char* from, std::size_t bytes, const NewTime& time, bool write) const;

  const LaunchIdentity& launch_;
  RunningThread& running_;
  CountedAccesses& counted_;
  PendingCopies pending_;
};

}  // namespace warpfiber::check
