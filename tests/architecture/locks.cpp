// SPDX-License-Identifier: Apache-2.0
//
// What clang++ has to refuse of users of src/foundation/base/locks/annotated_mutex.hpp, and what it has to take.
// lock_checks_test.py compiles this with the options of the preset clang: each line with "refused:" is refused with
// that text, no other is.
#include <chrono>

#include "base/locks/annotated_mutex.hpp"
#include "base/spin_wait.hpp"

namespace warpfiber::base {

Mutex& mutex_of_function();

class Counter {
 public:
  void add_under_lock() {
    const Lock lock(mutex_);
    ++count_;
  }
  void add() {
    ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
  }
  int read() const {
    return count_;  // refused: reading variable 'count_' requires holding mutex 'mutex_'
  }
  void add_behind_lock() {
    { const Lock lock(mutex_); }
    ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
  }

  void add_while_dropped() {
    const Lock lock(mutex_);
    {
      const Unlocked meanwhile(mutex_);
      ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
    }
    ++count_;
  }
  void add_while_briefly_dropped() {
    lock_soon(mutex_);
    const Lock lock(mutex_, std::adopt_lock);
    {
      const BrieflyUnlocked meanwhile(mutex_);
      ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
    }
    ++count_;
  }
  void add_if_free() {
    if (!mutex_.try_lock()) return;
    const Lock lock(mutex_, std::adopt_lock);
    ++count_;
  }
  void add_if_free_or_not() {
    if (mutex_.try_lock()) mutex_.unlock();
    ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
  }

  // Wants the lock, has the lock, takes the lock, and drops it in between.
  void add_with_lock() WARPFIBER_REQUIRES(mutex_) { ++count_; }
  void drop_in_between() WARPFIBER_REQUIRES(mutex_) {
    add_with_lock();
    const Unlocked meanwhile(mutex_);
    take();
  }
  void take() WARPFIBER_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    drop_in_between();
  }
  void call_without() {
    add_with_lock();  // refused: calling function 'add_with_lock' requires holding mutex 'mutex_' exclusively
  }
  void take_twice() {
    const Lock lock(mutex_);
    take();  // refused: cannot call function 'take' while mutex 'mutex_' is held
  }
  void lock_twice() {
    const Lock lock(mutex_);
    const Lock again(mutex_);  // refused: acquiring mutex 'mutex_' that is already held
  }
  void drop_what_is_not_held() {
    const Unlocked meanwhile(mutex_);  // refused: releasing mutex 'mutex_' that was not held
  }
  void keep() { mutex_.lock(); }  // refused: mutex 'mutex_' is still held at the end of function

  void wait() {
    const Lock lock(mutex_);
    while (count_ == 0) changed_.wait(mutex_);
    while (changed_.wait_until(mutex_, std::chrono::steady_clock::now()) == std::cv_status::no_timeout) ++count_;
  }
  void wait_without() {
    changed_.wait(mutex_);  // refused: calling function 'wait' requires holding mutex 'mutex_' exclusively
  }

  void lambda_without() {
    const Lock lock(mutex_);
    const auto add = [this] {
      ++count_;  // refused: writing variable 'count_' requires holding mutex 'mutex_' exclusively
    };
    add();
  }
  void lambda_with() {
    const auto add = [this]() WARPFIBER_REQUIRES(mutex_) { ++count_; };
    const Lock lock(mutex_);
    add();
  }

  void alone() {
    mutex_.assume_alone();
    ++count_;
  }

 private:
  mutable Mutex mutex_;
  Condition changed_;
  int count_ WARPFIBER_GUARDED_BY(mutex_) = 0;
};

struct Named {
  int count WARPFIBER_GUARDED_BY(mutex_of_function()) = 0;
};

void add(Named& to) {
  const Lock lock(mutex_of_function());
  ++to.count;
}

void add_without(Named& to) {
  ++to.count;  // refused: writing variable 'count' requires holding mutex 'mutex_of_function()' exclusively
}

}  // namespace warpfiber::base
