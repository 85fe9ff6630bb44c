// SPDX-License-Identifier: Apache-2.0
// Which object an address belongs to, from an allocation or a declaration until its addresses are another's.
#include "memory/objects.hpp"

#include <cstdint>
#include <thread>
#include <vector>

#include <warpfiber/detail/shared_variable.hpp>

#include "memory/device_space.hpp"
#include "memory/global_heap.hpp"
#include "support/catch.hpp"

using namespace warpfiber::memory;

namespace {

/// Addresses that nothing else has, and that are never touched.
struct Room {
  char* base = take(1 << 16);
  Room() = default;
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() {
    forget_objects(base, 1 << 16);
    give_back(base, 1 << 16);
  }
};

const void* code(int number) {
  return reinterpret_cast<const void*>(std::uintptr_t{0x1000} + static_cast<unsigned>(number));
}

template <class T>
std::string type_of() {
  return type_in(warpfiber::detail::type_text<T>().text);
}

struct Pair {
  int a, b;
};

}  // namespace

TEST_CASE("an object is found by any of its addresses, with all that is known of it") {
  const Room room;
  Birth birth{.kind = ObjectKind::managed, .device = 2, .initialised = true, .made_by = code(1)};
  birth.declared =
      std::make_shared<const Declared>(Declared{.name = "sums", .type = "float [25]", .file = "a.cu", .line = 7});
  add_object(room.base + 64, 100, birth);
  for (const int at : {64, 65, 163}) {
    const auto found = object_at(room.base + at);
    REQUIRE(found.has_value());
    CHECK(found->base == room.base + 64);
    CHECK(found->bytes == 100);
    CHECK(found->kind == ObjectKind::managed);
    CHECK(found->device == 2);
    CHECK(found->initialised);
    CHECK_FALSE(found->freed);
    CHECK(found->made_by == code(1));
    CHECK(found->freed_by == nullptr);
    CHECK(found->name == "sums");
    CHECK(found->type == "float [25]");
    CHECK(found->file == "a.cu");
    CHECK(found->line == 7);
  }
  CHECK_FALSE(object_at(room.base + 63).has_value());
  CHECK_FALSE(object_at(room.base + 164).has_value());
}

TEST_CASE("a freed object stays known until its addresses are another's") {
  const Room room;
  add_object(room.base, 100, {.made_by = code(1)});
  CHECK(free_object(room.base, code(2)) == Freeing::done);
  const auto freed = object_at(room.base + 50);
  REQUIRE(freed.has_value());
  CHECK(freed->freed);
  CHECK(freed->made_by == code(1));
  CHECK(freed->freed_by == code(2));
  add_object(room.base + 96, 16, {.made_by = code(3)});
  CHECK_FALSE(object_at(room.base + 50).has_value());
  CHECK(object_at(room.base + 100)->made_by == code(3));
}

TEST_CASE("what cannot be freed is told from what can, and stays as it was") {
  const Room room;
  add_object(room.base, 100, {});
  CHECK(free_object(room.base + 1, code(1)) == Freeing::inside);
  CHECK(free_object(room.base + 100, code(1)) == Freeing::unknown);
  CHECK(free_object(room.base, code(1), ObjectKind::heap) == Freeing::unknown);
  CHECK_FALSE(object_at(room.base)->freed);
  CHECK(free_object(room.base, code(1), ObjectKind::global) == Freeing::done);
  CHECK(free_object(room.base, code(2)) == Freeing::twice);
  CHECK(free_object(room.base + 1, code(2)) == Freeing::twice);
  CHECK(object_at(room.base)->freed_by == code(1));
}

TEST_CASE("an address between objects is nearest to one, rather a live one than a freed one") {
  const Room room;
  add_object(room.base + 128, 64, {.made_by = code(1)});
  add_object(room.base + 256, 64, {.made_by = code(2)});
  const auto owner = [&room](int at) { return nearest_object(room.base + at)->made_by; };
  CHECK(owner(128) == code(1));
  CHECK(owner(192) == code(1));
  CHECK(owner(223) == code(1));
  CHECK(owner(224) == code(2));
  CHECK(owner(255) == code(2));
  CHECK(owner(127) == code(1));
  CHECK(owner(1000) == code(2));
  // The byte in the middle is as far from the end of the first as from the start of the second.
  add_object(room.base + 257, 63, {.made_by = code(2)});
  CHECK(owner(224) == code(1));
  CHECK(free_object(room.base + 128, nullptr) == Freeing::done);
  CHECK(owner(224) == code(2));
  CHECK(owner(200) == code(1));
}

TEST_CASE("the neighbours of an address are its object, or end where objects begin") {
  const Room room;
  char* one = room.base + 64;
  char* other = room.base + 1024;
  add_object(one, 100, {});
  add_object(other, 16, {.kind = ObjectKind::managed});

  const AddressRange inside = range_around(one + 99);
  CHECK(inside.begin == one);
  CHECK(inside.end == one + 100);
  CHECK(inside.kind == ObjectKind::global);
  CHECK(inside.contains(one + 96, 4));
  CHECK_FALSE(inside.contains(one + 96, 5));
  CHECK_FALSE(inside.contains(one - 1, 1));

  const AddressRange between = range_around(one + 100);
  CHECK_FALSE(between.kind.has_value());
  CHECK(between.begin == one + 100);
  CHECK(between.end == other);
  CHECK(range_around(room.base).end == one);
  CHECK(range_around(other + 16).begin == other + 16);

  free_object(other, code(1));
  CHECK(range_around(other).freed);
}

