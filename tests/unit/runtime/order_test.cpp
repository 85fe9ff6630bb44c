// SPDX-License-Identifier: Apache-2.0
// Which operations of the host program are ordered: shapes that programs have, and random programs against the
// transitive closure of everything that waits for something.
#include "runtime/streams/order.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "record/launch_order.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::runtime;

namespace {

constexpr Line kLegacy{1, 0, LineKind::legacy};
constexpr Line kBlocking{2, 0, LineKind::blocking};
constexpr Line kAlsoBlocking{3, 0, LineKind::blocking};
constexpr Line kFree{4, 0, LineKind::free};
constexpr Line kAlsoFree{5, 0, LineKind::free};
constexpr Line kOtherLegacy{6, 1, LineKind::legacy};
constexpr Line kOtherBlocking{7, 1, LineKind::blocking};
constexpr Line kOtherFree{8, 1, LineKind::free};
constexpr Line kLines[] = {kLegacy,   kBlocking,    kAlsoBlocking,  kFree,
                           kAlsoFree, kOtherLegacy, kOtherBlocking, kOtherFree};

using Numbers = std::vector<std::uint64_t>;

Numbers unordered(const OperationOrder& order, const Placement& placed) {
  return order.numbers_of(placed.unordered);
}

/// The same by brute force: for each step the set of all steps before it.
class Closure {
 public:
  using Set = std::set<std::uint64_t>;

  /// `line` null: the host.
  void step(const Line* line, std::uint64_t number, const std::vector<Set>& after, bool operation) {
    Set before = host_;
    for (const Set& set : after) before.insert(set.begin(), set.end());
    for (const Step& earlier : steps_) {
      if (line != nullptr && comes_first(earlier.line, *line)) before.insert(earlier.past.begin(), earlier.past.end());
    }
    before.insert(number);
    if (line != nullptr) steps_.push_back(Step{*line, number, before, operation});
  }

  Set present(const Line& line) const {
    Set past;
    for (const Step& step : steps_) {
      if (step.line.id == line.id) past.insert(step.past.begin(), step.past.end());
    }
    return past;
  }

  Set present_of_device(int device) const {
    Set past;
    for (const Step& step : steps_) {
      if (step.line.device == device) past.insert(step.past.begin(), step.past.end());
    }
    return past;
  }

  void host_knows(const Set& past) { host_.insert(past.begin(), past.end()); }

  /// Operations that are not before the last step of `line`, or before the host.
  Numbers unordered(const Line* line) const {
    const Set past = line == nullptr ? host_ : steps_.back().past;
    Numbers numbers;
    for (const Step& step : steps_) {
      if (step.operation && past.count(step.number) == 0) numbers.push_back(step.number);
    }
    return numbers;
  }

 private:
  struct Step {
    Line line;
    std::uint64_t number;
    Set past;
    bool operation;
  };

  static bool comes_first(const Line& earlier, const Line& later) {
    if (earlier.id == later.id) return true;
    if (earlier.device != later.device || earlier.kind == LineKind::free || later.kind == LineKind::free) return false;
    return earlier.kind == LineKind::legacy || later.kind == LineKind::legacy;
  }

  std::vector<Step> steps_;
  Set host_;
};

/// A random program, asked after each of its operations.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : chance_(seed), lines_(2 + chance_.below(std::size(kLines) - 1)) {}

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
    Moment moment;
    Closure::Set past;
  };

  const Line& any_line() { return kLines[chance_.below(lines_)]; }
  Event& any_event() { return events_[chance_.below(std::size(events_))]; }

  void submit() {
    const Line& line = any_line();
    const Placement placed = order_.submit(line);
    closure_.step(&line, placed.moment.number, {}, true);
    REQUIRE(unordered(order_, placed) == closure_.unordered(&line));
  }

  void record() {
    const Line& line = any_line();
    Event& event = any_event();
    event.moment = order_.mark(line);
    closure_.step(&line, event.moment.number, {}, false);
    event.past = closure_.present(line);
  }

  void wait() {
    const Line& line = any_line();
    const Event& event = any_event();
    const Moment after[] = {event.moment};
    closure_.step(&line, order_.mark(line, after).number, {event.past}, false);
  }

  void synchronise_event() {
    const Event& event = any_event();
    order_.host_knows(event.moment);
    closure_.host_knows(event.past);
  }

  void synchronise_stream() {
    const Line& line = any_line();
    order_.host_knows(order_.present(line.id));
    closure_.host_knows(closure_.present(line));
  }

  void synchronise_device() {
    const int device = static_cast<int>(chance_.below(2));
    for (const Moment& moment : order_.presents(device)) order_.host_knows(moment);
    closure_.host_knows(closure_.present_of_device(device));
  }

  void use_memory() { REQUIRE(unordered(order_, order_.host()) == closure_.unordered(nullptr)); }

  base::Random chance_;
  std::uint64_t lines_;
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
  CHECK(order.submit(kFree).moment.number == 1);
  CHECK(order.submit(kLegacy).moment.number == 2);
  CHECK(order.submit(kFree).moment.number == 3);
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
  const Moment after[] = {order.mark(kFree)};
  order.mark(kAlsoFree, after);
  CHECK(unordered(order, order.submit(kAlsoFree)).empty());
  CHECK(unordered(order, order.submit(kFree)) == Numbers{2, 5});
}

TEST_CASE("an event orders what its stream had waited for as well") {
  OperationOrder order;
  order.submit(kFree);
  const Moment first[] = {order.mark(kFree)};
  order.mark(kAlsoFree, first);
  const Moment second[] = {order.mark(kAlsoFree)};
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
  CHECK(order.open_lines() == 2);
  order.host_knows(order.present(kFree.id));
  CHECK(order.open_lines() == 1);
  CHECK(unordered(order, order.submit(kBlocking)) == Numbers{4});
  for (const Moment& moment : order.presents(0)) order.host_knows(moment);
  CHECK(order.open_lines() == 0);
  CHECK(unordered(order, order.host()).empty());
}

TEST_CASE("the host's accesses are one operation until it asks for another") {
  OperationOrder order;
  order.submit(kFree);
  const std::uint64_t first = order.host().moment.number;
  CHECK(order.host().moment.number == first);
  CHECK(order.submit(kFree).moment.number == first + 1);
  CHECK(order.host().moment.number == first + 2);
}

TEST_CASE("a program that never synchronises is remembered for so long and no longer") {
  OperationOrder order;
  for (std::uint64_t i = 0; i < 2 * OperationOrder::kRemembered; ++i) {
    order.submit(Line{10 + i, 0, LineKind::free});
    REQUIRE(order.open_lines() <= 2 * OperationOrder::kRemembered);
  }
  const Numbers beside = unordered(order, order.host());
  CHECK(beside.size() < OperationOrder::kRemembered);
  CHECK(beside.size() >= OperationOrder::kRemembered - 1);
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
