// SPDX-License-Identifier: Apache-2.0
// Ways of calls that were walked once are recognised by the frames they have left on the stack.
#include "check/calls/callers.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include "check/calls/frames.hpp"
#include "check/cells/sites.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::check {
namespace {

/// Where the running thread's stack begins; null outside of kernels.
const char* high() {
  const detail::CurrentThread& now = detail::current_thread;
  const detail::Fiber* fiber = now.waitable != nullptr ? now.waitable : now.fiber;
  return fiber == nullptr ? nullptr : fiber->more->stack_high;
}

}  // namespace

unsigned Callers::number(const void* instruction, const char* frame) {
  const unsigned known = find(instruction, frame);
  if (known != kUnknownSite) return known;
  return learn(instruction, number_of_site(instruction), instruction, frame);
}

unsigned Callers::number(const Site& call, const char* frame) {
  const unsigned alone = number_of_site(call);
  // Numbers are smaller than any address of code.
  const void* key = reinterpret_cast<const void*>(std::uintptr_t{alone});
  const unsigned known = find(key, frame);
  return known != kUnknownSite ? known : learn(key, alone, nullptr, frame);
}

Callers::Ways& Callers::ways_to(const void* key) {
  Place& place = places_[reinterpret_cast<std::uintptr_t>(key) >> 2 & (kPlaces - 1)];
  if (place.key != key) place = {key, &ways_[key]};
  return *place.ways;
}

/// kUnknownSite if it has to be learnt.
unsigned Callers::find(const void* key, const char* frame) {
  Ways& ways = ways_to(key);
  if (ways.alone != kUnknownSite) return ways.alone;
  const auto depth = static_cast<std::size_t>(high() - frame);
  for (Way& way : ways.known) {
    if (!way.trail.leads_from(frame, depth)) continue;
    std::swap(way, ways.known.front());  // threads come the same way one after another
    return ways.known.front().number;
  }
  return kUnknownSite;
}

/// `alone` if there is nothing to report, now and later.
unsigned Callers::learn(const void* key, unsigned alone, const void* first, const char* frame) {
  Ways& ways = ways_to(key);
  Way way{.number = alone};
  if (high() != nullptr && runs_threads_ != nullptr) {
    const fiber::Returns all = fiber::walk({.frame = frame, .high = high(), .most = kDeepest, .first = first});
    note_frames(runs_threads_, high(), all, all.addresses.size() < kDeepest);
  }
  if (high() != nullptr && ways.known.size() < kMostWays) {
    const fiber::Returns found =
        fiber::walk({.frame = frame, .high = high(), .most = kDeepest, .first = first, .below = runs_threads_});
    const std::span<const std::uintptr_t> all = found.addresses;
    const std::span callers = all.subspan(first != nullptr && !all.empty() ? 1 : 0);
    const bool whole = found.complete || all.size() == kDeepest;
    const auto users = [this](std::uintptr_t one) { return is_users(one); };
    way.trail = fiber::Trail(found, frame);
    if (whole && !way.trail.empty() && std::ranges::any_of(callers, users)) {
      way.number = number_of_site(alone, record::StackDepot::of_process().add(callers));
    }
  }
  if (way.number == alone) {
    ways = Ways{.alone = alone};
    return alone;
  }
  ways.known.insert(ways.known.begin(), std::move(way));
  return ways.known.front().number;
}

bool Callers::is_users(std::uintptr_t returns_to) {
  const auto [known, fresh] = users_.try_emplace(returns_to, false);
  if (fresh) known->second = is_users_(returns_to);
  return known->second;
}

}  // namespace warpfiber::check
