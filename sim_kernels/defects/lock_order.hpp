// expect: deadlock   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// also-ok: livelock
// hw: hang
// why: two transfers between the same accounts in opposite directions take the same two locks in opposite order
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// Two blocks of one thread: block b moves `amount` from account b to the other. A lock is 0 while it is free.
static __global__ void lock_order(int* balances, unsigned* locks, int amount) {
  const unsigned from = blockIdx.x;
  const unsigned to = 1 - from;
  while (atomicCAS(&locks[from], 0U, 1U) != 0) {
  }
  __nanosleep(100);
  while (atomicCAS(&locks[to], 0U, 1U) != 0) {  // @A
  }
  __threadfence();
  balances[from] -= amount;
  balances[to] += amount;
  __threadfence();
  atomicExch(&locks[to], 0U);
  atomicExch(&locks[from], 0U);
}

}  // namespace gallery
