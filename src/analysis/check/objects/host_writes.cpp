// SPDX-License-Identifier: Apache-2.0
// Ranges are kept joined, so that a look finds one range at most.
#include "check/objects/host_writes.hpp"

#include <algorithm>
#include <iterator>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"

namespace warpfiber::check {

void HostWrites::add(const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const char* begin = static_cast<const char*>(from);
  const char* end = begin + bytes;
  const base::Lock lock(mutex_);
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) --next;
  while (next != ranges_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace(begin, end);
}

void HostWrites::remove(const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const char* begin = static_cast<const char*>(from);
  const char* end = begin + bytes;
  const base::Lock lock(mutex_);
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second > begin) --next;
  while (next != ranges_.end() && next->first < end) {
    const auto [first, last] = *next;
    next = ranges_.erase(next);
    if (first < begin) ranges_.emplace(first, begin);
    if (last > end) ranges_.emplace(end, last);
  }
}

bool HostWrites::contain(const void* from, std::size_t bytes) const {
  const char* begin = static_cast<const char*>(from);
  const base::Lock lock(mutex_);
  const auto after = ranges_.upper_bound(begin);
  return after != ranges_.begin() && std::prev(after)->second >= begin + bytes;
}

std::vector<Stretch> HostWrites::gaps(const void* from, std::size_t bytes) const {
  std::vector<Stretch> found;
  const char* at = static_cast<const char*>(from);
  const char* const end = at + bytes;
  const base::Lock lock(mutex_);
  auto range = ranges_.upper_bound(at);
  if (range != ranges_.begin()) at = std::max(at, std::prev(range)->second);
  for (; range != ranges_.end() && range->first < end; ++range) {
    if (range->first > at) found.push_back({at, static_cast<std::size_t>(range->first - at)});
    at = range->second;
  }
  if (at < end) found.push_back({at, static_cast<std::size_t>(end - at)});
  return found;
}

HostWrites& host_writes() {
  return CheckState::of_process().host_writes.get();
}

}  // namespace warpfiber::check
