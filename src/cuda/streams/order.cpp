// SPDX-License-Identifier: Apache-2.0
//
// Each line has a vector clock, which joins those that it waits for. What the host has waited for is left out of all
// of them, so they stay short.
#include "streams/order.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::streams {
namespace {

std::uint64_t number_in(const StreamEpochs* epochs, std::uint64_t stream) {
  if (epochs == nullptr) return 0;
  const auto at = std::ranges::lower_bound(*epochs, stream, {}, &StreamEpoch::stream);
  return at != epochs->end() && at->stream == stream ? at->number : 0;
}

void raise(StreamEpochs& epochs, const StreamEpoch& epoch) {
  const auto at = std::ranges::lower_bound(epochs, epoch.stream, {}, &StreamEpoch::stream);
  if (at != epochs.end() && at->stream == epoch.stream) {
    at->number = std::max(at->number, epoch.number);
  } else {
    epochs.insert(at, epoch);
  }
}

/// Calls `use` for all that is over at `clock`.
template <class Use>
void for_each_epoch(const StreamClock& clock, Use use) {
  if (clock.stream != 0) use(StreamEpoch{clock.stream, clock.number});
  if (clock.others == nullptr) return;
  for (const StreamEpoch& epoch : *clock.others) use(epoch);
}

bool waits_for_all_of(StreamKind waiting, StreamKind other) {
  return (waiting == StreamKind::legacy && other == StreamKind::blocking) ||
         (waiting == StreamKind::blocking && other == StreamKind::legacy);
}

}  // namespace

OpOrder OperationOrder::submit(const StreamId& stream, std::span<const StreamClock> after, OpKind kind) {
  State& state = enter(stream, after);
  OpOrder made;
  made.unordered = concurrent_with(stream.id, state.others.get());
  const bool follows_kernel = state.last != 0 && state.last == state.last_kernel && state.last > state.known;
  if (kind.may_overlap && follows_kernel) {
    made.overlapped = state.last;
    const OpRange range{stream.id, state.last, state.last};
    made.unordered.insert(std::ranges::lower_bound(made.unordered, stream.id, {}, &OpRange::stream), range);
  }
  state.last = state.last_operation = number_ + 1;  // before old lines are swept away
  if (kind.is_kernel) state.last_kernel = state.last;
  next(stream.id);
  made.clock = StreamClock{stream.id, state.last, state.others};
  return made;
}

StreamClock OperationOrder::mark(const StreamId& stream, std::span<const StreamClock> after) {
  State& state = enter(stream, after);
  state.last = number_ + 1;
  next(0);
  return StreamClock{stream.id, state.last, state.others};
}

StreamClock OperationOrder::present(std::uint64_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? StreamClock{} : StreamClock{stream, found->second.last, found->second.others};
}

std::vector<StreamClock> OperationOrder::presents(int device) const {
  std::vector<StreamClock> all;
  for (const auto& [id, state] : streams_) {
    if (state.device == device) all.push_back(StreamClock{id, state.last, state.others});
  }
  return all;
}

void OperationOrder::host_acquire(const StreamClock& clock) {
  for_each_epoch(clock, [this](const StreamEpoch& epoch) {
    const auto found = streams_.find(epoch.stream);
    if (found == streams_.end()) return;
    found->second.known = std::max(found->second.known, epoch.number);
    if (found->second.known >= found->second.last) streams_.erase(found);
  });
}

OpOrder OperationOrder::host() {
  if (host_number_ == 0 || host_number_ != number_) host_number_ = next(0);
  return OpOrder{StreamClock{0, host_number_, nullptr}, concurrent_with(0, nullptr)};
}

OpOrder OperationOrder::host_launch() {
  return OpOrder{StreamClock{0, next(0), nullptr}, concurrent_with(0, nullptr)};
}

std::vector<std::uint64_t> OperationOrder::numbers_of(const std::vector<OpRange>& ranges) const {
  std::vector<std::uint64_t> numbers;
  if (ranges.empty()) return numbers;
  const std::uint64_t oldest = number_ < kRemembered ? 1 : number_ - kRemembered + 1;
  const auto first = std::ranges::min_element(ranges, {}, &OpRange::first)->first;
  const auto last = std::ranges::max_element(ranges, {}, &OpRange::last)->last;
  for (std::uint64_t number = std::max(first, oldest); number <= last; ++number) {
    const auto of_stream = std::ranges::lower_bound(ranges, stream_of_[number % kRemembered], {}, &OpRange::stream);
    if (of_stream == ranges.end() || of_stream->stream != stream_of_[number % kRemembered]) continue;
    if (number >= of_stream->first && number <= of_stream->last) numbers.push_back(number);
  }
  return numbers;
}

/// The next number, of an operation of `stream`.
std::uint64_t OperationOrder::next(std::uint64_t stream) {
  ++number_;
  stream_of_[number_ % kRemembered] = stream;
  constexpr std::uint64_t kBetweenSweeps = kRemembered / 4;
  if (number_ > kRemembered && number_ % kBetweenSweeps == 0) {
    std::erase_if(streams_, [this](const auto& entry) { return entry.second.last + kRemembered < number_; });
  }
  return number_;
}

/// The stream's state, after all that its next operation waits for.
OperationOrder::State& OperationOrder::enter(const StreamId& stream, std::span<const StreamClock> after) {
  const auto [at, is_new] = streams_.try_emplace(stream.id);
  State& state = at->second;
  if (is_new) state.known = number_;
  state.device = stream.device;
  state.kind = stream.kind;
  if (streams_.size() == 1 && after.empty()) return state;
  std::vector<StreamClock> waited(after.begin(), after.end());
  for (const auto& [id, other] : streams_) {
    if (other.device == stream.device && waits_for_all_of(stream.kind, other.kind)) {
      waited.push_back(StreamClock{id, other.last, other.others});
    }
  }
  join(state, stream.id, waited);
  return state;
}

bool OperationOrder::is_news(const State& state, std::uint64_t own, const StreamEpoch& epoch) const {
  if (epoch.stream == own) return false;
  const auto found = streams_.find(epoch.stream);
  return found != streams_.end() && epoch.number > found->second.known &&
         epoch.number > number_in(state.others.get(), epoch.stream);
}

void OperationOrder::join(State& state, std::uint64_t own, std::span<const StreamClock> clocks) {
  StreamEpochs news;
  for (const StreamClock& clock : clocks) {
    // What happened before a position happened before all that waits for the position.
    if (clock.stream == own || !is_news(state, own, StreamEpoch{clock.stream, clock.number})) continue;
    for_each_epoch(clock, [&](const StreamEpoch& epoch) {
      if (is_news(state, own, epoch)) raise(news, epoch);
    });
  }
  if (news.empty()) return;
  if (state.others != nullptr) {
    for (const StreamEpoch& epoch : *state.others) {
      const auto found = streams_.find(epoch.stream);
      if (found != streams_.end() && epoch.number > found->second.known) raise(news, epoch);
    }
  }
  state.others = std::make_shared<const StreamEpochs>(std::move(news));
}

/// The operations of other streams that `others` does not have, and that the host has not waited for.
std::vector<OpRange> OperationOrder::concurrent_with(std::uint64_t stream, const StreamEpochs* others) const {
  std::vector<OpRange> ranges;
  for (const auto& [id, other] : streams_) {
    if (id == stream) continue;
    const std::uint64_t over = std::max(other.known, number_in(others, id));
    if (other.last_operation > over) ranges.push_back(OpRange{id, over + 1, other.last_operation});
  }
  return ranges;
}

}  // namespace warpfiber::streams
