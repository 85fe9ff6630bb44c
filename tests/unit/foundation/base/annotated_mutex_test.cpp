// SPDX-License-Identifier: Apache-2.0
//
// What Mutex and its kin do while a program runs. What clang++ makes of them is tested in tests/architecture.
#include "base/locks/annotated_mutex.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "base/spin_wait.hpp"
#include "support/catch.hpp"

using namespace warpfiber::base;

namespace {

static_assert(sizeof(Mutex) == sizeof(std::mutex) && alignof(Mutex) == alignof(std::mutex));
static_assert(std::is_trivially_destructible_v<Mutex> == std::is_trivially_destructible_v<std::mutex>);
static_assert(sizeof(Lock) == sizeof(std::lock_guard<std::mutex>));
static_assert(sizeof(Condition) == sizeof(std::condition_variable));
static_assert(!std::is_copy_constructible_v<Mutex> && !std::is_copy_constructible_v<Lock>);

/// Whether another OS thread finds the mutex free.
bool is_free(Mutex& mutex) {
  bool found = false;
  std::thread([&] {
    if (!mutex.try_lock()) return;
    mutex.unlock();
    found = true;
  }).join();
  return found;
}

}  // namespace

TEST_CASE("a lock keeps others out to the end of its block") {
  Mutex mutex;
  {
    const Lock lock(mutex);
    CHECK_FALSE(is_free(mutex));
  }
  CHECK(is_free(mutex));
}

TEST_CASE("a lock takes over what its thread has locked") {
  Mutex mutex;
  lock_soon(mutex);
  {
    const Lock lock(mutex, std::adopt_lock);
    CHECK_FALSE(is_free(mutex));
  }
  CHECK(is_free(mutex));
}

TEST_CASE("a lock that is dropped in between is held again behind that, and behind an exception") {
  Mutex mutex;
  {
    const Lock lock(mutex);
    {
      const Unlocked meanwhile(mutex);
      CHECK(is_free(mutex));
    }
    CHECK_FALSE(is_free(mutex));
    {
      const BrieflyUnlocked meanwhile(mutex);
      CHECK(is_free(mutex));
    }
    CHECK_FALSE(is_free(mutex));
    try {
      const Unlocked meanwhile(mutex);
      throw std::runtime_error("in between");
    } catch (const std::runtime_error&) {
      CHECK_FALSE(is_free(mutex));
    }
  }
  CHECK(is_free(mutex));
}

TEST_CASE("who waits for a condition drops the mutex, and holds it afterwards") {
  Mutex mutex;
  Condition changed;
  int turn = 0;
  std::thread other([&] {
    const Lock lock(mutex);
    turn = 1;
    changed.notify_all();
    while (turn != 2) changed.wait(mutex);
    turn = 3;
    changed.notify_one();
  });
  {
    const Lock lock(mutex);
    while (turn != 1) changed.wait(mutex);
    turn = 2;
    changed.notify_all();
    while (turn != 3) changed.wait(mutex);
    CHECK_FALSE(is_free(mutex));
  }
  other.join();
  CHECK(is_free(mutex));
}

TEST_CASE("a wait with an end holds the mutex when nobody has come") {
  Mutex mutex;
  Condition changed;
  const Lock lock(mutex);
  const auto now = std::chrono::steady_clock::now();
  while (changed.wait_until(mutex, now) != std::cv_status::timeout) {
  }
  CHECK_FALSE(is_free(mutex));
  while (changed.wait_for(mutex, std::chrono::nanoseconds(1)) != std::cv_status::timeout) {
  }
  CHECK_FALSE(is_free(mutex));
}
