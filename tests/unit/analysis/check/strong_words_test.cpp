// SPDX-License-Identifier: Apache-2.0
// What volatile accesses do not order, as scripts of events: each defect at its lines, and nothing in its correct twin.
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/analysis/check/event_script.hpp"

using namespace warpfiber::check;
using namespace warpfiber::check::test;
using warpfiber::record::Verdict;

namespace {

constexpr unsigned kWord = kWordBytes;
constexpr ScriptShape kBlocks{.blocks = 3, .threads = 32};

/// Marks of what is found, with the verdict of races of global memory.
std::set<ScriptFinding> races(const std::vector<std::string>& marks) {
  std::set<ScriptFinding> all;
  for (const std::string& each : marks) all.insert({Verdict::race_global, each});
  return all;
}

char* zeroes(EventScript& s, unsigned words) {
  char* memory = s.global(words * kWord);
  std::memset(memory, 0, words * kWord);
  return memory;
}

/// A message and the flag that says it is there, both volatile.
struct Message {
  EventScript script{kBlocks};
  char* payload = zeroes(script, 2);
  char* flag = payload + kWord;

  void send(unsigned block) {
    script.thread(block, 0);
    script.volatile_store(payload, 42, 'A');
  }
  void raise() { script.volatile_store(flag, 1, 'F'); }
  void receive(unsigned block) {
    script.thread(block, 0);
    script.wait_for(flag, 'W');
  }
  void take() { script.volatile_load(payload, 'B'); }
};

}  // namespace

TEST_CASE("an increment of a volatile word loses what other threads write between its read and its write") {
  EventScript s(kBlocks);
  char* counter = zeroes(s, 1);
  s.each([&](unsigned, unsigned) { s.volatile_store(counter, s.volatile_load(counter, 'A') + 1, 'B'); });
  CHECK(s.end() == races({"AB"}));
}

TEST_CASE("a volatile word that one thread changes may be read at any time") {
  EventScript s(kBlocks);
  char* counter = zeroes(s, 1);
  for (unsigned turn = 0; turn < 5; ++turn) {
    s.thread(0, 0);
    s.volatile_store(counter, s.volatile_load(counter, 'A') + 1, 'B');
    s.thread(1, turn);
    s.volatile_load(counter, 'C');
  }
  CHECK(s.end().empty());
}

TEST_CASE("updates of a volatile word that barriers order are right") {
  EventScript s({.blocks = 1, .threads = 64});
  char* counter = zeroes(s, 1);
  for (unsigned t = 0; t < 64; t += 31) {
    s.thread(0, t);
    s.volatile_store(counter, s.volatile_load(counter, 'A') + 1, 'B');
    s.barrier(0);
  }
  CHECK(s.end().empty());
}

TEST_CASE("threads that all raise one flag lose nothing") {
  EventScript s(kBlocks);
  char* flag = zeroes(s, 1);
  s.each([&](unsigned, unsigned) {
    if (s.volatile_load(flag, 'A') == 0) s.volatile_store(flag, 1, 'B');
  });
  CHECK(s.end().empty());
}

TEST_CASE("two threads may find a lock free that is tested and then set") {
  EventScript s(kBlocks);
  char* lock = zeroes(s, 2);
  for (unsigned block = 0; block < 3; ++block) {
    s.thread(block, 0);
    REQUIRE(s.wait_for(lock, 'A') == 0);
    s.volatile_store(lock, 1, 'B');
    s.fence();
    s.volatile_store(lock + kWord, s.volatile_load(lock + kWord, 'C') + 1, 'D');
    s.fence();
    s.volatile_store(lock, 0, 'E');
  }
  CHECK(s.end() == races({"AB"}));
}

TEST_CASE("threads that wait each for a value of its own take turns") {
  EventScript s(kBlocks);
  char* turn = zeroes(s, 1);
  for (unsigned round = 0; round < 6; ++round) {
    s.thread(round % 3, 0);
    REQUIRE(s.wait_for(turn, 'A') == round);
    s.volatile_store(turn, s.volatile_load(turn, 'B') + 1, 'C');
  }
  CHECK(s.end().empty());
}

TEST_CASE("a message behind a volatile flag needs a fence on both sides, wide enough for both") {
  struct Fences {
    bool before, after;
    Scope reach;
    unsigned reader;
    bool right;
  };
  const Fences one =
      GENERATE(Fences{true, true, Scope::device, 1, true}, Fences{false, true, Scope::device, 1, false},
               Fences{true, false, Scope::device, 1, false}, Fences{false, false, Scope::device, 1, false},
               Fences{true, true, Scope::block, 1, false}, Fences{true, true, Scope::system, 2, true});
  Message m;
  m.send(0);
  if (one.before) m.script.fence(one.reach);
  m.raise();
  m.receive(one.reader);
  if (one.after) m.script.fence(one.reach);
  m.take();
  CHECK(m.script.end() == (one.right ? races({}) : races({"AB"})));
}

TEST_CASE("a flag may be any number of words away from its message") {
  constexpr unsigned kMost = 4096;
  for (unsigned distance = 1; distance <= kMost; ++distance) {
    INFO(distance << " words");
    Message m;
    m.payload = zeroes(m.script, kMost + 1);
    m.flag = m.payload + distance * kWord;
    m.send(0);
    m.raise();
    m.receive(1);
    m.take();
    REQUIRE(m.script.end() == races({"AB"}));
  }
}

