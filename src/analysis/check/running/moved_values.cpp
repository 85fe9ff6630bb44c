// SPDX-License-Identifier: Apache-2.0
// Series do not overlap. One that is cut keeps the values that lie wholly before or behind the cut.
#include "check/running/moved_values.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "check/calls/places.hpp"
#include "check/cells/check_state.hpp"

namespace warpfiber::check {

MovedFrom MovedValues::Series::at(std::size_t number) const {
  MovedFrom made = first;
  made.load.thread += number * step;
  return made;
}

MovedValues::Series MovedValues::Series::from(std::size_t number, std::size_t size) const {
  return {.bytes = bytes, .count = size, .first = at(number), .step = step};
}

bool MovedValues::Series::goes_on_with(std::size_t size, const MovedFrom& next) const {
  if (size != bytes || next.launch != first.launch || next.load.site != first.load.site) return false;
  return count == 1 || next.load.thread == first.load.thread + count * step;
}

/// The first series that ends behind `from`.
template <class Places_>
auto MovedValues::first_at(Places_& places, const char* from) {
  auto found = places.upper_bound(from);
  if (found == places.begin()) return found;
  const auto before = std::prev(found);
  return before->first + before->second.extent() > from ? before : found;
}

void MovedValues::cut(const char* from, std::size_t bytes) {
  const char* const end = from + bytes;
  for (auto next = first_at(places_, from); next != places_.end() && next->first < end;) {
    const auto [begin, series] = *next;
    next = places_.erase(next);
    const std::size_t before = begin < from ? static_cast<std::size_t>(from - begin) / series.bytes : 0;
    const std::size_t over = std::min(static_cast<std::size_t>(end - begin), series.extent());
    const std::size_t gone = (over + series.bytes - 1) / series.bytes;
    if (before != 0) places_.emplace(begin, series.from(0, before));
    if (gone < series.count) places_.emplace(begin + gone * series.bytes, series.from(gone, series.count - gone));
  }
  any_.store(!places_.empty(), std::memory_order_release);
}

bool MovedValues::add(const char* to, std::size_t bytes, const MovedFrom& from) {
  const base::Lock lock(mutex_);
  cut(to, bytes);
  const auto next = places_.upper_bound(to);
  if (next != places_.begin()) {
    const auto before = std::prev(next);
    Series& series = before->second;
    if (before->first + series.extent() == to && series.goes_on_with(bytes, from)) {
      if (series.count++ == 1) series.step = from.load.thread - series.first.load.thread;
      return true;
    }
  }
  if (places_.size() == kMost) return false;
  places_.emplace(to, Series{.bytes = bytes, .first = from});
  any_.store(true, std::memory_order_release);
  return true;
}

void MovedValues::remove(const char* from, std::size_t bytes) {
  if (!any_.load(std::memory_order_acquire)) return;
  const base::Lock lock(mutex_);
  cut(from, bytes);
}

void MovedValues::copy(const char* to, const char* from, std::size_t bytes) {
  if (!any_.load(std::memory_order_acquire)) return;
  std::vector<std::pair<Stretch, MovedFrom>> found;
  split({from, bytes}, [&found](const Stretch& part, const MovedFrom* origin) {
    if (origin != nullptr) found.emplace_back(part, *origin);
  });
  for (const auto& [part, origin] : found) add(to + (part.from - from), part.bytes, origin);
}

std::optional<MovedFrom> MovedValues::find(const char* from, std::size_t bytes) const {
  if (!any_.load(std::memory_order_acquire)) return std::nullopt;
  const base::Lock lock(mutex_);
  const auto found = first_at(places_, from);
  if (found == places_.end() || found->first >= from + bytes) return std::nullopt;
  const std::size_t into = found->first < from ? static_cast<std::size_t>(from - found->first) : 0;
  return found->second.at(into / found->second.bytes);
}

void MovedValues::split(const Stretch& stretch,
                        const std::function<void(const Stretch&, const MovedFrom*)>& visit) const {
  const char* at = stretch.from;
  const char* const end = stretch.from + stretch.bytes;
  const base::Lock lock(mutex_);
  for (auto next = first_at(places_, at); next != places_.end() && next->first < end; ++next) {
    const auto& [begin, series] = *next;
    if (begin > at) visit({at, static_cast<std::size_t>(begin - at)}, nullptr);
    at = std::max(at, begin);
    while (at < end && at < begin + series.extent()) {
      const std::size_t number = static_cast<std::size_t>(at - begin) / series.bytes;
      const char* const last = std::min(end, begin + (number + 1) * series.bytes);
      const MovedFrom origin = series.at(number);
      visit({at, static_cast<std::size_t>(last - at)}, &origin);
      at = last;
    }
  }
  if (at < end) visit({at, static_cast<std::size_t>(end - at)}, nullptr);
}

std::vector<Stretch> MovedValues::take(const BegunLaunch* launch, unsigned site) {
  std::vector<Stretch> taken;
  const base::Lock lock(mutex_);
  std::erase_if(places_, [&](const auto& place) {
    const MovedFrom& first = place.second.first;
    if (first.launch.get() != launch || first.load.site != site) return false;
    taken.push_back({place.first, place.second.extent()});
    return true;
  });
  any_.store(!places_.empty(), std::memory_order_release);
  return taken;
}

MovedValues& moved_values() {
  return CheckState::of_process().moved_values.get();
}

record::Party party_of(const MovedFrom& moved) {
  record::Party party;
  party.role = record::Role::read;
  party.who = member_of(moved.load.thread, *moved.launch);
  put_site(moved.load.site, party);
  party.what = "load";
  party.kernel = moved.launch->kernel;
  party.launched.instruction = last_byte_of_call(moved.launch->launched);
  return party;
}

}  // namespace warpfiber::check
