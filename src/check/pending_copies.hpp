// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that have been started and not waited for, by thread: in the open batch, in batches that were
// committed, or bound to the thread's next arrival at a barrier. Belongs to one worker.
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

class PendingCopies {
 public:
  using Batch = std::vector<PendingCopy>;

  bool none() const { return threads_.empty(); }
  void start(std::uint64_t thread, const PendingCopy& copy) { threads_[thread].open.push_back(copy); }
  void commit(std::uint64_t thread);
  /// The copies of the open batch end when a barrier's phase does.
  void bind(std::uint64_t thread);
  /// Takes out what is done after a wait for all committed batches but the last `but`.
  Batch wait(std::uint64_t thread, std::size_t but);
  /// Takes out what is bound to a barrier.
  Batch arrive(std::uint64_t thread);
  /// Takes out everything.
  Batch leave(std::uint64_t thread);

 private:
  struct Thread {
    Batch open;
    Batch bound;
    std::deque<Batch> committed;
  };

  std::unordered_map<std::uint64_t, Thread> threads_;  // those that have copies
};

}  // namespace warpfiber::check
