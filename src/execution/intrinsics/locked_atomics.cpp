// SPDX-License-Identifier: Apache-2.0
// Atomics of objects for which the host has no instruction: a few locks, one of which every object has by its address.
// A holder only copies an object, and a thread of a kernel that holds one is not preempted, so whoever waits waits for
// another thread of the host that runs.
#include <sched.h>
#include <warpfiber/cuda/atomic_access.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace warpfiber::detail {

namespace {

constexpr std::size_t kLocks = 64;
constinit std::array<std::atomic<bool>, kLocks> locks{};

}  // namespace

ObjectLock::ObjectLock(const void* object)
    : index_((reinterpret_cast<std::uintptr_t>(object) >> 3) % kLocks), was_busy_(current_thread.busy) {
  current_thread.busy = true;
  while (locks[index_].exchange(true, std::memory_order_acquire)) sched_yield();
}

ObjectLock::~ObjectLock() {
  locks[index_].store(false, std::memory_order_release);
  current_thread.busy = was_busy_;
}

void pause_on_host() {
  if (current_thread.worker == nullptr) sched_yield();
}

}  // namespace warpfiber::detail
