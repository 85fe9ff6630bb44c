// SPDX-License-Identifier: Apache-2.0
// The heap of kernels: limits, alignment, what cannot be freed, and what is left at the end.
#include "memory/kernel_heap.hpp"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "memory/device_space.hpp"
#include "support/catch.hpp"

using namespace warpfiber::memory;

namespace {

// Devices that no other test has.
constexpr int kDevice = 40;
constexpr int kOther = 41;

const void* code(int number) {
  return reinterpret_cast<const void*>(std::uintptr_t{0x1000} + static_cast<unsigned>(number));
}

struct Heap {
  ~Heap() {
    forget_heap(kDevice);
    forget_heap(kOther);
  }
};

}  // namespace

TEST_CASE("memory of the heap is aligned, an object, and apart from its neighbours") {
  const Heap heap;
  const std::size_t alignment = GENERATE(std::size_t{1}, 16, 64, 4096);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{100'000}}) {
    CAPTURE(bytes, alignment);
    char* memory = static_cast<char*>(take_from_heap(kDevice, bytes, alignment, code(1)));
    REQUIRE(memory != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % std::max<std::size_t>(alignment, 16) == 0);
    CHECK(in_device_space(memory));
    std::memset(memory, 1, bytes);
    const auto object = object_at(memory);
    REQUIRE(object.has_value());
    CHECK(object->base == memory);
    CHECK(object->bytes == bytes);
    CHECK(object->kind == ObjectKind::heap);
    CHECK(object->device == kDevice);
    CHECK(object->made_by == code(1));
    CHECK_FALSE(object->initialised);
    CHECK_FALSE(object_at(memory - 1).has_value());
    CHECK_FALSE(object_at(memory + bytes + 15).has_value());
  }
}

TEST_CASE("beyond the limit there is nothing, until something is freed") {
  const Heap heap;
  CHECK(take_from_heap(kDevice, kFirstHeapLimit + 1, 1, nullptr) == nullptr);
  limit_heap(kDevice, 1000);
  void* most = take_from_heap(kDevice, 992, 1, nullptr);
  REQUIRE(most != nullptr);
  CHECK(take_from_heap(kDevice, 16, 1, nullptr) == nullptr);
  CHECK(take_from_heap(kDevice, ~std::size_t{0}, 1, nullptr) == nullptr);
  CHECK(take_from_heap(kOther, 16, 1, nullptr) != nullptr);
  CHECK(give_back_to_heap(most, nullptr) == Freeing::done);
  CHECK(take_from_heap(kDevice, 16, 1, nullptr) != nullptr);
}

TEST_CASE("what is no memory of the heap, or none any more, is not freed") {
  const Heap heap;
  const std::size_t bytes = GENERATE(std::size_t{64}, 200'000);
  char* memory = static_cast<char*>(take_from_heap(kDevice, bytes, 1, code(1)));
  CHECK(give_back_to_heap(memory + 8, code(2)) == Freeing::inside);
  int local = 0;
  CHECK(give_back_to_heap(&local, code(2)) == Freeing::unknown);
  CHECK(give_back_to_heap(memory, code(3)) == Freeing::done);
  CHECK(give_back_to_heap(memory, code(4)) == Freeing::twice);
  CHECK(object_at(memory)->freed_by == code(3));
}

TEST_CASE("what still lives on a device is its leaks, until the device is reset") {
  const Heap heap;
  void* first = take_from_heap(kDevice, 16, 1, code(1));
  take_from_heap(kDevice, 32, 1, code(2));
  take_from_heap(kOther, 48, 1, code(3));
  give_back_to_heap(first, nullptr);
  const std::vector<Object> leaks = live_objects(ObjectKind::heap, kDevice);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].bytes == 32);
  CHECK(leaks[0].made_by == code(2));
  limit_heap(kDevice, 64);
  forget_heap(kDevice);
  CHECK(live_objects(ObjectKind::heap, kDevice).empty());
  CHECK(live_objects(ObjectKind::heap, kOther).size() == 1);
  CHECK(take_from_heap(kDevice, 65, 1, nullptr) != nullptr);
}

TEST_CASE("several threads use the heap") {
  const Heap heap;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t self = 0; self < wrong.size(); ++self) {
    threads.emplace_back([&mine = wrong[self], self] {
      for (std::size_t i = 0; i < 500; ++i) {
        const std::size_t bytes = 1 + (i * 37 + self) % 300;
        char* memory = static_cast<char*>(take_from_heap(kDevice, bytes, 1, nullptr));
        std::memset(memory, static_cast<int>(self), bytes);
        for (std::size_t at = 0; at < bytes; ++at) mine += memory[at] != static_cast<char>(self);
        mine += give_back_to_heap(memory, nullptr) != Freeing::done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
  CHECK(live_objects(ObjectKind::heap, kDevice).empty());
}
