// SPDX-License-Identifier: Apache-2.0
//
// A bounded queue under a mutex. Accesses of one instruction to bytes in a row become one entry.
#include "launches/checking/host_accesses.hpp"

#include <algorithm>
#include <iterator>

#include "base/locks/annotated_mutex.hpp"
#include "launches/state/launches_state.hpp"

namespace warpfiber::launches {
namespace {

bool goes_on(const HostAccess& last, const HostAccess& next) {
  if (last.actor != HostActor::program || next.actor != HostActor::program) return false;
  return last.returns_to == next.returns_to && last.write == next.write && last.order == next.order &&
         next.area.at >= last.area.at && next.area.at <= last.area.at + last.area.box.width;
}

/// Of two operations, the order that the later one got when the program asked for it decides.
bool unordered(const record::LaunchOrder& one, const record::LaunchOrder& other) {
  return one.number > other.number ? one.is_unordered_with(other.number) : other.is_unordered_with(one.number);
}

}  // namespace

void HostAccesses::add(const HostAccess& access) {
  constexpr std::size_t kLookBack = 4;  // instructions that take turns in a loop
  const base::Lock lock(mutex_);
  const std::size_t looks = std::min(kLookBack, all_.size());
  for (auto last = all_.rbegin(); last != std::next(all_.rbegin(), static_cast<std::ptrdiff_t>(looks)); ++last) {
    if (!goes_on(*last, access)) continue;
    const auto end = static_cast<std::size_t>(access.area.at - last->area.at) + access.area.box.width;
    last->area = area_of(last->area.at, std::max(last->area.box.width, end));
    return;
  }
  push(access);
  if (access.actor == HostActor::command) commands_.fetch_add(1, std::memory_order_release);
}

void HostAccesses::push(const HostAccess& access) {
  if (all_.size() == kMost) all_.pop_front();
  all_.push_back(access);
}

std::vector<HostAccess> HostAccesses::add_release(const HostAccess& release) {
  const base::Lock lock(mutex_);
  std::vector<HostAccess> found = unordered_with(*release.order);
  erase(release.area.at, release.area.box.width);
  push(release);
  return found;
}

void HostAccesses::forget(const void* base, std::size_t bytes) {
  const base::Lock lock(mutex_);
  erase(static_cast<const char*>(base), bytes);
}

void HostAccesses::erase(const char* begin, std::size_t bytes) {
  std::erase_if(all_, [begin, bytes](const HostAccess& access) {
    return access.area.at >= begin && access.area.at < begin + bytes;
  });
}

void HostAccesses::forget_program() {
  const base::Lock lock(mutex_);
  std::erase_if(all_, [](const HostAccess& access) { return access.actor == HostActor::program; });
}

std::vector<HostAccess> HostAccesses::concurrent_with(const record::LaunchOrder& operation) const {
  const base::Lock lock(mutex_);
  return unordered_with(operation);
}

std::vector<HostAccess> HostAccesses::unordered_with(const record::LaunchOrder& operation) const {
  std::vector<HostAccess> found;
  std::ranges::copy_if(all_, std::back_inserter(found),
                       [&operation](const HostAccess& access) { return unordered(*access.order, operation); });
  return found;
}

HostAccesses& host_accesses() {
  return LaunchesState::of_process().host_accesses.get();
}

}  // namespace warpfiber::launches
