// SPDX-License-Identifier: Apache-2.0
#include "check/pending_copies.hpp"

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

void PendingCopies::bind(std::uint64_t thread) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  append(found->second.bound, std::exchange(found->second.open, {}));
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
  if (committed.empty() && found->second.open.empty() && found->second.bound.empty()) threads_.erase(found);
  return done;
}

PendingCopies::Batch PendingCopies::arrive(std::uint64_t thread) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  Batch done = std::exchange(found->second.bound, {});
  if (found->second.committed.empty() && found->second.open.empty()) threads_.erase(found);
  return done;
}

PendingCopies::Batch PendingCopies::leave(std::uint64_t thread) {
  Batch left = wait(thread, 0);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return left;
  append(left, found->second.bound);
  append(left, found->second.open);
  threads_.erase(found);
  return left;
}

}  // namespace warpfiber::check
