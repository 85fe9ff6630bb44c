// SPDX-License-Identifier: Apache-2.0
// The range of addresses of simulated devices: what lies in it, and who can touch it.
#include "memory/device_space.hpp"

#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory/global_heap.hpp"
#include "memory/shadow.hpp"
#include "memory/shared_arena.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace warpfiber::memory;

namespace {

const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

/// Whether touching `at` ends a process of its own.
bool faults(const volatile char* at) {
  const auto end = warpfiber::test::in_child([at] {
    std::signal(SIGSEGV, SIG_DFL);  // not the test framework's, which would print
    return static_cast<int>(*at & 0);
  });
  return end.signal == SIGSEGV;
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

}  // namespace

TEST_CASE("every memory of a device lies in the space and the host's does not") {
  const Span space = device_space();
  REQUIRE(space.bytes >= std::size_t{1} << 30);
  CHECK(reinterpret_cast<std::uintptr_t>(space.base) % (std::size_t{2} << 20) == 0);
  CHECK(in_device_space(space.base));
  CHECK(in_device_space(space.base + space.bytes - 1));
  CHECK_FALSE(in_device_space(space.base - 1));
  CHECK_FALSE(in_device_space(space.base + space.bytes));
  GlobalHeap heap;
  void* memory = heap.allocate(100);
  CHECK(in_device_space(memory));
  heap.free(memory);
  SharedArena arena;
  REQUIRE(arena.reserve(100));
  CHECK(in_device_space(arena.base()));
  const std::vector<char> host(100);
  CHECK_FALSE(in_device_space(host.data()));
  CHECK_FALSE(in_device_space(&host));
  CHECK_FALSE(in_device_space(nullptr));
}

TEST_CASE("what is taken is zeros, in whole pages, aligned, before a page that nobody can touch") {
  const std::size_t bytes = GENERATE(std::size_t{0}, 1, 4096, 4097, 1 << 20);
  const std::size_t alignment = GENERATE(std::size_t{1}, 512, 4096, 1 << 16);
  CAPTURE(bytes, alignment);
  char* taken = take(bytes, alignment);
  REQUIRE(taken != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(taken) % alignment == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(taken) % kPage == 0);
  const std::size_t usable = bytes == 0 ? kPage : whole_pages(bytes);
  CHECK(std::vector<char>(taken, taken + usable) == std::vector<char>(usable));
  std::memset(taken, 1, usable);
  CHECK(faults(taken + usable));
  give_back(taken, bytes);
  CHECK(faults(taken));
}

TEST_CASE("what was given back faults for long, and is zeros to its next owner") {
  std::set<char*> seen;
  for (int i = 0; i < 1000; ++i) {
    char* taken = take(kPage);
    REQUIRE(taken != nullptr);
    CHECK(seen.insert(taken).second);
    *taken = 1;
    give_back(taken, kPage);
  }
  CHECK(faults(*seen.begin()));
  for (int i = 0; i < 10'000; ++i) {
    char* taken = take(kPage);
    REQUIRE(taken != nullptr);
    REQUIRE(*taken == 0);
    *taken = 1;
    give_back(taken, kPage);
  }
}

TEST_CASE("taking and giving back leaves the host no more mappings") {
  const auto use = [](int times) {
    for (int i = 0; i < times; ++i) {
      char* first = take(3 * kPage);
      char* second = take(kPage);
      *first = *second = 1;
      give_back(i % 2 == 0 ? first : second, i % 2 == 0 ? 3 * kPage : kPage);
      give_back(i % 2 == 0 ? second : first, i % 2 == 0 ? kPage : 3 * kPage);
    }
  };
  use(100);
  const std::size_t before = mappings();
  use(5000);
  CHECK(mappings() < before + 50);
}

TEST_CASE("more than the space has is refused") {
  CHECK(take(device_space().bytes) == nullptr);
  CHECK(take(~std::size_t{0}) == nullptr);
  CHECK(take(~std::size_t{0} - kPage) == nullptr);
}

TEST_CASE("the space is as large as the host grants") {
  const auto end = warpfiber::test::in_child([] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = pages * kPage + (std::size_t{3} << 30);
    ::setrlimit(RLIMIT_AS, &limit);
    const Span granted = reserve_space(std::size_t{64} << 30);
    const Span less = reserve_space(std::size_t{16} << 20);
    return granted.bytes == std::size_t{2} << 30 && less.bytes == std::size_t{16} << 20 ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("where the system has few addresses the space leaves those that its shadow takes", "[address-space]") {
  const auto end = warpfiber::test::in_child([] {
    constexpr std::size_t kWanted = std::size_t{1} << 40;
    for (std::size_t bytes = std::size_t{1} << 47; bytes >= kWanted; bytes /= 2) {
      while (::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
      }
    }
    const Span granted = reserve_space(kWanted);
    if (granted.bytes == 0 || granted.bytes >= kWanted) return 1;
    return (new Shadow)->reserve(granted, {}) ? 0 : 2;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("several threads take and give back") {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t self = 0; self < wrong.size(); ++self) {
    threads.emplace_back([&mine = wrong[self], self] {
      for (std::size_t i = 0; i < 500; ++i) {
        const std::size_t bytes = kPage * (1 + (i + self) % 3);
        char* taken = take(bytes);
        std::memset(taken, static_cast<int>(self + 1), bytes);
        for (std::size_t at = 0; at < bytes; at += 512) mine += taken[at] != static_cast<char>(self + 1);
        give_back(taken, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}
