// SPDX-License-Identifier: Apache-2.0
// Ways of calls that were walked once are recognised by the frames they have left on the stack.
#include "check/calls/callers.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"
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

// Frames are noted when an instruction is met that was not met by such calls before, so there are few.

struct FrameRegister {
  /// Where a frame begins, in bytes below the top, and code of its function.
  using KernelFrames = std::vector<std::pair<std::uint64_t, std::uintptr_t>>;

  base::Mutex mutex;
  std::map<const void*, KernelFrames> of_kernels WARPFIBER_GUARDED_BY(mutex);
  std::map<const void*, const void*> kernels WARPFIBER_GUARDED_BY(mutex);
};

namespace {

constexpr std::size_t kMostOfKernel = 4096;
constexpr std::size_t kMostAround = 64;

FrameRegister& frames() {
  return CheckState::of_process().frames.get();
}

}  // namespace

void note_kernel(const void* runs_threads, const void* kernel) {
  const base::Lock lock(frames().mutex);
  frames().kernels.try_emplace(runs_threads, kernel);
}

const void* kernel_run_by(const void* runs_threads) {
  const base::Lock lock(frames().mutex);
  const auto found = frames().kernels.find(runs_threads);
  return found == frames().kernels.end() ? nullptr : found->second;
}

void note_frames(const void* runs_threads, const char* high, const fiber::Returns& found, bool whole) {
  const base::Lock lock(frames().mutex);
  FrameRegister::KernelFrames& known = frames().of_kernels[runs_threads];
  const std::size_t count = found.addresses.size();
  for (std::size_t i = 0; i < count && known.size() < kMostOfKernel; ++i) {
    if (i + 1 == count && !whole) break;
    // The caller's stack pointer is above the return address to it; that of the outermost function is the top.
    const char* begin = i + 1 < count ? found.places[i + 1] + sizeof(void*) : high;
    const std::pair frame(static_cast<std::uint64_t>(high - begin), found.addresses[i] - 1);
    if (std::ranges::find(known, frame) == known.end()) known.push_back(frame);
  }
}

std::vector<record::StackFrame> frames_around(const void* runs_threads, std::uint64_t depth) {
  const base::Lock lock(frames().mutex);
  FrameRegister::KernelFrames around;
  for (const auto& frame : frames().of_kernels[runs_threads]) {
    if (frame.first + sizeof(void*) < depth) around.push_back(frame);
  }
  std::ranges::stable_sort(around, [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<record::StackFrame> made;
  for (const auto& [begin, code] : around) {
    if (made.size() == kMostAround) break;
    made.push_back({.code = code, .offset = static_cast<std::int64_t>(begin) - static_cast<std::int64_t>(depth)});
  }
  return made;
}

}  // namespace warpfiber::check
