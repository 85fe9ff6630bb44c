// SPDX-License-Identifier: Apache-2.0
// libcu++'s semaphores: cuda::counting_semaphore and cuda::binary_semaphore, also in cuda::std (libcu++ reference,
// "cuda::counting_semaphore"). Threads of a kernel and of the host may use them. Who waits for a release lets others
// run. Durations are not measured: see warpfiber::detail::Looks.
#pragma once

#include <warpfiber/cuda/thread_scope.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <chrono>
#include <climits>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace warpfiber::cuda {

template <::std::ptrdiff_t kLeastMax>
class Semaphore {
  static constexpr bool kBinary = kLeastMax == 1;
  using Count = ::std::conditional_t<kBinary, int, ::std::ptrdiff_t>;

 public:
  constexpr explicit Semaphore(::std::ptrdiff_t count) noexcept : count_(static_cast<Count>(count)) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// A binary semaphore that is free stays so.
  void release(::std::ptrdiff_t update = 1, Site site = Site::here()) {
    if constexpr (kBinary) {
      __atomic_store_n(&count_, 1, __ATOMIC_RELEASE);
    } else {
      __atomic_fetch_add(&count_, update, __ATOMIC_RELEASE);
    }
    warpfiber::detail::note_write(&count_, site);
  }

  void acquire(Site site = Site::here()) {
    while (!take(site)) warpfiber::detail::wait_for_phase(&count_, 0, kWait, site);
  }

  [[nodiscard]] bool try_acquire(Site site = Site::here()) noexcept {
    if (take(site)) return true;
    warpfiber::detail::count_look(&count_, kWait, site);
    return false;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const ::std::chrono::duration<Rep, Period>& duration, Site site = Site::here()) {
    const auto nanoseconds = ::std::chrono::duration_cast<::std::chrono::nanoseconds>(duration).count();
    warpfiber::detail::Looks looks(nanoseconds);
    do {
      if (take(site)) return true;
    } while (looks.again(&count_, kWait, site));
    return false;
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_acquire_until(const ::std::chrono::time_point<Clock, Duration>& time,
                                       Site site = Site::here()) {
    return try_acquire_for(time - Clock::now(), site);
  }

  static constexpr ::std::ptrdiff_t max() noexcept {
    return kBinary ? 1 : ::std::numeric_limits<::std::ptrdiff_t>::max();
  }

 private:
  static constexpr warpfiber::detail::PhaseWait kWait{"cuda::counting_semaphore::acquire()", 0, 1, 0};

  bool take(Site site) {
    Count count = __atomic_load_n(&count_, __ATOMIC_RELAXED);
    while (count != 0) {
      const Count left = count - 1;
      if (!__atomic_compare_exchange_n(&count_, &count, left, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
      warpfiber::detail::note_write(&count_, site);
      return true;
    }
    return false;
  }

  Count count_;
};

}  // namespace warpfiber::cuda

namespace cuda {

namespace std {

template <::std::ptrdiff_t kLeastMax = INT_MAX>
class counting_semaphore : public warpfiber::cuda::Semaphore<kLeastMax> {
 public:
  constexpr counting_semaphore(::std::ptrdiff_t count = 0) noexcept : warpfiber::cuda::Semaphore<kLeastMax>(count) {}
};
using binary_semaphore = counting_semaphore<1>;

}  // namespace std

/// `count` threads at a time get past acquire(); release() lets more of them.
template <thread_scope kScope, ::std::ptrdiff_t kLeastMax = INT_MAX>
class counting_semaphore : public warpfiber::cuda::Semaphore<kLeastMax> {
 public:
  constexpr counting_semaphore(::std::ptrdiff_t count = 0) noexcept : warpfiber::cuda::Semaphore<kLeastMax>(count) {}
};
template <thread_scope kScope>
using binary_semaphore = counting_semaphore<kScope, 1>;

}  // namespace cuda
