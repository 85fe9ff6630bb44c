// SPDX-License-Identifier: Apache-2.0
// Which operations of the host program are ordered: shapes that programs have, and random programs against the
// transitive closure of everything that waits for something.
#include "streams/order.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "record/launch_order.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;

namespace {

constexpr StreamId kLegacy{1, 0, StreamKind::legacy};
constexpr StreamId kBlocking{2, 0, StreamKind::blocking};
constexpr StreamId kAlsoBlocking{3, 0, StreamKind::blocking};
constexpr StreamId kFree{4, 0, StreamKind::free};
constexpr StreamId kAlsoFree{5, 0, StreamKind::free};
constexpr StreamId kOtherLegacy{6, 1, StreamKind::legacy};
constexpr StreamId kOtherBlocking{7, 1, StreamKind::blocking};
constexpr StreamId kOtherFree{8, 1, StreamKind::free};
constexpr StreamId kLines[] = {kLegacy,   kBlocking,    kAlsoBlocking,  kFree,
                               kAlsoFree, kOtherLegacy, kOtherBlocking, kOtherFree};

using Numbers = std::vector<std::uint64_t>;

Numbers unordered(const OperationOrder& order, const OpOrder& placed) {
  return order.numbers_of(placed.unordered);
}

/// The same by brute force: for each step the set of all steps before it.
class Closure {
 public:
  using Set = std::set<std::uint64_t>;

  /// `stream` null: the host.
  void step(const StreamId* stream, std::uint64_t number, const std::vector<Set>& after, bool operation) {
    Set before = host_;
    for (const Set& set : after) before.insert(set.begin(), set.end());
    for (const Step& earlier : steps_) {
      if (stream != nullptr && comes_first(earlier.stream, *stream))
        before.insert(earlier.past.begin(), earlier.past.end());
    }
    before.insert(number);
    if (stream != nullptr) steps_.push_back(Step{*stream, number, before, operation});
  }

  Set present(const StreamId& stream) const {
    Set past;
    for (const Step& step : steps_) {
      if (step.stream.id == stream.id) past.insert(step.past.begin(), step.past.end());
    }
    return past;
  }

  Set present_of_device(int device) const {
    Set past;
    for (const Step& step : steps_) {
      if (step.stream.device == device) past.insert(step.past.begin(), step.past.end());
    }
    return past;
  }

  void host_acquire(const Set& past) { host_.insert(past.begin(), past.end()); }

  /// Operations that are not before the last step of `stream`, or before the host.
  Numbers unordered(const StreamId* stream) const {
    const Set past = stream == nullptr ? host_ : steps_.back().past;
    Numbers numbers;
    for (const Step& step : steps_) {
      if (step.operation && past.count(step.number) == 0) numbers.push_back(step.number);
    }
    return numbers;
  }

 private:
  struct Step {
    StreamId stream;
    std::uint64_t number;
    Set past;
    bool operation;
  };

  static bool comes_first(const StreamId& earlier, const StreamId& later) {
    if (earlier.id == later.id) return true;
    if (earlier.device != later.device || earlier.kind == StreamKind::free || later.kind == StreamKind::free)
      return false;
    return earlier.kind == StreamKind::legacy || later.kind == StreamKind::legacy;
  }

  std::vector<Step> steps_;
  Set host_;
};

/// A random program, asked after each of its operations.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : chance_(seed), streams_(2 + chance_.below(std::size(kLines) - 1)) {}

  void step() {
    switch (chance_.below(12)) {
      case 0: record(); break;
      case 1: wait(); break;
      case 2: synchronise_event(); break;
      case 3: synchronise_stream(); break;
      case 4: synchronise_device(); break;
      case 5: use_memory(); break;
      default: submit(); break;
    }
  }

 private:
  struct Event {
    StreamClock clock;
    Closure::Set past;
  };

  const StreamId& any_line() { return kLines[chance_.below(streams_)]; }
  Event& any_event() { return events_[chance_.below(std::size(events_))]; }

  void submit() {
    const StreamId& stream = any_line();
    const OpOrder placed = order_.submit(stream);
    closure_.step(&stream, placed.clock.number, {}, true);
    REQUIRE(unordered(order_, placed) == closure_.unordered(&stream));
  }

  void record() {
    const StreamId& stream = any_line();
    Event& event = any_event();
    event.clock = order_.mark(stream);
    closure_.step(&stream, event.clock.number, {}, false);
    event.past = closure_.present(stream);
  }

  void wait() {
    const StreamId& stream = any_line();
    const Event& event = any_event();
    const StreamClock after[] = {event.clock};
    closure_.step(&stream, order_.mark(stream, after).number, {event.past}, false);
  }

  void synchronise_event() {
    const Event& event = any_event();
    order_.host_acquire(event.clock);
    closure_.host_acquire(event.past);
  }

  void synchronise_stream() {
    const StreamId& stream = any_line();
    order_.host_acquire(order_.present(stream.id));
    closure_.host_acquire(closure_.present(stream));
  }

  void synchronise_device() {
    const int device = static_cast<int>(chance_.below(2));
    for (const StreamClock& clock : order_.presents(device)) order_.host_acquire(clock);
    closure_.host_acquire(closure_.present_of_device(device));
  }

  void use_memory() { REQUIRE(unordered(order_, order_.host()) == closure_.unordered(nullptr)); }

  base::Random chance_;
  std::uint64_t streams_;
  OperationOrder order_;
  Closure closure_;
  Event events_[4];
};

}  // namespace

