// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: whoever needs both locks takes the lower one first, so the holder of the upper one never waits for the lower
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// Two blocks of one thread: block b moves `amount` from account b to the other. A lock is 0 while it is free.
static __global__ void ordered_locks(int* balances, unsigned* locks, int amount) {
  const unsigned from = blockIdx.x;
  const unsigned to = 1 - from;
  const unsigned first = from < to ? from : to;
  const unsigned second = from < to ? to : from;
  while (atomicCAS(&locks[first], 0U, 1U) != 0) {
  }
  __nanosleep(100);
  while (atomicCAS(&locks[second], 0U, 1U) != 0) {
  }
  __threadfence();
  balances[from] -= amount;
  balances[to] += amount;
  __threadfence();
  atomicExch(&locks[second], 0U);
  atomicExch(&locks[first], 0U);
}

}  // namespace gallery
