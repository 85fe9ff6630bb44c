// SPDX-License-Identifier: Apache-2.0
// Batches move from open to committed, and to the phase of a barrier or to the end of a wait.
#include "check/copies/pending_copies.hpp"

#include <iterator>
#include <utility>

namespace warpfiber::check {
namespace {

void append(PendingCopies::Batch& to, const PendingCopies::Batch& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void PendingCopies::commit(std::uint64_t thread) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  found->second.committed.push_back(std::exchange(found->second.open, {}));
}

void PendingCopies::bind(std::uint64_t thread, std::uint32_t time, const void* word, bool committed) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  Batch bound;
  while (committed && !found->second.committed.empty()) {
    append(bound, found->second.committed.front());
    found->second.committed.pop_front();
  }
  append(bound, std::exchange(found->second.open, {}));
  if (found->second.committed.empty()) threads_.erase(found);
  if (bound.empty()) return;
  Phase& phase = phases_[word];
  for (const PendingCopy& copy : bound) phase.open.push_back({thread, time, copy});
}

PendingCopies::Bound PendingCopies::end(const void* word) {
  const auto found = phases_.find(word);
  if (found == phases_.end()) return {};
  Bound done = std::exchange(found->second.open, {});
  found->second.over.insert(found->second.over.end(), done.begin(), done.end());
  return done;
}

void PendingCopies::see(const void* word) {
  const auto found = phases_.find(word);
  if (found == phases_.end()) return;
  found->second.over.clear();
  if (found->second.open.empty()) phases_.erase(found);
}

PendingCopies::Batch PendingCopies::wait(std::uint64_t thread, std::size_t but) {
  Batch done;
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return done;
  auto& committed = found->second.committed;
  while (committed.size() > but) {
    append(done, committed.front());
    committed.pop_front();
  }
  if (committed.empty() && found->second.open.empty()) threads_.erase(found);
  return done;
}

PendingCopies::Batch PendingCopies::leave(std::uint64_t thread) {
  Batch left = wait(thread, 0);
  if (const auto found = threads_.find(thread); found != threads_.end()) {
    append(left, found->second.open);
    threads_.erase(found);
  }
  const auto take = [&](Bound& from) {
    std::erase_if(from, [&](const BoundCopy& one) {
      if (one.thread == thread) left.push_back(one.copy);
      return one.thread == thread;
    });
  };
  for (auto entry = phases_.begin(); entry != phases_.end();) {
    Phase& phase = entry->second;
    take(phase.open);
    take(phase.over);
    entry = phase.open.empty() && phase.over.empty() ? phases_.erase(entry) : std::next(entry);
  }
  return left;
}

}  // namespace warpfiber::check
