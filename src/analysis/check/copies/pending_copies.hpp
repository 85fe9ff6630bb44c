// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that have been started and not waited for: of a thread in its open batch or in batches that were
// committed, or bound to a phase of a barrier, which ends them when it does. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace warpfiber::check {

struct PendingCopy {
  const char* to;
  const char* from;
  std::size_t bytes;  // that are read
  std::size_t room;   // that are written
  unsigned site;
};

/// One that a phase of a barrier ends.
struct BoundCopy {
  std::uint64_t thread;
  std::uint32_t time;  // of the thread, when it bound the copy
  PendingCopy copy;
};

class PendingCopies {
 public:
  using Batch = std::vector<PendingCopy>;
  using Bound = std::vector<BoundCopy>;

  bool none() const { return threads_.empty() && phases_.empty(); }
  void start(std::uint64_t thread, const PendingCopy& copy) { threads_[thread].open.push_back(copy); }
  void commit(std::uint64_t thread);
  /// The copies of the open batch, and where `committed` of all batches, end with the present phase of the barrier that
  /// `word` is.
  void bind(std::uint64_t thread, std::uint32_t time, const void* word, bool committed);
  /// The phase is over: what is done. Until somebody sees it, nobody has waited for them.
  Bound end(const void* word);
  void see(const void* word);
  /// Takes out what is done after a wait for all committed batches but the last `but`.
  Batch wait(std::uint64_t thread, std::size_t but);
  /// Takes out everything that the thread has not waited for, and that nobody has for it.
  Batch leave(std::uint64_t thread);

 private:
  struct Thread {
    Batch open;
    std::deque<Batch> committed;
  };
  struct Phase {
    Bound open;
    Bound over;  // that nobody has seen
  };

  std::unordered_map<std::uint64_t, Thread> threads_;  // those that have copies
  std::unordered_map<const void*, Phase> phases_;      // by the word of the barrier
};

}  // namespace warpfiber::check
