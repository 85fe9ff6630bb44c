// SPDX-License-Identifier: Apache-2.0
// Which return addresses are found on stacks: on one's own, and on that of a fiber that waits.
#include "fiber/trails.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "unit/foundation/fiber/stage.hpp"

using namespace warpfiber;
using warpfiber::test::Stage;

namespace {

struct Scene {
  Stage stage;
  detail::Fiber* self = nullptr;
  bool left = true;
  fiber::Returns seen;  // by the fiber itself
};
Scene* scene = nullptr;

__attribute__((noinline)) void wait() {
  scene->seen = fiber::walk(
      {.frame = static_cast<const char*>(__builtin_frame_address(0)), .high = scene->self->more->stack_high});
  Stage::go(scene->self, &scene->stage.host);
  asm volatile("");
}

__attribute__((noinline)) void by_left() {
  wait();
  asm volatile("");
}

__attribute__((noinline)) void by_right() {
  wait();
  asm volatile("" ::: "memory");
}

void entry() {
  detail::announce_entry();
  for (;;) {
    if (scene->left) {
      by_left();
    } else {
      by_right();
    }
  }
}

#ifdef WARPFIBER_PORTABLE_SWITCH
constexpr bool kLeadsBack = false;
#else
constexpr bool kLeadsBack = true;
#endif

bool ends_with(const std::vector<std::uintptr_t>& all, const std::vector<std::uintptr_t>& end) {
  return all.size() > end.size() && std::equal(end.rbegin(), end.rend(), all.rbegin());
}

}  // namespace

TEST_CASE("The stack of a fiber that waits leads back to where it waits, by the calls that the fiber saw itself") {
  Scene here;
  scene = &here;
  here.self = here.stage.stacks.take(entry);
  std::vector<fiber::Returns> ways;
  for (const bool left : {true, false, true}) {
    here.left = left;
    here.stage.enter(here.self);
    REQUIRE(here.seen.addresses.size() >= 2);
    ways.push_back(here.seen);
    const fiber::Returns found = fiber::walk_waiting(*here.self, {});
    CHECK(found.addresses.empty() != kLeadsBack);
    if (!kLeadsBack) continue;
    CHECK(found.addresses.front() == reinterpret_cast<std::uintptr_t>(here.self->resume));
    CHECK(ends_with(found.addresses, here.seen.addresses));
  }
  CHECK(ways[0].addresses == ways[2].addresses);
  CHECK(ways[0].addresses != ways[1].addresses);
}

TEST_CASE(
    "A walk begins at a return address and ends before a function that are named, and where it has gone far enough") {
  Scene here;
  scene = &here;
  here.self = here.stage.stacks.take(entry);
  here.stage.enter(here.self);
  const fiber::Returns whole = fiber::walk_waiting(*here.self, {});
  if (whole.addresses.empty()) return;
  CHECK_FALSE(whole.complete);
  const fiber::Returns below = fiber::walk_waiting(*here.self, {.below = reinterpret_cast<const void*>(&entry)});
  CHECK(below.complete);
  CHECK(below.addresses.size() + 1 == whole.addresses.size());
  CHECK(fiber::walk_waiting(*here.self, {.most = 2}).addresses.size() == 2);
}

TEST_CASE("A trail leads along the same calls, and along no others") {
  Scene here;
  scene = &here;
  here.self = here.stage.stacks.take(entry);
  const auto* frame = [&]() -> const char* {
    here.stage.enter(here.self);
    return here.seen.places.front() - sizeof(void*);
  }();
  const auto depth = static_cast<std::size_t>(here.self->more->stack_high - frame);
  const fiber::Trail left(here.seen, frame);
  REQUIRE_FALSE(left.empty());
  CHECK(left.leads_from(frame, depth));
  CHECK_FALSE(left.leads_from(frame, sizeof(void*)));
  here.left = false;
  here.stage.enter(here.self);
  CHECK_FALSE(left.leads_from(here.seen.places.front() - sizeof(void*), depth));
  here.left = true;
  here.stage.enter(here.self);
  CHECK(left.leads_from(here.seen.places.front() - sizeof(void*), depth));
  CHECK_FALSE(fiber::Trail().leads_from(frame, depth));
}