TEST_CASE("random programs are ordered as the transitive closure of what waits") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomProgram program(seed);
    for (int i = 0; i < 60; ++i) program.step();
  }
}

TEST_CASE("operations are numbered from 1 in the order of the calls") {
  OperationOrder order;
  CHECK(order.submit(kFree).clock.number == 1);
  CHECK(order.submit(kLegacy).clock.number == 2);
  CHECK(order.submit(kFree).clock.number == 3);
}

TEST_CASE("operations of one stream are ordered") {
  OperationOrder order;
  for (int i = 0; i < 5; ++i) CHECK(unordered(order, order.submit(kFree)).empty());
  CHECK(unordered(order, order.host()) == Numbers{1, 2, 3, 4, 5});
}

TEST_CASE("operations of two streams are ordered by an event and by nothing else") {
  OperationOrder order;
  order.submit(kFree);
  CHECK(unordered(order, order.submit(kAlsoFree)) == Numbers{1});
  const StreamClock after[] = {order.mark(kFree)};
  order.mark(kAlsoFree, after);
  CHECK(unordered(order, order.submit(kAlsoFree)).empty());
  CHECK(unordered(order, order.submit(kFree)) == Numbers{2, 5});
}

TEST_CASE("an event orders what its stream had waited for as well") {
  OperationOrder order;
  order.submit(kFree);
  const StreamClock first[] = {order.mark(kFree)};
  order.mark(kAlsoFree, first);
  const StreamClock second[] = {order.mark(kAlsoFree)};
  order.mark(kBlocking, second);
  CHECK(unordered(order, order.submit(kBlocking)).empty());
}

TEST_CASE("the legacy default stream is ordered with blocking streams of its device only") {
  OperationOrder order;
  order.submit(kBlocking);       // 1
  order.submit(kFree);           // 2
  order.submit(kOtherBlocking);  // 3
  CHECK(unordered(order, order.submit(kLegacy)) == Numbers{2, 3});
  CHECK(unordered(order, order.submit(kAlsoBlocking)) == Numbers{2, 3});
  CHECK(unordered(order, order.submit(kAlsoFree)) == Numbers{1, 2, 3, 4, 5});
}

TEST_CASE("what the host has waited for is forgotten") {
  OperationOrder order;
  for (int i = 0; i < 3; ++i) order.submit(kFree);
  order.submit(kAlsoFree);
  CHECK(order.open_streams() == 2);
  order.host_acquire(order.present(kFree.id));
  CHECK(order.open_streams() == 1);
  CHECK(unordered(order, order.submit(kBlocking)) == Numbers{4});
  for (const StreamClock& clock : order.presents(0)) order.host_acquire(clock);
  CHECK(order.open_streams() == 0);
  CHECK(unordered(order, order.host()).empty());
}

TEST_CASE("the host's accesses are one operation until it asks for another") {
  OperationOrder order;
  order.submit(kFree);
  const std::uint64_t first = order.host().clock.number;
  CHECK(order.host().clock.number == first);
  CHECK(order.submit(kFree).clock.number == first + 1);
  CHECK(order.host().clock.number == first + 2);
}

TEST_CASE("a program that never synchronises is remembered for so long and no longer") {
  OperationOrder order;
  for (std::uint64_t i = 0; i < 2 * OperationOrder::kRemembered; ++i) {
    order.submit(StreamId{10 + i, 0, StreamKind::free});
    REQUIRE(order.open_streams() <= 2 * OperationOrder::kRemembered);
  }
  const Numbers concurrent_with = unordered(order, order.host());
  CHECK(concurrent_with.size() < OperationOrder::kRemembered);
  CHECK(concurrent_with.size() >= OperationOrder::kRemembered - 1);
}

TEST_CASE("an operation that ran although it was asked for later did not wait") {
  record::LaunchOrder order;
  order.number = 7;
  order.unordered = {3, 5};
  CHECK(order.is_unordered_with(8));
  CHECK(order.is_unordered_with(3));
  CHECK(order.is_unordered_with(5));
  CHECK_FALSE(order.is_unordered_with(4));
  CHECK_FALSE(order.is_unordered_with(7));
  CHECK_FALSE(order.is_unordered_with(0));
  order.number = 0;
  CHECK_FALSE(order.is_unordered_with(8));
}

TEST_CASE("a launch may overlap the kernel right before it in its stream, and nothing else") {
  constexpr OpKind kKernel{true, false};
  constexpr OpKind kOverlapping{true, true};
  OperationOrder order;
  const OpOrder copy = order.submit(kFree);
  const OpOrder first = order.submit(kFree, {}, kKernel);
  const OpOrder second = order.submit(kFree, {}, kOverlapping);
  CHECK(second.overlapped == first.clock.number);
  CHECK(unordered(order, second) == Numbers{first.clock.number});
  const OpOrder third = order.submit(kFree, {}, kOverlapping);
  CHECK(unordered(order, third) == Numbers{second.clock.number});
  const OpOrder other = order.submit(kAlsoFree, {}, kOverlapping);
  CHECK(other.overlapped == 0);
  // Neither a copy, nor a mark, nor the host's wait lets the next one overlap.
  order.submit(kFree);
  CHECK(order.submit(kFree, {}, kOverlapping).overlapped == 0);
  order.mark(kFree);
  CHECK(order.submit(kFree, {}, kOverlapping).overlapped == 0);
  order.host_acquire(order.present(kFree.id));
  const OpOrder last = order.submit(kFree, {}, kOverlapping);
  CHECK(last.overlapped == 0);
  CHECK(unordered(order, last) == Numbers{other.clock.number});
  CHECK(copy.overlapped == 0);
}
