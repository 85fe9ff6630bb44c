// SPDX-License-Identifier: Apache-2.0
// Global memory: alignment, poison, and which allocation an address belongs to.
#include "memory/global_heap.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include "base/random.hpp"
#include "memory/shared_arena.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace warpfiber::memory;
using warpfiber::base::Random;

namespace {

std::uint32_t word_at(const void* memory, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, static_cast<const char*>(memory) + index * sizeof word, sizeof word);
  return word;
}

/// What Linux says of the mapping that `address` lies in: its line VmFlags.
std::string flags_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx ", &begin, &end) == 2) inside = begin <= at && at < end;
    if (inside && line.rfind("VmFlags:", 0) == 0) return line + ' ';
  }
  return {};
}

/// Whether this host takes such a wish.
bool host_has_huge_pages() {
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool has = ::madvise(memory, kBytes, MADV_HUGEPAGE) == 0;
  ::munmap(memory, kBytes);
  return has;
}

}  // namespace

TEST_CASE("large allocations ask for huge pages and small ones do not") {
  const auto [bytes, asks] = GENERATE(std::pair{std::size_t{1} << 16, false}, std::pair{std::size_t{8} << 20, true});
  CAPTURE(bytes);
  GlobalHeap heap;
  void* memory = heap.allocate(bytes);
  REQUIRE(memory != nullptr);
  const std::string flags = flags_at(memory);
  CHECK(!flags.empty());
  CHECK((flags.find(" hg ") != std::string::npos) == (asks && host_has_huge_pages()));
  heap.free(memory);
}

TEST_CASE("large arrays of one size lie more than a few pages further apart than their size") {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  GlobalHeap heap;
  char* first = static_cast<char*>(heap.allocate(kBytes));
  char* second = static_cast<char*>(heap.allocate(kBytes));
  const auto apart = static_cast<std::size_t>(first < second ? second - first : first - second);
  CHECK(apart > kBytes + 4 * 4096);
  heap.free(first);
  heap.free(second);
}

TEST_CASE("a program that is not checked touches no more of a large allocation than its beginning") {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  GlobalHeap heap;
  char* memory = static_cast<char*>(heap.allocate(kBytes));
  CHECK(word_at(memory, 0) == kPoisonWord);
  std::vector<unsigned char> resident(kBytes / 4096);
  REQUIRE(::mincore(memory, kBytes, resident.data()) == 0);
  CHECK(std::count_if(resident.begin(), resident.end(), [](unsigned char is) { return (is & 1) != 0; }) <= 17);
  heap.free(memory);
}

TEST_CASE("a program that is not checked gets pages back that it has freed, and others if it is checked") {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  const bool checked = GENERATE(false, true);
  CAPTURE(checked);
  GlobalHeap heap;
  if (checked) heap.check();
  char* first = static_cast<char*>(heap.allocate(kBytes));
  std::memset(first, 1, kBytes);
  heap.free(first);
  char* second = static_cast<char*>(heap.allocate(kBytes));
  CHECK((second == first) == !checked);
  CHECK(word_at(second, 0) == kPoisonWord);
  heap.free(second);
  CHECK((heap.give_back_kept() == 1) == !checked);
}

TEST_CASE("managed memory holds zeroes, also in pages that were freed") {
  constexpr std::size_t kBytes = std::size_t{1} << 18;
  GlobalHeap heap;
  for (int i = 0; i < 2; ++i) {
    char* memory = static_cast<char*>(heap.allocate(kBytes, {.kind = ObjectKind::managed}));
    CHECK(std::all_of(memory, memory + kBytes, [](char byte) { return byte == 0; }));
    std::memset(memory, 1, kBytes);
    heap.free(memory);
  }
}

