// SPDX-License-Identifier: Apache-2.0
// A place where tests run fibers by hand: the calling OS thread's own stack as a fiber, and slabs for others.
#pragma once

#include <warpfiber/detail/claim.hpp>

#include "fiber/stacks.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::test {

struct Stage {
  Stage() {
    host.more = &host_details;
    fiber::note_own_stack(host);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Runs `to` until it comes back here.
  void enter(detail::Fiber* to) { go(&host, to); }

  /// Called on fiber `from`.
  static void go(detail::Fiber* from, detail::Fiber* to) { detail::leave(detail::Switch{from, to}); }

  detail::FiberDetails host_details;
  detail::Fiber host;
  fiber::StackSlabs stacks;
};

}  // namespace warpfiber::test