TEST_CASE("outside of the device space only what is close is near") {
  static int variable = 0;
  add_object(&variable, sizeof variable, {.kind = ObjectKind::variable});
  CHECK(nearest_object(&variable + 1)->base == reinterpret_cast<const char*>(&variable));
  const int local = 0;
  CHECK_FALSE(nearest_object(&local).has_value());
  CHECK_FALSE(nearest_object(nullptr).has_value());
  remove_object(&variable);
  CHECK_FALSE(object_at(&variable).has_value());
}

TEST_CASE("an object of nothing is found at its address") {
  const Room room;
  add_object(room.base, 0, {.made_by = code(1)});
  CHECK(object_at(room.base)->bytes == 0);
  CHECK_FALSE(object_at(room.base + 1).has_value());
}

TEST_CASE("the generation changes with everything that comes to be or is freed") {
  const Room room;
  std::uint64_t before = objects_generation();
  const auto changed = [&before] {
    const std::uint64_t now = objects_generation();
    return std::exchange(before, now) != now;
  };
  add_object(room.base, 8, {});
  CHECK(changed());
  CHECK(object_at(room.base).has_value());
  CHECK_FALSE(changed());
  free_object(room.base, nullptr);
  CHECK(changed());
  free_object(room.base, nullptr);
  CHECK_FALSE(changed());
  add_object(room.base, 8, {});
  CHECK(changed());
  remove_object(room.base);
  CHECK(changed());
}

TEST_CASE("what lives on a device is listed by kind") {
  const Room room;
  constexpr int kDevice = 77;
  for (int i = 0; i < 4; ++i) {
    const ObjectKind kind = i == 2 ? ObjectKind::global : ObjectKind::heap;
    add_object(room.base + 64 * i, 8, {.kind = kind, .device = kDevice, .made_by = code(i)});
  }
  free_object(room.base, nullptr);
  const std::vector<Object> live = live_objects(ObjectKind::heap, kDevice);
  REQUIRE(live.size() == 2);
  CHECK(live[0].made_by == code(1));
  CHECK(live[1].made_by == code(3));
  CHECK(live_objects(ObjectKind::heap, kDevice + 1).empty());
}

TEST_CASE("freed objects are forgotten one day, live ones never") {
  GlobalHeap heap;
  void* kept = heap.allocate(100);
  void* first = heap.allocate(100);
  heap.free(first, code(1));
  CHECK(object_at(first)->freed_by == code(1));
  for (int i = 0; i < 10'000; ++i) heap.free(heap.allocate(100));
  const auto later = object_at(first);
  CHECK((!later.has_value() || later->freed_by == nullptr));
  CHECK(object_at(kept).has_value());
  heap.free(kept);
}

TEST_CASE("memory of the heap is an object that ends where it was asked to") {
  GlobalHeap heap;
  char* memory = static_cast<char*>(heap.allocate(700, {.device = 1, .made_by = code(4)}));
  CHECK(object_at(memory + 699)->made_by == code(4));
  CHECK_FALSE(object_at(memory + 700).has_value());
  CHECK_FALSE(object_at(memory - 1).has_value());
  CHECK(nearest_object(memory + 700)->base == memory);
  CHECK(nearest_object(memory - 1)->base == memory);
  heap.free(memory, code(5));
  CHECK(object_at(memory)->freed_by == code(5));
}

TEST_CASE("the type of an object reads as g++ writes it") {
  CHECK(type_of<int>() == "int");
  CHECK(type_of<float[3]>() == "float [3]");
  CHECK_THAT(type_of<Pair>(), Catch::Matchers::EndsWith("Pair"));
  CHECK(type_in(nullptr).empty());
  CHECK(type_in("no type").empty());
}

TEST_CASE("a type of a kernel is called as the kernel calls it") {
  const auto named = [](const std::string& type) { return type_in(("f() [T = " + type + "]").c_str()); };
  CHECK(named("k<int>(int*)::<lambda(int*)>::Item [64]") == "Item [64]");
  CHECK(named("k(int*)::<lambda(int*)>::pair_shared_body [64]") == "unnamed type [64]");
  CHECK(named("u_shared_body") == "unnamed type");
  for (const char* type :
       {"int [4]", "int [4][2]", "char* const", "int* [3]", "int (*)[4]", "float", "pair<int*, char>"}) {
    CHECK(named(type) == type);
  }
  CHECK(named("int[4]") == "int [4]");
  CHECK(named("int[4][2]") == "int [4][2]");
  CHECK(named("char *const") == "char* const");
  CHECK(named("int *[3]") == "int* [3]");
  CHECK(named("int *") == "int*");
  CHECK(named("long unsigned int [4]") == "unsigned long [4]");
  CHECK(named("Pair<short unsigned int, long long int>") == "Pair<unsigned short, long long>");
  CHECK(named("volatile long int*") == "volatile long*");
  CHECK(named("along int_t") == "along int_t");
  CHECK(named("pair<int *, char>") == "pair<int*, char>");
  CHECK(named("Box<k(int*)::<lambda(int*)>::Item>") == "Box<k(int*)::<lambda(int*)>::Item>");
}

TEST_CASE("several threads make and free objects") {
  const Room room;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t self = 0; self < wrong.size(); ++self) {
    threads.emplace_back([&room, &mine = wrong[self], self] {
      char* base = room.base + 4096 * self;
      for (int i = 0; i < 1000; ++i) {
        add_object(base, 100, {.made_by = code(i)});
        const auto found = object_at(base + 99);
        mine += !found.has_value() || found->freed || found->made_by != code(i);
        mine += free_object(base, nullptr) != Freeing::done || !object_at(base)->freed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}
