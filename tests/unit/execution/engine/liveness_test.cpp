// SPDX-License-Identifier: Apache-2.0
// What the watchdog takes for a change.
#include <cstdint>
#include <span>
#include <vector>

#include "engine/liveness/memory_changes.hpp"
#include "engine/liveness/passed_time.hpp"
#include "engine/liveness/thread_states.hpp"
#include "support/catch.hpp"

using warpfiber::engine::MemoryChange;
using warpfiber::engine::MemoryChanges;
using warpfiber::engine::MemoryRange;
using warpfiber::engine::PassedTime;
using warpfiber::engine::ThreadStates;

namespace {

/// Some memory, and looks at it.
class Looked {
 public:
  explicit Looked(bool is_shared = false) : is_shared_(is_shared) {}

  unsigned& operator[](std::size_t word) { return words_[word]; }
  MemoryChange look() {
    const MemoryRange range{reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(unsigned), false,
                            is_shared_};
    return changes_.look(std::span(&range, 1));
  }

 private:
  bool is_shared_;
  std::vector<unsigned> words_ = std::vector<unsigned>(100'000, 7);
  MemoryChanges changes_;
};

}  // namespace

TEST_CASE("memory that is as it was has not changed") {
  Looked memory;
  CHECK(memory.look() == MemoryChange::fresh);
  CHECK(memory.look() == MemoryChange::none);
  memory[99'999] = 8;
  CHECK(memory.look() == MemoryChange::fresh);
  CHECK(memory.look() == MemoryChange::none);
}

TEST_CASE("words that count or alternate are no fresh change") {
  Looked memory;
  memory.look();
  for (unsigned turn = 0; turn < 9; ++turn) {
    memory[70'000] += 1000;
    memory[12] = 1'000'000 - 3 * turn;
    memory[13] = turn % 2;
    const MemoryChange change = memory.look();
    if (turn >= 4) CHECK(change == MemoryChange::counting);
  }
}

TEST_CASE("words that rise and fall are fresh changes, but for a few of shared memory") {
  const unsigned values[] = {3, 9, 4, 8, 5, 1, 6, 2};
  for (const bool is_shared : {false, true}) {
    Looked memory(is_shared);
    memory.look();
    unsigned fresh = 0;
    for (const unsigned value : values) {
      memory[0] = value * 100;
      fresh += memory.look() == MemoryChange::fresh ? 1 : 0;
    }
    CHECK(fresh == (is_shared ? 2 : std::size(values)));
  }
}

TEST_CASE("a word that changes for the first time is a fresh change") {
  Looked memory;
  memory.look();
  memory[1] = 1;
  memory.look();
  for (unsigned word = 2; word < 20; ++word) {
    ++memory[word];
    CHECK(memory.look() == MemoryChange::fresh);
  }
}

TEST_CASE("states of threads are known again") {
  ThreadStates states;
  CHECK(states.add(0x1234'5678'9abcU));
  CHECK(states.add(0xfff4'5678'9abcU));
  CHECK_FALSE(states.add(0x1234'5678'9abcU));
  for (std::uint64_t state = 0; state < 100'000; ++state) states.add(state * 0x9e37'79b9'7f4a'7c15U);
  CHECK(states.add(0x1234'5678'9abcU));
}

TEST_CASE("time is granted as far as no worker that has work waits for a processor") {
  PassedTime time(1'000, 2);
  const auto all = [](std::size_t) { return true; };
  const auto first = [](std::size_t worker) { return worker == 0; };
  const auto look = [&time](std::size_t worker, std::int64_t now, std::int64_t queued, auto is_awake) {
    time.look(worker, now, queued);
    time.pass(is_awake);
  };
  look(0, 5'000, 70, all);
  look(1, 5'100, 30, all);
  CHECK(time.now().wall == 100);
  CHECK(time.now().granted == 100);
  look(0, 5'400, 370, all);  // of 400 it has waited for 300
  CHECK(time.now().wall == 400);
  CHECK(time.now().granted == 175);
  look(1, 5'500, 30, all);  // the other one still waits
  CHECK(time.now().granted == 200);
  look(1, 5'600, 130, first);
  CHECK(time.now().granted == 225);
  look(0, 9'600, 370, all);  // the process was stopped
  CHECK(time.now().wall == 1'600);
  CHECK(time.now().granted == 225);
}

TEST_CASE("the time that a thread has waited is the second number of its schedstat") {
  CHECK(warpfiber::engine::queued_in("3952127 4835883 2\n") == 4'835'883);
  CHECK(warpfiber::engine::queued_in("") == 0);
  CHECK(warpfiber::engine::queued_in("12") == 0);
}
