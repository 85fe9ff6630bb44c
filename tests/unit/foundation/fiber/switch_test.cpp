// SPDX-License-Identifier: Apache-2.0
// Switching between fibers: who runs when, and what a fiber finds when it comes back. Compiled for the hand-written and
// for the portable switch.
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/foundation/fiber/stage.hpp"

using warpfiber::detail::Fiber;
using warpfiber::test::Stage;

namespace {

/// Fibers in a circle; the last goes back to the host, which comes round again.
struct Circle {
  Stage stage;
  std::vector<Fiber*> fibers;
  std::size_t running = 0;
  std::vector<std::size_t> order;

  Circle(std::size_t count, void (*entry)()) {
    for (std::size_t i = 0; i < count; ++i) fibers.push_back(stage.stacks.take(entry));
  }

  void round() {
    running = 0;
    stage.enter(fibers[0]);
  }

  void pass_on() {
    Fiber* self = fibers[running];
    ++running;
    Stage::go(self, running < fibers.size() ? fibers[running] : &stage.host);
  }
};

Circle* circle;

[[noreturn]] void note_every_turn() {
  warpfiber::detail::announce_entry();
  for (;;) {
    circle->order.push_back(circle->running);
    circle->pass_on();
  }
}

struct Seen {
  const char* frame = nullptr;
  bool aligned = false;
};
Seen seen;

[[noreturn]] void look_at_own_frame() {
  warpfiber::detail::announce_entry();
  seen.frame = static_cast<const char*>(__builtin_frame_address(0));
  alignas(16) std::array<volatile float, 4> vector{};
  seen.aligned = reinterpret_cast<std::uintptr_t>(seen.frame) % 16 == 0 &&
                 reinterpret_cast<std::uintptr_t>(vector.data()) % 16 == 0;
  for (;;) circle->pass_on();
}

struct Values {
  std::uint64_t integer[6];
  double real[6];
  long double wide;
  float narrow;

  /// One step of a few independent sequences, enough of them that some live in every kind of register.
  void advance() {
    for (std::uint64_t& i : integer) i = i * 6364136223846793005U + 1442695040888963407U;
    for (double& r : real) r = std::sqrt(r * r + 1.25);
    wide = wide * 1.0625L + 3;
    narrow = narrow * 0.5F + 7;
  }

  static Values starting_at(std::size_t seed) {
    Values v{};
    for (std::uint64_t& i : v.integer) i = ++seed;
    for (double& r : v.real) r = static_cast<double>(++seed);
    v.wide = static_cast<long double>(seed);
    v.narrow = static_cast<float>(seed);
    return v;
  }

  bool operator==(const Values& o) const {
    for (int i = 0; i < 6; ++i) {
      if (integer[i] != o.integer[i] || real[i] != o.real[i]) return false;
    }
    return wide == o.wide && narrow == o.narrow;
  }
};

std::vector<Values> kept;

[[noreturn]] void advance_between_turns() {
  warpfiber::detail::announce_entry();
  const std::size_t self = circle->running;
  Values mine = Values::starting_at(self);
  for (;;) {
    mine.advance();
    kept[self] = mine;
    circle->pass_on();
  }
}

std::vector<std::string> caught;

[[noreturn]] void throw_after_each_turn() {
  warpfiber::detail::announce_entry();
  const std::size_t self = circle->running;
  for (;;) {
    try {
      circle->pass_on();
      throw std::runtime_error(std::to_string(self));
    } catch (const std::runtime_error& error) {
      caught.push_back(error.what());
    }
  }
}

int starts;

[[noreturn]] void count_starts() {
  warpfiber::detail::announce_entry();
  ++starts;
  for (;;) circle->pass_on();
}

std::size_t depth_reached;

/// Uses about `bytes` of stack, every page of it.
__attribute__((noinline)) std::size_t descend(std::size_t bytes) {
  volatile char frame[512];
  frame[0] = static_cast<char>(bytes);
  if (bytes < 1024) return 1;
  return descend(bytes - 640) + (frame[0] == static_cast<char>(bytes));
}

[[noreturn]] void use_most_of_the_stack() {
  warpfiber::detail::announce_entry();
  for (;;) {
    depth_reached = descend(circle->stage.stacks.stack_size() / 2);
    circle->pass_on();
  }
}

}  // namespace

TEST_CASE("fibers run in the order in which they are switched to, and go on where they left") {
  const std::size_t count = GENERATE(std::size_t{1}, 2, 3, 32, 64, 65, 257);
  const std::size_t rounds = GENERATE(std::size_t{1}, 2, 10);
  CAPTURE(count, rounds);
  Circle fibers(count, note_every_turn);
  circle = &fibers;
  std::vector<std::size_t> expected;
  for (std::size_t round = 0; round < rounds; ++round) {
    fibers.round();
    for (std::size_t i = 0; i < count; ++i) expected.push_back(i);
    REQUIRE(fibers.order == expected);
  }
}

TEST_CASE("a fiber runs on its own stack, aligned as the ABI wants it") {
  const std::size_t count = GENERATE(std::size_t{1}, 2, 33);
  CAPTURE(count);
  Circle fibers(count, look_at_own_frame);
  circle = &fibers;
  fibers.round();
  const auto& last = *fibers.fibers.back()->more;
  CHECK(seen.frame > last.stack_low);
  CHECK(seen.frame < last.stack_high);
  CHECK(seen.aligned);
}

TEST_CASE("what a fiber computes does not depend on who runs in between") {
  const std::size_t count = GENERATE(std::size_t{2}, 7, 100);
  CAPTURE(count);
  Circle fibers(count, advance_between_turns);
  circle = &fibers;
  kept.assign(count, Values{});
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) fibers.round();
  for (std::size_t i = 0; i < count; ++i) {
    Values alone = Values::starting_at(i);
    for (int round = 0; round < kRounds; ++round) alone.advance();
    CHECK(kept[i] == alone);
  }
}

TEST_CASE("exceptions thrown and caught on fibers do not mix") {
  constexpr std::size_t kCount = 9;
  Circle fibers(kCount, throw_after_each_turn);
  circle = &fibers;
  caught.clear();
  std::vector<std::string> expected;
  fibers.round();
  for (int round = 0; round < 3; ++round) {
    fibers.round();
    for (std::size_t i = 0; i < kCount; ++i) expected.push_back(std::to_string(i));
  }
  CHECK(caught == expected);
}

TEST_CASE("a fiber that was left half way starts anew after recycling") {
  constexpr std::size_t kCount = 70;
  Circle first(kCount, count_starts);
  circle = &first;
  starts = 0;
  for (int generation = 1; generation <= 3; ++generation) {
    first.round();
    first.round();
    CHECK(starts == generation * static_cast<int>(kCount));
    first.stage.stacks.recycle_all(kCount);
    for (Fiber*& fiber : first.fibers) fiber = first.stage.stacks.take(count_starts);
  }
}

TEST_CASE("a fiber can use what its stack is said to have") {
  const std::size_t size = GENERATE(std::size_t{16} * 1024, 64 * 1024, 4 << 20);
  CAPTURE(size);
  Circle fibers(3, use_most_of_the_stack);
  circle = &fibers;
  fibers.stage.stacks.set_stack_size(size);
  for (Fiber*& fiber : fibers.fibers) fiber = fibers.stage.stacks.take(use_most_of_the_stack);
  depth_reached = 0;
  fibers.round();
  CHECK(depth_reached > size / 2 / 1024);
}
