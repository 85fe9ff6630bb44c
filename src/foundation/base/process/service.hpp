// SPDX-License-Identifier: Apache-2.0
// A part of an object of the process that its first user makes. The part's type may be incomplete here: only the file
// that uses the part has to know it. Invariants: constant initialisation and no destructor, so static objects of the
// program may use a service before main() and after it. A made service costs its user one load and one test, as a
// function's static object does.
#pragma once

#include <atomic>
#include <memory>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::base {

template <class T>
class Service {
 public:
  constexpr Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  T& get() {
    return get([] { return std::make_unique<T>(); });
  }

  /// `make` returns a std::unique_ptr to the service, and runs once. Others wait for it.
  template <class Make>
  T& get(Make make) {
    T* const made = made_.load(std::memory_order_acquire);
    return made != nullptr ? *made : first(make);
  }

  /// Destroys the service if it is made; the next user makes another. Nobody uses it meanwhile.
  void reset() {
    T* const made = made_.exchange(nullptr);
    mutex_.assume_alone();
    if (made != nullptr) destroy_(made);
  }

 private:
  template <class Make>
  [[gnu::cold, gnu::noinline]] T& first(Make& make) {
    const Lock lock(mutex_);
    if (T* const made = made_.load(std::memory_order_acquire)) return *made;
    destroy_ = [](T* ended) { std::default_delete<T>()(ended); };
    T* const made = make().release();
    made_.store(made, std::memory_order_release);
    return *made;
  }

  std::atomic<T*> made_{nullptr};
  Mutex mutex_;
  void (*destroy_)(T*) WARPFIBER_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace warpfiber::base
