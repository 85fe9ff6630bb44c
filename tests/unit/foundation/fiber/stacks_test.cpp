// SPDX-License-Identifier: Apache-2.0
// Slabs of stacks: sizes, guards, colours, reuse, and what memory they cost.
#include "fiber/stacks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "unit/foundation/fiber/stage.hpp"

using namespace warpfiber::fiber;
using warpfiber::detail::Fiber;
using warpfiber::test::Stage;

namespace {

constexpr std::size_t kPage = 4096;

void never_entered() {}

std::vector<Fiber*> take(StackSlabs& stacks, std::size_t count) {
  std::vector<Fiber*> fibers;
  for (std::size_t i = 0; i < count; ++i) fibers.push_back(stacks.take(never_entered));
  return fibers;
}

std::size_t room(const Fiber* fiber) {
  return static_cast<std::size_t>(fiber->more->stack_high - fiber->more->stack_low);
}

/// Where the mapping begins that holds an address.
std::uintptr_t mapping_of(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::size_t end_of_begin = 0;
    const std::uintptr_t begin = std::stoull(line, &end_of_begin, 16);
    const std::uintptr_t end = std::stoull(line.substr(end_of_begin + 1), nullptr, 16);
    if (begin <= place && place < end) return begin;
  }
  return 0;
}

char* page_of(char* address) {
  return address - reinterpret_cast<std::uintptr_t>(address) % kPage;
}

bool is_mapped(char* address) {
  unsigned char state = 0;
  return ::mincore(page_of(address), kPage, &state) == 0 || errno != ENOMEM;
}

bool is_resident(char* page) {
  unsigned char state = 0;
  return ::mincore(page, kPage, &state) == 0 && (state & 1) != 0;
}

}  // namespace

