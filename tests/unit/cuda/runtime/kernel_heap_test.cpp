// SPDX-License-Identifier: Apache-2.0
// malloc, free, new and delete of kernels, as translated source calls them, and what ends a launch.
#include <warpfiber/translated/kernels.hpp>

#include <vector>

#include "memory/kernel_heap.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using warpfiber::cuda::on_heap;

namespace heap = warpfiber::cuda::device_functions;

namespace {

// As src/compiler/translate writes them.
#define HEAP_DELETE                                       \
  ::warpfiber::cuda::HeapDelete{[](auto* p, auto whole) { \
    if constexpr (whole.value) {                          \
      delete p;                                           \
    } else {                                              \
      using Type = std::remove_pointer_t<decltype(p)>;    \
      p->~Type();                                         \
    }                                                     \
  }}->*
#define HEAP_DELETE_ARRAY                                      \
  ::warpfiber::cuda::HeapDeleteArray{[](auto* p, auto whole) { \
    if constexpr (whole.value) {                               \
      delete[] p;                                              \
    } else {                                                   \
      using Type = std::remove_pointer_t<decltype(p)>;         \
      p->~Type();                                              \
    }                                                          \
  }}->*

int destroyed = 0;

struct Base {
  int number = 1;
  virtual ~Base() { ++destroyed; }
};
struct Other {
  int padding[5];
};
struct Derived : Other, Base {
  ~Derived() override { destroyed += 10; }
};

std::size_t leaks() {
  return memory::live_objects(memory::ObjectKind::heap, 0).size();
}

/// Launches one thread that does `work`.
template <class Work>
LaunchResult with_one_thread(Work work) {
  LaunchResult result = launch({.block = 1}, work);
  last_error();
  return result;
}

void check_refused(const LaunchResult& result, const char* said) {
  CHECK(std::string(result.finding()) == "invalid-free");
  CHECK(result.error() == Error::launch_failure);
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("kernel_heap_test.cpp"));
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring(said));
}

}  // namespace

TEST_CASE("objects of every kind are made and destroyed on the heap, by a thread or by the host") {
  const bool by_thread = GENERATE(false, true);
  const auto work = [] {
    Base* object = ::new (on_heap) Derived;
    Derived* several = ::new (on_heap) Derived[3];
    int* plain = ::new (on_heap) int[7];
    void* raw = heap::malloc(100);
    HEAP_DELETE object;
    HEAP_DELETE_ARRAY several;
    HEAP_DELETE_ARRAY plain;
    heap::free(raw);
    heap::free(nullptr);
    HEAP_DELETE static_cast<Base*>(nullptr);
  };
  destroyed = 0;
  const std::size_t before = leaks();
  if (by_thread) {
    CHECK(with_one_thread(work).error() == Error::success);
  } else {
    work();
  }
  CHECK(destroyed == 4 * 11);
  CHECK(leaks() == before);
}

TEST_CASE("memory of the heap outlives its launch, and beyond the limit there is none") {
  void* kept = nullptr;
  void* too_much = &kept;
  CHECK(with_one_thread([&] {
          kept = heap::malloc(1000);
          too_much = heap::malloc(std::size_t{1} << 40);
        }).error() == Error::success);
  REQUIRE(kept != nullptr);
  CHECK(too_much == nullptr);
  CHECK(memory::object_at(kept)->bytes == 1000);
  CHECK(with_one_thread([&] { heap::free(kept); }).error() == Error::success);
  CHECK(memory::object_at(kept)->freed);
}

TEST_CASE("a second free ends the launch, with the lines of both frees and of the allocation") {
  void* memory = nullptr;
  const LaunchResult result = with_one_thread([&memory] {
    memory = heap::malloc(64);
    heap::free(memory);
    heap::free(memory);
  });
  check_refused(result, "already freed");
#ifndef __SANITIZE_ADDRESS__  // which is built without debug information, so that lines are not known
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("allocated kernel_heap_test.cpp:"));
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("freed kernel_heap_test.cpp:"));
#endif
}

TEST_CASE("an object that was deleted is not destroyed again") {
  destroyed = 0;
  check_refused(with_one_thread([] {
                  Base* object = ::new (on_heap) Derived;
                  HEAP_DELETE object;
                  HEAP_DELETE object;
                }),
                "already freed");
  CHECK(destroyed == 11);
}

TEST_CASE("a pointer into an allocation, and one that is not the heap's, cannot be freed") {
  char* memory = nullptr;
  check_refused(with_one_thread([&memory] {
                  memory = static_cast<char*>(heap::malloc(64));
                  heap::free(memory + 16);
                }),
                "inside an allocation");
  CHECK(with_one_thread([memory] { heap::free(memory); }).error() == Error::success);
  Buffer<int> global(16);
  check_refused(with_one_thread([data = global.data()] { heap::free(data); }), "not from the device's heap");
  check_refused(with_one_thread([] {
                  int local = 0;
                  void* hidden = &local;
                  asm("" : "+r"(hidden));  // or the compiler refuses what is tried here
                  heap::free(hidden);
                }),
                "not from the device's heap");
}