TEST_CASE("an allocation is aligned to 512 bytes and full of poison") {
  const std::size_t bytes = GENERATE(std::size_t{4}, 255, 256, 257, 100'000);
  CAPTURE(bytes);
  GlobalHeap heap;
  heap.check();
  void* memory = heap.allocate(bytes);
  REQUIRE(memory != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 512 == 0);
  std::size_t other = 0;
  for (std::size_t i = 0; i < bytes / 4; ++i) other += word_at(memory, i) != kPoisonWord;
  CHECK(other == 0);
  heap.free(memory);
}

TEST_CASE("even an allocation of nothing has an address of its own") {
  GlobalHeap heap;
  void* first = heap.allocate(0);
  void* second = heap.allocate(0);
  CHECK(first != nullptr);
  CHECK(first != second);
  heap.free(first);
  heap.free(second);
}

TEST_CASE("sizes that no host has are refused") {
  const std::size_t bytes =
      GENERATE(~std::size_t{0}, ~std::size_t{0} - 255, ~std::size_t{0} - 800, std::size_t{1} << 62);
  CAPTURE(bytes);
  GlobalHeap heap;
  CHECK(heap.allocate(bytes) == nullptr);
}

TEST_CASE("an address belongs to the allocation it lies in or close to") {
  const std::size_t bytes = GENERATE(std::size_t{1}, 256, 1000);
  CAPTURE(bytes);
  GlobalHeap heap;
  char* memory = static_cast<char*>(heap.allocate(bytes));
  for (const std::ptrdiff_t at : {std::ptrdiff_t{-256}, std::ptrdiff_t{-1}, std::ptrdiff_t{0},
                                  static_cast<std::ptrdiff_t>(bytes) - 1, static_cast<std::ptrdiff_t>(bytes) + 255}) {
    const auto found = heap.find(memory + at);
    CAPTURE(at);
    REQUIRE(found.has_value());
    CHECK(found->base == memory);
    CHECK(found->bytes == bytes);
  }
  CHECK_FALSE(heap.find(memory - 257).has_value());
  CHECK_FALSE(heap.find(memory + bytes + 256).has_value());
  CHECK_FALSE(heap.find(nullptr).has_value());
  heap.free(memory);
  CHECK_FALSE(heap.find(memory).has_value());
}

TEST_CASE("among many allocations every address finds its own") {
  GlobalHeap heap;
  Random random(3);
  std::map<char*, std::size_t> live;
  for (int step = 0; step < 400; ++step) {
    if (live.size() < 5 || random.below(3) != 0) {
      const std::size_t bytes = 1 + random.below(5000);
      live.emplace(static_cast<char*>(heap.allocate(bytes)), bytes);
    } else {
      auto victim = live.begin();
      std::advance(victim, static_cast<std::ptrdiff_t>(random.below(live.size())));
      heap.free(victim->first);
      live.erase(victim);
    }
    for (const auto& [memory, bytes] : live) {
      const auto found = heap.find(memory + random.below(bytes));
      REQUIRE(found.has_value());
      REQUIRE(found->base == memory);
    }
  }
  for (const auto& [memory, bytes] : live) heap.free(memory);
}

TEST_CASE("whoever runs past the end of an allocation faults before anything else is reached") {
  const std::size_t bytes = GENERATE(std::size_t{512}, 4096, 99'840);
  CAPTURE(bytes);
  const auto end = warpfiber::test::in_child([bytes] {
    std::signal(SIGSEGV, SIG_DFL);  // not the test framework's, which would print
    GlobalHeap heap;
    auto* memory = static_cast<volatile char*>(heap.allocate(bytes));
    memory[bytes - 1] = 1;
    memory[bytes] = 1;
    return 0;
  });
  CHECK(end.signal == SIGSEGV);
}

TEST_CASE("there may be more allocations than the host has mappings for") {
  GlobalHeap heap;
  std::vector<char*> all(40'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<char*>(heap.allocate(4));
    REQUIRE(all[i] != nullptr);
    *all[i] = static_cast<char>(i);
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    wrong += *all[i] != static_cast<char>(i) || heap.find(all[i])->base != all[i];
    heap.free(all[i]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("several threads use one heap") {
  GlobalHeap heap;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t self = 0; self < wrong.size(); ++self) {
    threads.emplace_back([&heap, &mine = wrong[self], self] {
      for (std::size_t i = 0; i < 300; ++i) {
        void* memory = heap.allocate(100 + self);
        const auto found = heap.find(memory);
        mine += !found.has_value() || found->base != memory || found->bytes != 100 + self;
        heap.free(memory);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

TEST_CASE("memory that the heap did not give cannot be given back to it") {
  const auto end = warpfiber::test::in_child([] {
    int local = 0;
    GlobalHeap().free(&local);
    return 0;
  });
  CHECK(end.signal == SIGABRT);
  CHECK_THAT(end.text, Catch::Matchers::ContainsSubstring("only memory of this heap is given back to it"));
}