TEST_CASE("nothing is in a mapping with stacks whose guards a debugger cannot read") {
  StackSlabs stacks;
  stacks.set_stack_size(4 * kPage);
  const char* stack = take(stacks, 1).front()->more->stack_low;
  const std::uintptr_t begin = mapping_of(stack);
  // In front of it, memory of the kind that an arena of malloc is, unless something is there already.
  void* neighbour = reinterpret_cast<void*>(begin - kPage);
  const void* made = ::mmap(neighbour, kPage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(mapping_of(neighbour) != 0);
  CHECK(mapping_of(stack) == begin);
  CHECK(mapping_of(neighbour) != begin);
  if (made == neighbour) ::munmap(neighbour, kPage);
}

TEST_CASE("a stack has the size asked for, rounded up to whole pages") {
  const std::size_t asked = GENERATE(std::size_t{1}, 4096, 8192, 8193, 16 * 1024, 64 * 1024, 100'000, 1 << 20);
  CAPTURE(asked);
  StackSlabs stacks;
  stacks.set_stack_size(asked);
  CHECK(stacks.stack_size() % kPage == 0);
  CHECK(stacks.stack_size() >= std::max(asked, 2 * kPage));
  CHECK(stacks.stack_size() < std::max(asked, 2 * kPage) + kPage);
  // Colours take up to half a page of each.
  for (const Fiber* fiber : take(stacks, 100)) CHECK(room(fiber) > stacks.stack_size() - kPage / 2);
}

TEST_CASE("64 KiB is the stack size of those who do not ask") {
  StackSlabs stacks;
  CHECK(stacks.stack_size() == 64 * 1024);
}

TEST_CASE("stacks of different fibers have nothing in common") {
  const std::size_t size = GENERATE(std::size_t{8} * 1024, 64 * 1024, 68 * 1024);
  const std::size_t count = GENERATE(std::size_t{2}, 64, 65, 500, 9000);
  CAPTURE(size, count);
  StackSlabs stacks;
  stacks.set_stack_size(size);
  std::map<char*, char*> ranges;
  for (const Fiber* fiber : take(stacks, count)) ranges.emplace(fiber->more->stack_low, fiber->more->stack_high);
  REQUIRE(ranges.size() == count);
  const auto overlap = [](const auto& a, const auto& b) { return a.second > b.first; };
  CHECK(std::adjacent_find(ranges.begin(), ranges.end(), overlap) == ranges.end());
  CHECK(stacks.made() == count);
}

TEST_CASE("an address below a stack names the fiber that ran out of it") {
  const std::size_t size = GENERATE(std::size_t{8} * 1024, 64 * 1024, 1 << 20);
  CAPTURE(size);
  StackSlabs stacks;
  stacks.set_stack_size(size);
  for (const Fiber* fiber : take(stacks, 200)) {
    char* low = fiber->more->stack_low;
    CHECK(stacks.overflowed_at(low - 1) == fiber);
    CHECK(stacks.overflowed_at(low - kPage) == fiber);
    CHECK(stacks.overflowed_at(low - 8 * kPage) == fiber);
    CHECK(stacks.overflowed_at(low) == nullptr);
    CHECK(stacks.overflowed_at(fiber->more->stack_high - 1) == nullptr);
  }
}

TEST_CASE("an address far from every stack belongs to no fiber") {
  StackSlabs stacks;
  const int local = 0;
  CHECK(stacks.overflowed_at(&local) == nullptr);
  take(stacks, 3);
  CHECK(stacks.overflowed_at(&local) == nullptr);
  CHECK(stacks.overflowed_at(nullptr) == nullptr);
  CHECK(stacks.overflowed_canary() == nullptr);
}

TEST_CASE("neighbouring stacks have their tops in different cache sets") {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kFirstLevelSets = 64;
  StackSlabs stacks;
  std::set<std::size_t> sets;
  constexpr std::size_t kCount = 32;
  for (const Fiber* fiber : take(stacks, kCount))
    sets.insert(reinterpret_cast<std::uintptr_t>(fiber->more->stack_high) / kLine % kFirstLevelSets);
  CHECK(sets.size() == kCount);
}

TEST_CASE("a stack nobody has run on costs its top page only") {
  StackSlabs stacks;
  std::size_t resident = 0;
  for (const Fiber* fiber : take(stacks, 300)) {
    for (char* page = fiber->more->stack_low + kPage; page + kPage < fiber->more->stack_high - kPage; page += kPage)
      resident += is_resident(page);
  }
  CHECK(resident == 0);
}

TEST_CASE("a recycled fiber has no neighbours") {
  // Barriers fetch ahead of the list they take fibers from, past its end.
  StackSlabs stacks;
  std::vector<Fiber*> fibers = take(stacks, 300);
  for (std::size_t i = 1; i < fibers.size(); ++i) fibers[i - 1]->next = fibers[i];
  stacks.recycle_all(1);
  CHECK(stacks.take(never_entered)->next == nullptr);
}

TEST_CASE("a recycled fiber does not let others run") {
  StackSlabs stacks;
  int note = 0;
  Fiber* left = stacks.take(never_entered);
  left->more->note = &note;
  left->more->vote = 7;
  stacks.recycle_all(1);
  const Fiber* again = stacks.take(never_entered);
  REQUIRE(again == left);
  CHECK(again->more->note == nullptr);
  CHECK(again->more->vote == 0);
}

TEST_CASE("recycled fibers are handed out again in the same order") {
  const std::size_t count = GENERATE(std::size_t{1}, 64, 65, 1000);
  CAPTURE(count);
  StackSlabs stacks;
  const std::vector<Fiber*> first = take(stacks, count);
  stacks.recycle_all(count);
  CHECK(stacks.made() == 0);
  CHECK(take(stacks, count) == first);
}

TEST_CASE("recycling gives memory beyond what is kept back to the system") {
  StackSlabs stacks;
  const std::vector<Fiber*> fibers = take(stacks, 1000);
  std::vector<char*> lows;
  for (const Fiber* fiber : fibers) lows.push_back(fiber->more->stack_low);
  const std::size_t keep = GENERATE(std::size_t{0}, 1, 64, 65, 1000);
  CAPTURE(keep);
  stacks.recycle_all(keep);
  const auto mapped = static_cast<std::size_t>(std::count_if(lows.begin(), lows.end(), is_mapped));
  CHECK(mapped >= keep);
  // Memory comes and goes in slabs, each at most twice the one before.
  CHECK(mapped <= 3 * keep + 64 * (keep > 0));
}

TEST_CASE("another size replaces all stacks, the same size keeps them") {
  StackSlabs stacks;
  char* const low = take(stacks, 1).front()->more->stack_low;
  stacks.set_stack_size(64 * 1024);
  stacks.recycle_all(64);
  CHECK(take(stacks, 1).front()->more->stack_low == low);
  stacks.set_stack_size(128 * 1024);
  CHECK(stacks.made() == 0);
  CHECK(room(take(stacks, 1).front()) > 127 * 1024);
}

namespace {

StackSlabs* watched;
const Fiber* expected;

volatile std::size_t endless = ~std::size_t{0};

__attribute__((noinline)) std::size_t recurse(std::size_t depth) {
  volatile char frame[100];
  frame[0] = static_cast<char>(depth);
  return depth == endless ? 0 : recurse(depth + 1) + static_cast<std::size_t>(frame[0]);
}

void run_out_of_stack() {
  warpfiber::detail::announce_entry();
  recurse(0);
}

void on_fault(int, siginfo_t* info, void*) {
  ::_exit(watched->overflowed_at(info->si_addr) == expected ? 0 : 1);
}

void handle_faults_elsewhere() {
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace

TEST_CASE("a fiber that runs out of stack faults in its own guard, or changes its own canary") {
  const std::size_t size = GENERATE(std::size_t{8} * 1024, 64 * 1024);
  const std::size_t index = GENERATE(std::size_t{0}, 1, 63, 64, 130);
  CAPTURE(size, index);
  Stage stage;
  stage.stacks.set_stack_size(size);
  const std::vector<Fiber*> fibers = take(stage.stacks, index);
  Fiber* fiber = stage.stacks.take(run_out_of_stack);
  if (stage.stacks.guard() == Guard::page) {
    const auto end = warpfiber::test::in_child([&] {
      watched = &stage.stacks;
      expected = fiber;
      handle_faults_elsewhere();
      stage.enter(fiber);
      return 2;
    });
    CHECK(end.exit_code == 0);
  } else {
    fiber->more->stack_low[0] = 1;
    CHECK(stage.stacks.overflowed_canary() == fiber);
  }
}

namespace {

const char* place_on(const Fiber* fiber) {
  return fiber->more->stack_high - 64;
}

}  // namespace

TEST_CASE("stacks whose turn is late are those that were not used lately") {
  StackSlabs stacks;
  const std::size_t count = GENERATE(1, 40, 200);
  std::map<const Fiber*, unsigned> last;  // launch
  for (unsigned launch = 1; launch <= 30; ++launch) {
    stacks.recycle_all(1024, {.launch = launch, .is_late = true});
    for (const Fiber* fiber : take(stacks, count)) {
      const auto known = last.find(fiber);
      CHECK((known == last.end() || launch - known->second >= 3));
      last[fiber] = launch;
    }
    std::set<const Fiber*> taken;
    stacks.each_taken([&](const Fiber& fiber) { taken.insert(&fiber); });
    CHECK(taken.size() == count);
  }
  CHECK(last.size() <= 2048);
}

TEST_CASE("stacks whose turn is late are more where a launch takes all of them") {
  StackSlabs stacks;
  stacks.recycle_all(1024, {.launch = 1, .is_late = true});
  take(stacks, 50);
  stacks.recycle_all(1024, {.launch = 2, .is_late = true});
  const std::vector<Fiber*> fibers = take(stacks, 5000);
  REQUIRE(fibers.size() == 5000);
  CHECK(std::set<Fiber*>(fibers.begin(), fibers.end()).size() == 5000);
  std::size_t visited = 0;
  stacks.each_taken([&](const Fiber& fiber) {
    CHECK(stacks.is_taken(fiber));
    ++visited;
  });
  CHECK(visited == 5000);
  stacks.recycle_all(64);
  CHECK_FALSE(stacks.is_taken(*fibers.front()));
}

TEST_CASE("a stack says who had it last") {
  StackSlabs stacks;
  stacks.recycle_all(64, {.launch = 7, .is_late = true});
  const Fiber* fiber = take(stacks, 1).front();
  CHECK(stacks.is_taken(*fiber));
  stacks.recycle_all(64, {.launch = 8, .is_late = true});
  CHECK_FALSE(stacks.is_taken(*fiber));
  const auto use = stacks.last_use(place_on(fiber));
  REQUIRE(use.has_value());
  CHECK(use->launch == 7);
  CHECK(use->entry == &never_entered);
  CHECK(use->depth == 64);
  CHECK_FALSE(stacks.last_use(fiber->more->stack_low - 1).has_value());
  CHECK_FALSE(stacks.last_use(&stacks).has_value());
}