TEST_CASE("what is written behind the flag is no part of the message") {
  Message m;
  m.script.thread(0, 0);
  m.raise();
  m.send(0);
  m.receive(1);
  m.take();
  CHECK(m.script.end().empty());
}

TEST_CASE("two flags that are waited for hand over nothing but themselves") {
  Message m;
  m.send(0);
  m.raise();
  m.receive(1);
  m.script.wait_for(m.payload, 'B');
  CHECK(m.script.end().empty());
}

TEST_CASE("whoever reads a volatile word without having seen a flag may find either value") {
  Message m;
  m.send(0);
  m.raise();
  m.script.thread(1, 0);
  m.take();
  CHECK(m.script.end().empty());
}

TEST_CASE("a lock orders what it guards with a fence behind taking it and one before its release") {
  struct Fences {
    bool first_in, first_out, second_in;
    bool right;
  };
  const Fences one = GENERATE(Fences{true, true, true, true}, Fences{false, true, true, false},
                              Fences{true, false, true, false}, Fences{true, true, false, false});
  EventScript s(kBlocks);
  char* lock = zeroes(s, 2);
  for (unsigned block = 0; block < 2; ++block) {
    s.thread(block, 0);
    REQUIRE(s.compare_exchange(lock, 0, 1, 'L'));
    if (block == 0 ? one.first_in : one.second_in) s.fence();
    s.volatile_store(lock + kWord, block + 1, block == 0 ? 'A' : 'B');
    if (block == 1 || one.first_out) s.fence();
    s.exchange(lock, 0, 'U');
  }
  CHECK(s.end() == (one.right ? races({}) : races({"AB"})));
}

TEST_CASE("a store without the lock, of what its thread reads with it") {
  EventScript s(kBlocks);
  char* lock = zeroes(s, 2);
  for (unsigned block = 0; block < 2; ++block) {
    s.thread(block, 0);
    REQUIRE(s.compare_exchange(lock, 0, 1, 'L'));
    s.fence();
    s.volatile_load(lock + kWord, 'A');
    s.fence();
    s.exchange(lock, 0, 'U');
    if (block == 0) s.volatile_store(lock + kWord, 7, 'B');
  }
  CHECK(s.end() == races({"AB"}));
}

TEST_CASE("a volatile store of a thread that has not looked goes over what another one has done") {
  EventScript s(kBlocks);
  char* word = zeroes(s, 1);
  s.thread(0, 0);
  s.exchange(word, 1, 'A');
  s.thread(1, 0);
  s.volatile_store(word, 2, 'B');
  CHECK(s.end() == races({"AB"}));
}

TEST_CASE("a volatile store of who holds the lock may meet the tries of others") {
  EventScript s(kBlocks);
  char* lock = zeroes(s, 1);
  s.thread(0, 0);
  s.exchange(lock, 1, 'A');
  for (unsigned t = 1; t < 5; ++t) {
    s.thread(1, t);
    s.exchange(lock, 1, 'A');
  }
  s.thread(0, 0);
  s.volatile_store(lock, 0, 'B');
  CHECK(s.end().empty());
}

TEST_CASE("lanes that go step by step through a volatile array are in lock-step or wrong") {
  const bool in_steps = GENERATE(true, false);
  const bool ordered = GENERATE(true, false);
  EventScript s({.blocks = 1, .threads = 32});
  s.each_thread(0, [&](unsigned t) { s.volatile_store(s.shared(0, t), t, 'A'); });
  if (in_steps) s.step(s.shared(0, 0));
  if (ordered) s.warp_barrier(0, 0);
  s.each_thread(0, [&](unsigned t) { s.volatile_load(s.shared(0, 31 - t), 'B'); });
  std::set<ScriptFinding> wrong;
  if (in_steps && !ordered) wrong.insert({Verdict::race_shared, "AB"});
  CHECK(s.end() == wrong);
}

TEST_CASE("a vote makes lanes meet and orders nothing") {
  const bool votes = GENERATE(true, false);
  EventScript s({.blocks = 1, .threads = 32});
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t), 'A'); });
  votes ? s.vote(0, 0) : s.warp_barrier(0, 0);
  s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, 31 - t), 'B'); });
  const std::set<ScriptFinding> wrong{{Verdict::race_shared, "AB"}};
  CHECK(s.end() == (votes ? wrong : std::set<ScriptFinding>{}));
}

TEST_CASE("atomics of different widths on the same bytes are not atomic with respect to each other") {
  const bool wide_first = GENERATE(true, false);
  const bool apart = GENERATE(true, false);
  EventScript s(kBlocks);
  char* pair = zeroes(s, 4);
  for (unsigned block = 0; block < 2; ++block) {
    s.thread(block, 0);
    if ((block == 0) == wide_first) {
      s.atomic_of(pair, 2 * kWord, 'A');
    } else {
      s.atomic_of(pair + (apart ? 2 * kWord : kWord), kWord, 'B');
    }
  }
  CHECK(s.end() == (apart ? races({}) : races({"AB"})));
}
