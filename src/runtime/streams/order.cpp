// SPDX-License-Identifier: Apache-2.0
//
// Each line has a vector clock, which joins those that it waits for. What the host has waited for is left out of all
// of them, so they stay short.
#include "runtime/streams/order.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::runtime {
namespace {

std::uint64_t number_in(const Pasts* pasts, std::uint64_t line) {
  if (pasts == nullptr) return 0;
  const auto at = std::ranges::lower_bound(*pasts, line, {}, &Past::line);
  return at != pasts->end() && at->line == line ? at->number : 0;
}

void raise(Pasts& pasts, const Past& past) {
  const auto at = std::ranges::lower_bound(pasts, past.line, {}, &Past::line);
  if (at != pasts.end() && at->line == past.line) {
    at->number = std::max(at->number, past.number);
  } else {
    pasts.insert(at, past);
  }
}

/// Calls `use` for all that is over at `moment`.
template <class Use>
void for_each_past(const Moment& moment, Use use) {
  if (moment.line != 0) use(Past{moment.line, moment.number});
  if (moment.others == nullptr) return;
  for (const Past& past : *moment.others) use(past);
}

bool waits_for_all_of(LineKind waiting, LineKind other) {
  return (waiting == LineKind::legacy && other == LineKind::blocking) ||
         (waiting == LineKind::blocking && other == LineKind::legacy);
}

}  // namespace

Placement OperationOrder::submit(const Line& line, std::span<const Moment> after) {
  State& state = enter(line, after);
  Placement made;
  made.unordered = beside(line.id, state.others.get());
  state.last = state.last_operation = number_ + 1;  // before old lines are swept away
  next(line.id);
  made.moment = Moment{line.id, state.last, state.others};
  return made;
}

Moment OperationOrder::mark(const Line& line, std::span<const Moment> after) {
  State& state = enter(line, after);
  state.last = number_ + 1;
  next(0);
  return Moment{line.id, state.last, state.others};
}

Moment OperationOrder::present(std::uint64_t line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? Moment{} : Moment{line, found->second.last, found->second.others};
}

std::vector<Moment> OperationOrder::presents(int device) const {
  std::vector<Moment> all;
  for (const auto& [id, state] : lines_) {
    if (state.device == device) all.push_back(Moment{id, state.last, state.others});
  }
  return all;
}

void OperationOrder::host_knows(const Moment& moment) {
  for_each_past(moment, [this](const Past& past) {
    const auto found = lines_.find(past.line);
    if (found == lines_.end()) return;
    found->second.known = std::max(found->second.known, past.number);
    if (found->second.known >= found->second.last) lines_.erase(found);
  });
}

Placement OperationOrder::host() {
  if (host_number_ == 0 || host_number_ != number_) host_number_ = next(0);
  return Placement{Moment{0, host_number_, nullptr}, beside(0, nullptr)};
}

Placement OperationOrder::host_launch() {
  return Placement{Moment{0, next(0), nullptr}, beside(0, nullptr)};
}

std::vector<std::uint64_t> OperationOrder::numbers_of(const std::vector<Stretch>& stretches) const {
  std::vector<std::uint64_t> numbers;
  if (stretches.empty()) return numbers;
  const std::uint64_t oldest = number_ < kRemembered ? 1 : number_ - kRemembered + 1;
  const auto first = std::ranges::min_element(stretches, {}, &Stretch::first)->first;
  const auto last = std::ranges::max_element(stretches, {}, &Stretch::last)->last;
  for (std::uint64_t number = std::max(first, oldest); number <= last; ++number) {
    const auto of_line = std::ranges::lower_bound(stretches, line_of_[number % kRemembered], {}, &Stretch::line);
    if (of_line == stretches.end() || of_line->line != line_of_[number % kRemembered]) continue;
    if (number >= of_line->first && number <= of_line->last) numbers.push_back(number);
  }
  return numbers;
}

/// The next number, of an operation of `line`.
std::uint64_t OperationOrder::next(std::uint64_t line) {
  ++number_;
  line_of_[number_ % kRemembered] = line;
  constexpr std::uint64_t kBetweenSweeps = kRemembered / 4;
  if (number_ > kRemembered && number_ % kBetweenSweeps == 0) {
    std::erase_if(lines_, [this](const auto& entry) { return entry.second.last + kRemembered < number_; });
  }
  return number_;
}

/// The line's state, after all that its next step waits for.
OperationOrder::State& OperationOrder::enter(const Line& line, std::span<const Moment> after) {
  const auto [at, is_new] = lines_.try_emplace(line.id);
  State& state = at->second;
  if (is_new) state.known = number_;
  state.device = line.device;
  state.kind = line.kind;
  if (lines_.size() == 1 && after.empty()) return state;
  std::vector<Moment> waited(after.begin(), after.end());
  for (const auto& [id, other] : lines_) {
    if (other.device == line.device && waits_for_all_of(line.kind, other.kind)) {
      waited.push_back(Moment{id, other.last, other.others});
    }
  }
  join(state, line.id, waited);
  return state;
}

bool OperationOrder::is_news(const State& state, std::uint64_t own, const Past& past) const {
  if (past.line == own) return false;
  const auto found = lines_.find(past.line);
  return found != lines_.end() && past.number > found->second.known &&
         past.number > number_in(state.others.get(), past.line);
}

void OperationOrder::join(State& state, std::uint64_t own, std::span<const Moment> moments) {
  Pasts news;
  for (const Moment& moment : moments) {
    // What is over at a place is over for whoever knows of the place.
    if (moment.line == own || !is_news(state, own, Past{moment.line, moment.number})) continue;
    for_each_past(moment, [&](const Past& past) {
      if (is_news(state, own, past)) raise(news, past);
    });
  }
  if (news.empty()) return;
  if (state.others != nullptr) {
    for (const Past& past : *state.others) {
      const auto found = lines_.find(past.line);
      if (found != lines_.end() && past.number > found->second.known) raise(news, past);
    }
  }
  state.others = std::make_shared<const Pasts>(std::move(news));
}

/// What of lines other than `line` is not over where `past` is, and the host does not know of.
std::vector<Stretch> OperationOrder::beside(std::uint64_t line, const Pasts* past) const {
  std::vector<Stretch> stretches;
  for (const auto& [id, other] : lines_) {
    if (id == line) continue;
    const std::uint64_t over = std::max(other.known, number_in(past, id));
    if (other.last_operation > over) stretches.push_back(Stretch{id, over + 1, other.last_operation});
  }
  return stretches;
}

}  // namespace warpfiber::runtime
