// SPDX-License-Identifier: Apache-2.0
// Mutexes of which clang++ knows what they guard: with -Wthread-safety it refuses an access without the lock, and a
// call that forgets the lock or takes it twice. g++ sees none of the attributes. A Mutex is a std::mutex, and a Lock is
// a std::lock_guard, in size and in code.
//
// A member names its mutex with WARPFIBER_GUARDED_BY. A function that wants the lock of its caller says
// WARPFIBER_REQUIRES, and holds the lock when it returns, also where it drops it in between with Unlocked. A lambda is
// a function of its own: one that accesses what is guarded says WARPFIBER_REQUIRES as well.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WARPFIBER_LOCK_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define WARPFIBER_LOCK_ATTRIBUTE(attribute)
#endif

// Of members: what has to be held for the member, or for what a pointer points to.
#define WARPFIBER_GUARDED_BY(mutex) WARPFIBER_LOCK_ATTRIBUTE(guarded_by(mutex))
#define WARPFIBER_PT_GUARDED_BY(mutex) WARPFIBER_LOCK_ATTRIBUTE(pt_guarded_by(mutex))
// Of functions: the caller holds it before and after, or must not hold it.
#define WARPFIBER_REQUIRES(...) WARPFIBER_LOCK_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define WARPFIBER_EXCLUDES(...) WARPFIBER_LOCK_ATTRIBUTE(locks_excluded(__VA_ARGS__))
// Of functions: they return with it, or without it; without an argument the object itself.
#define WARPFIBER_ACQUIRE(...) WARPFIBER_LOCK_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define WARPFIBER_RELEASE(...) WARPFIBER_LOCK_ATTRIBUTE(release_capability(__VA_ARGS__))
#define WARPFIBER_TRY_ACQUIRE(...) WARPFIBER_LOCK_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
// Of functions: which mutex they return a reference to.
#define WARPFIBER_RETURNS_MUTEX(mutex) WARPFIBER_LOCK_ATTRIBUTE(lock_returned(mutex))
// Of types, and of functions that are right for a reason which their comment gives.
#define WARPFIBER_IS_MUTEX WARPFIBER_LOCK_ATTRIBUTE(capability("mutex"))
#define WARPFIBER_IS_LOCK WARPFIBER_LOCK_ATTRIBUTE(scoped_lockable)
#define WARPFIBER_NOT_ANALYSED WARPFIBER_LOCK_ATTRIBUTE(no_thread_safety_analysis)

namespace warpfiber::base {

class WARPFIBER_IS_MUTEX Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() WARPFIBER_ACQUIRE() { inner_.lock(); }
  void unlock() WARPFIBER_RELEASE() { inner_.unlock(); }
  bool try_lock() WARPFIBER_TRY_ACQUIRE(true) { return inner_.try_lock(); }

  /// Both do nothing and are for the caller to answer for. The first: it is the only one that can access what is
  /// guarded, before others know it or after they have left. The second: it is called with the lock, from where that is
  /// not seen.
  void assume_alone() const WARPFIBER_LOCK_ATTRIBUTE(assert_capability(this)) {}
  void assume_held() const WARPFIBER_LOCK_ATTRIBUTE(assert_capability(this)) {}

 private:
  friend class Condition;

  std::mutex inner_;
};

/// Holds a mutex to the end of a block.
class WARPFIBER_IS_LOCK Lock {
 public:
  explicit Lock(Mutex& mutex) WARPFIBER_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  /// Of a mutex that the caller has locked.
  Lock(Mutex& mutex, std::adopt_lock_t) WARPFIBER_REQUIRES(mutex) : mutex_(mutex) {}
  ~Lock() WARPFIBER_RELEASE() { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
};

/// Drops a mutex that is held, to the end of a block; what is guarded may then have changed.
class WARPFIBER_IS_LOCK Unlocked {
 public:
  explicit Unlocked(Mutex& mutex) WARPFIBER_RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~Unlocked() WARPFIBER_RELEASE() { mutex_.lock(); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Mutex& mutex_;
};

/// A std::condition_variable for those that hold a Mutex. Waits are written as loops, so that what they look at is seen
/// to be under the lock.
class Condition {
 public:
  void notify_one() noexcept { inner_.notify_one(); }
  void notify_all() noexcept { inner_.notify_all(); }

  /// As of a std::condition_variable, also for no reason.
  void wait(Mutex& mutex) WARPFIBER_REQUIRES(mutex) {
    Adopted lock(mutex.inner_);
    inner_.wait(lock.inner);
  }

  template <class Clock, class Duration>
  std::cv_status wait_until(Mutex& mutex, const std::chrono::time_point<Clock, Duration>& end)
      WARPFIBER_REQUIRES(mutex) {
    Adopted lock(mutex.inner_);
    return inner_.wait_until(lock.inner, end);
  }

  template <class Rep, class Period>
  std::cv_status wait_for(Mutex& mutex, const std::chrono::duration<Rep, Period>& most) WARPFIBER_REQUIRES(mutex) {
    Adopted lock(mutex.inner_);
    return inner_.wait_for(lock.inner, most);
  }

 private:
  /// The lock of the caller, which keeps it.
  struct Adopted {
    explicit Adopted(std::mutex& mutex) : inner(mutex, std::adopt_lock) {}
    ~Adopted() { inner.release(); }
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;

    std::unique_lock<std::mutex> inner;
  };

  std::condition_variable inner_;
};

}  // namespace warpfiber::base
