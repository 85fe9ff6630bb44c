// SPDX-License-Identifier: Apache-2.0
// Short waits for another OS thread: to look again for some microseconds costs less than to sleep and be woken, which
// takes several system calls and, on a machine with others, a turn of the scheduler.
#pragma once

#include <mutex>
#include <thread>

#include "base/locks/annotated_mutex.hpp"
#include "base/targets.hpp"

namespace warpfiber::base {

/// The number of iterations of a spin wait: none on one processor, where no other thread runs meanwhile.
inline unsigned rounds_of_spinning() {
  constexpr unsigned kRounds = 200;  // about 10 microseconds
  static const unsigned rounds = std::thread::hardware_concurrency() > 1 ? kRounds : 0;
  return rounds;
}

/// Waits briefly until done() is true; what it is then.
template <class Done>
bool spin_until(Done done) {
  for (unsigned left = rounds_of_spinning(); left != 0; --left) {
    if (done()) return true;
    relax();
  }
  return done();
}

/// Locks a mutex that others hold for less time than it takes to sleep. Not analysed: spin_until() is called with the
/// attempt, and its result says whether the last one succeeded.
inline void lock_soon(Mutex& mutex) WARPFIBER_ACQUIRE(mutex) WARPFIBER_NOT_ANALYSED {
  if (!spin_until([&mutex]() WARPFIBER_NOT_ANALYSED { return mutex.try_lock(); })) mutex.lock();
}

/// Drops such a mutex, which is held, to the end of a block.
class WARPFIBER_IS_LOCK BrieflyUnlocked {
 public:
  explicit BrieflyUnlocked(Mutex& mutex) WARPFIBER_RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~BrieflyUnlocked() WARPFIBER_RELEASE() { lock_soon(mutex_); }
  BrieflyUnlocked(const BrieflyUnlocked&) = delete;
  BrieflyUnlocked& operator=(const BrieflyUnlocked&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace warpfiber::base
