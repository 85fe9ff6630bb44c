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

TEST_CASE("an address of a block's shared memory identifies its variable") {
  using warpfiber::detail::type_text;
  const SharedVariable first =
      register_shared(40, 8, "of a test", nullptr, {"first", type_text<double[5]>(), "a.cu", 12});
  const SharedVariable native = register_shared(8, 8, "f() [with T = double; Tag = g()::total_shared_tag]", nullptr,
                                                {nullptr, type_text<double>(), nullptr, 0});
  SharedArena arena;
  REQUIRE(arena.reserve(100));
  const auto found = arena.object_at(arena.base() + first.offset + 39);
  REQUIRE(found.has_value());
  CHECK(found->base == arena.base() + first.offset);
  CHECK(found->bytes == 40);
  CHECK(found->kind == ObjectKind::shared);
  CHECK(found->name == "first");
  CHECK_THAT(found->type, Catch::Matchers::EndsWith("[5]"));
  CHECK(found->file == "a.cu");
  CHECK(found->line == 12);
  CHECK_FALSE(found->initialised);
  CHECK(arena.object_at(arena.base() + native.offset)->name == "total");
  CHECK(arena.object_at(arena.base() + native.offset)->line == 0);
  const auto dynamic = arena.object_at(arena.dynamic() + 99);
  REQUIRE(dynamic.has_value());
  CHECK(dynamic->kind == ObjectKind::dynamic_shared);
  CHECK(dynamic->base == arena.dynamic());
  CHECK(dynamic->bytes == 100);
}

TEST_CASE("between two variables, and before and behind all, lies what belongs to none and is near to one") {
  const SharedVariable first = register_shared(128, 16, "first", nullptr, {"first", nullptr, nullptr, 0});
  const SharedVariable second = register_shared(256, 16, "second", nullptr, {"second", nullptr, nullptr, 0});
  SharedArena arena;
  const std::size_t dynamic = GENERATE(std::size_t{0}, 1, 4096 - 16);
  REQUIRE(arena.reserve(dynamic));
  CHECK(second.offset >= first.offset + first.bytes + 16);
  CHECK(arena.dynamic() >= arena.base() + second.offset + second.bytes + 16);
  for (const std::size_t at : {first.offset + 128, first.offset + 128 + 15}) {
    CHECK_FALSE(arena.object_at(arena.base() + at).has_value());
    CHECK(arena.nearest_object(arena.base() + at)->name == "first");
    CHECK(arena.contains(arena.base() + at));
  }
  CHECK(arena.nearest_object(arena.base() + second.offset - 1)->name == "second");
  CHECK(arena.nearest_object(arena.base() + second.offset + 256)->name == "second");
  CHECK_FALSE(arena.object_at(arena.dynamic() - 1).has_value());
  CHECK_FALSE(arena.object_at(arena.base()).has_value());
  CHECK(arena.nearest_object(arena.base()).has_value());
  CHECK_FALSE(arena.object_at(arena.dynamic() + dynamic).has_value());
  CHECK(arena.owns(arena.dynamic() + dynamic + 15));
  CHECK(arena.nearest_object(arena.dynamic() + dynamic)->kind == ObjectKind::dynamic_shared);
  CHECK(arena.nearest_object(arena.dynamic() + dynamic)->bytes == dynamic);
  const bool is_dynamic = arena.nearest_object(arena.dynamic() + dynamic + 1)->kind == ObjectKind::dynamic_shared;
  CHECK(is_dynamic == (dynamic != 0));
}

TEST_CASE("among the blocks' memories an address finds its own") {
  const SharedVariable variable = register_shared(16, 16, "one of each", nullptr, {"each", nullptr, nullptr, 0});
  SharedArena one;
  SharedArena other;
  REQUIRE(one.reserve(64));
  REQUIRE(other.reserve(128));
  for (const SharedArena* arena : {&one, &other}) {
    const char* place = arena->base() + variable.offset;
    CHECK(object_at(place)->base == place);
    CHECK(object_at(place)->name == "each");
    CHECK(nearest_object(place + 16)->base == place);
    CHECK(object_at(arena->dynamic())->bytes == (arena == &one ? 64 : 128));
  }
  const char* gone = nullptr;
  {
    SharedArena third;
    REQUIRE(third.reserve(64));
    gone = third.dynamic();
    CHECK(object_at(gone).has_value());
  }
  CHECK_FALSE(object_at(gone).has_value());
}

TEST_CASE("memory that rests is known, and that its block has ended") {
  const SharedVariable variable = register_shared(16, 16, "of the last block", nullptr, {"kept", nullptr, nullptr, 0});
  SharedArena arena;
  SharedArena rested;
  REQUIRE(arena.reserve(64));
  const char* first = arena.base() + variable.offset;
  arena.exchange_for_rested(rested);
  REQUIRE(arena.reserve(32));
  const char* second = arena.base() + variable.offset;
  CHECK(second != first);
  CHECK(is_rested_shared(first));
  CHECK_FALSE(is_rested_shared(second));
  CHECK(object_at(first)->name == "kept");
  CHECK(nearest_object(rested.dynamic())->bytes == 64);
  arena.exchange_for_rested(rested);
  REQUIRE(arena.reserve(64));
  CHECK(arena.base() + variable.offset == first);
  CHECK_FALSE(is_rested_shared(first));
  CHECK(is_rested_shared(second));
}
