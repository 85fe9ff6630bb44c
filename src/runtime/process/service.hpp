// SPDX-License-Identifier: Apache-2.0
// A part of the Runtime that its first user makes. The part's type may be incomplete here: only the file that uses the
// part has to know it.
// Invariants: constant initialisation and no destructor, so static objects of the program may use a service before
// main() and after it. A made service costs its user one load and one test, as a function's static object does.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace warpfiber::runtime {

class Runtime;

/// What a Runtime has to know of its services, whose types differ.
class ServiceBase {
 protected:
  constexpr explicit ServiceBase(std::atomic<ServiceBase*>& last_made) : last_made_(last_made) {}

  /// Called by the service's first user, with its mutex.
  void is_made(void (*destroy)(ServiceBase&)) {
    destroy_ = destroy;
    made_before_ = last_made_.load();
    while (!last_made_.compare_exchange_weak(made_before_, this)) {
    }
  }

  std::mutex mutex_;

 private:
  friend class Runtime;

  std::atomic<ServiceBase*>& last_made_;
  ServiceBase* made_before_ = nullptr;
  void (*destroy_)(ServiceBase&) = nullptr;
};

template <class T>
class Service : ServiceBase {
 public:
  constexpr explicit Service(std::atomic<ServiceBase*>& last_made) : ServiceBase(last_made) {}

  T& get() {
    return get([] { return std::make_unique<T>(); });
  }

  /// `make` returns a std::unique_ptr to the service, and runs once. Others wait for it.
  template <class Make>
  T& get(Make make) {
    T* const made = made_.load(std::memory_order_acquire);
    return made != nullptr ? *made : first(make);
  }

  /// Null before the first get().
  T* if_made() const { return made_.load(std::memory_order_acquire); }

 private:
  template <class Make>
  [[gnu::cold, gnu::noinline]] T& first(Make& make) {
    const std::lock_guard lock(mutex_);
    if (T* const made = made_.load(std::memory_order_acquire)) return *made;
    std::unique_ptr<T> made = make();
    is_made(
        [](ServiceBase& base) { const std::unique_ptr<T> ended(static_cast<Service&>(base).made_.exchange(nullptr)); });
    made_.store(made.get(), std::memory_order_release);
    return *made.release();
  }

  std::atomic<T*> made_{nullptr};
};

}  // namespace warpfiber::runtime
