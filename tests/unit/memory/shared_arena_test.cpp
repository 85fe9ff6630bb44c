// SPDX-License-Identifier: Apache-2.0
// The shared memory of one block, and the places of static variables in it.
#include "memory/shared_arena.hpp"

#include <warpfiber/detail/shared_variable.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber::memory;
using warpfiber::detail::register_shared;
using warpfiber::detail::SharedVariable;

TEST_CASE("variables get places of their own, aligned, with numbers that go up") {
  std::size_t end = shared_layout().bytes;
  unsigned index = shared_layout().variables;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{12}}) {
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{16}, std::size_t{256}}) {
      const SharedVariable variable = register_shared(bytes, alignment, "a variable", nullptr);
      CHECK(variable.index == index++);
      CHECK(variable.offset >= end);
      CHECK(variable.offset % 128 == 0);
      CHECK(variable.offset % alignment == 0);
      CHECK(variable.bytes == bytes);
      end = variable.offset + bytes;
    }
  }
  CHECK(shared_layout().bytes == end);
  CHECK(shared_layout().variables == index);
}

TEST_CASE("an arena has room for every variable and the dynamic part behind them") {
  const std::size_t dynamic = GENERATE(std::size_t{0}, 1, 1000, 227 * 1024);
  CAPTURE(dynamic);
  const SharedVariable last = register_shared(5000, 16, "the last variable", nullptr);
  SharedArena arena;
  REQUIRE(arena.reserve(dynamic));
  CHECK(arena.dynamic() >= arena.base() + last.offset + last.bytes);
  CHECK(reinterpret_cast<std::uintptr_t>(arena.base()) % 128 == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(arena.dynamic()) % 128 == 0);
  std::memset(arena.base(), 1, last.offset + last.bytes);
  std::memset(arena.dynamic(), 2, dynamic);
  CHECK(arena.contains(arena.base()));
  CHECK(arena.contains(arena.base() + last.offset));
  CHECK(arena.contains(arena.dynamic() + dynamic) == false);
  CHECK((dynamic == 0 || arena.contains(arena.dynamic() + dynamic - 1)));
  CHECK_FALSE(arena.contains(arena.base() - 1));
  CHECK_FALSE(arena.contains(nullptr));
}

TEST_CASE("nobody has touched anything in a new arena") {
  SharedArena arena;
  REQUIRE(arena.reserve(100));
  for (unsigned i = 0; i < shared_layout().variables; ++i) CHECK(arena.touched()[i] == 0);
}

TEST_CASE("an arena grows when a launch asks for more and keeps its place when it asks for less") {
  SharedArena arena;
  REQUIRE(arena.reserve(1000));
  const char* first = arena.base();
  REQUIRE(arena.reserve(10));
  CHECK(arena.base() == first);
  CHECK_FALSE(arena.contains(arena.dynamic() + 10));
  REQUIRE(arena.reserve(1 << 20));
  std::memset(arena.dynamic(), 3, 1 << 20);
}

TEST_CASE("an arena that the system has no memory for is refused") {
  SharedArena arena;
  CHECK_FALSE(arena.reserve(std::numeric_limits<std::size_t>::max() / 2));
}

TEST_CASE("poison fills every byte, whole words first") {
  const std::size_t bytes = GENERATE(range(std::size_t{0}, std::size_t{20}));
  std::vector<unsigned char> memory(24, 0x11);
  poison(memory.data(), bytes);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const unsigned expected = i < bytes ? kPoisonWord >> 8 * (i % 4) & 0xff : 0x11;
    CHECK(memory[i] == expected);
  }
}

TEST_CASE("static variables are counted by the function their tags are local to") {
  register_shared(40, 8, "of one function", "PZZ4loadvE5a_tag");
  register_shared(100, 4, "of one function", "PZZ4loadvE5b_tag");
  register_shared(7, 1, "of another", "PZZ5storevE5a_tag");
  CHECK(warpfiber::memory::shared_bytes_tagged("PZZ4loadvE") == 140);
  CHECK(warpfiber::memory::shared_bytes_tagged("PZZ5storevE") == 7);
  CHECK(warpfiber::memory::shared_bytes_tagged("PZZ3sumvE") == 0);
}
