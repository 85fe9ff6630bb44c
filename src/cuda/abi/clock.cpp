// SPDX-License-Identifier: Apache-2.0
// clock(), which the C library has too. Programs reach one of the two by many ways: as std::clock, by a pointer, in a
// function of both. So this definition takes the place of the library's in the whole program and asks where it runs. By
// itself, so that a program that never calls it, or has a clock() of its own, does not get it.
#include <warpfiber/intrinsics/builtins.hpp>

#include <ctime>

#include "engine/worker.hpp"

extern "C" __attribute__((visibility("default"))) clock_t clock() noexcept {
  if (warpfiber::engine::Worker::current() != nullptr) return clock64();
  // C standard, 7.27.2.1: the processor time of the process, -1 where there is none.
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}
