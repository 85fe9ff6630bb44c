// SPDX-License-Identifier: Apache-2.0
// Work on a large stack: how much it may use, where it may be called, and that it comes back.
#include "fiber/large_stack.hpp"

#include <cstddef>
#include <new>
#include <thread>

#include "support/catch.hpp"
#include "unit/foundation/fiber/stage.hpp"

using warpfiber::fiber::run_on_large_stack;
using warpfiber::test::Stage;

namespace {

/// Uses that many bytes of the stack, in pages.
__attribute__((noinline)) std::size_t use_stack(std::size_t bytes) {
  constexpr std::size_t kFrame = 4096;
  volatile char frame[kFrame];
  frame[0] = 1;
  return bytes <= kFrame ? frame[0] : frame[0] + use_stack(bytes - kFrame);
}

struct OnFiber {
  Stage stage;
  warpfiber::detail::Fiber* fiber = nullptr;
  bool done = false;
};
OnFiber* on_fiber = nullptr;

void enter_fiber() {
  warpfiber::detail::announce_entry();
  on_fiber->done = run_on_large_stack([] { CHECK(use_stack(400'000) > 90); });
  Stage::go(on_fiber->fiber, &on_fiber->stage.host);
}

}  // namespace

TEST_CASE("work on a large stack runs once, on the same OS thread, and may use hundreds of kilobytes") {
  unsigned runs = 0;
  const std::thread::id here = std::this_thread::get_id();
  CHECK(run_on_large_stack([&] {
    ++runs;
    CHECK(std::this_thread::get_id() == here);
    CHECK(use_stack(400'000) > 90);
  }));
  CHECK(runs == 1);
}

TEST_CASE("work on a large stack may need another one, and fail for want of memory") {
  bool inner = true;
  CHECK(run_on_large_stack([&] { inner = run_on_large_stack([] { throw std::bad_alloc(); }); }));
  CHECK_FALSE(inner);
  CHECK_FALSE(run_on_large_stack([] { throw std::bad_alloc(); }));
  CHECK(run_on_large_stack([] {}));
}

TEST_CASE("a fiber with a small stack runs work on a large one") {
  OnFiber state;
  on_fiber = &state;
  state.stage.stacks.set_stack_size(32 * 1024);
  state.fiber = state.stage.stacks.take(enter_fiber);
  state.stage.enter(state.fiber);
  CHECK(state.done);
}
