// SPDX-License-Identifier: Apache-2.0
// libcu++'s barriers: cuda::barrier and cuda::std::barrier (libcu++ reference, "cuda::barrier"). Threads of a kernel
// and of the host may use them. A thread that waits lets others run, and a launch whose barriers can never complete
// ends with a report of how many arrivals are missing. Sizes are libcu++'s. Durations are not measured, so that
// launches repeat: see warpfiber::detail::Looks.
#pragma once

#include <warpfiber/cuda/thread_scope.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <chrono>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace warpfiber::cuda {

/// The completion of a barrier that has none.
struct NoCompletion {
  void operator()() const noexcept {}
};

/// A barrier of one word. `Fields` say how far it counts.
template <class Fields>
class WordBarrier {
  using Phase = warpfiber::detail::Phase<Fields>;

 public:
  using arrival_token = ::std::uint64_t;

  WordBarrier() noexcept = default;
  WordBarrier(const WordBarrier&) = delete;
  WordBarrier& operator=(const WordBarrier&) = delete;

  /// What init() does.
  void start(::std::ptrdiff_t expected, Site site) { Phase::init(&word_, expected, "init(cuda::barrier)", site); }

  [[nodiscard]] WARPFIBER_AT_CALLER arrival_token arrive(::std::ptrdiff_t update = 1, Site site = Site::here()) {
    return Phase::change(&word_, update, 0, 0, true, "cuda::barrier::arrive()", site);
  }
  WARPFIBER_AT_CALLER void wait(arrival_token&& token, Site site = Site::here()) const {
    Phase::wait(&word_, parity_of(token), "cuda::barrier::wait()", site);
  }
  WARPFIBER_AT_CALLER void wait_parity(bool parity, Site site = Site::here()) const {
    Phase::wait(&word_, parity, "cuda::barrier::wait_parity()", site);
  }
  WARPFIBER_AT_CALLER void arrive_and_wait(Site site = Site::here()) {
    const auto token = Phase::change(&word_, 1, 0, 0, true, "cuda::barrier::arrive_and_wait()", site);
    Phase::wait(&word_, parity_of(token), "cuda::barrier::arrive_and_wait()", site);
  }
  WARPFIBER_AT_CALLER void arrive_and_drop(Site site = Site::here()) {
    Phase::change(&word_, 1, 1, 0, true, "cuda::barrier::arrive_and_drop()", site);
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_wait_for(arrival_token&& token, const ::std::chrono::duration<Rep, Period>& duration,
                                  Site site = Site::here()) {
    return try_wait_parity_for(parity_of(token), duration, site);
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_wait_until(arrival_token&& token, const ::std::chrono::time_point<Clock, Duration>& time,
                                    Site site = Site::here()) {
    return try_wait_parity_for(parity_of(token), time - Clock::now(), site);
  }
  template <class Rep, class Period>
  [[nodiscard]] bool try_wait_parity_for(bool parity, const ::std::chrono::duration<Rep, Period>& duration,
                                         Site site = Site::here()) {
    const auto nanoseconds = ::std::chrono::duration_cast<::std::chrono::nanoseconds>(duration).count();
    return Phase::wait_for_time(&word_, parity, nanoseconds, "cuda::barrier::try_wait_for()", site);
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_wait_parity_until(bool parity, const ::std::chrono::time_point<Clock, Duration>& time,
                                           Site site = Site::here()) {
    return try_wait_parity_for(parity, time - Clock::now(), site);
  }

  /// What libcu++ says; a wide barrier counts to 2^30 - 1 here.
  static constexpr ::std::ptrdiff_t max() noexcept {
    return ::std::is_same_v<Fields, warpfiber::detail::WideFields> ? 0x7fffffff : 0xfffff;
  }

  ::std::uint64_t* native_handle() noexcept { return &word_; }

  // For pipelines and copies, which say in reports what the user called.
  void check(const char* call, Site site) const { Phase::expect(&word_, call, site); }
  const void* checked_word() const { return &word_; }
  void wait_for_parity(bool parity, const char* call, Site site) const { Phase::wait(&word_, parity, call, site); }
  void arrive_from(const char* call, Site site) { Phase::change(&word_, 1, 0, 0, true, call, site); }

 private:
  static bool parity_of(arrival_token token) { return (token & Fields::kParity) != 0; }

  ::std::uint64_t word_;
};

/// A barrier that calls a function between the last arrival of a phase and its end.
template <class CompletionFunction>
class CompletingBarrier {
  using Fields = warpfiber::detail::WideFields;
  using Phase = warpfiber::detail::Phase<Fields>;

 public:
  using arrival_token = bool;

  CompletingBarrier() = default;
  CompletingBarrier(const CompletingBarrier&) = delete;
  CompletingBarrier& operator=(const CompletingBarrier&) = delete;

  void start(::std::ptrdiff_t expected, CompletionFunction completion, Site site) {
    ::new (static_cast<void*>(&completion_)) CompletionFunction(::std::move(completion));
    Phase::init(&word_, expected, "init(cuda::barrier)", site);
  }

  [[nodiscard]] WARPFIBER_AT_CALLER arrival_token arrive(::std::ptrdiff_t update = 1, Site site = Site::here()) {
    return take(update, 0, "cuda::barrier::arrive()", site);
  }
  WARPFIBER_AT_CALLER void wait(arrival_token&& token, Site site = Site::here()) const {
    Phase::wait(&word_, token, "cuda::barrier::wait()", site);
  }
  WARPFIBER_AT_CALLER void arrive_and_wait(Site site = Site::here()) {
    const bool token = take(1, 0, "cuda::barrier::arrive_and_wait()", site);
    Phase::wait(&word_, token, "cuda::barrier::arrive_and_wait()", site);
  }
  WARPFIBER_AT_CALLER void arrive_and_drop(Site site = Site::here()) {
    take(1, 1, "cuda::barrier::arrive_and_drop()", site);
  }

  static constexpr ::std::ptrdiff_t max() noexcept { return ::std::numeric_limits<::std::ptrdiff_t>::max(); }

  void check(const char* call, Site site) const { Phase::expect(&word_, call, site); }
  const void* checked_word() const { return &word_; }

 private:
  bool take(::std::ptrdiff_t arrivals, ::std::ptrdiff_t drops, const char* call, Site site) {
    const ::std::uint64_t old = Phase::change(&word_, arrivals, drops, 0, false, call, site);
    if (arrivals != 0 && Fields::pending(old) == static_cast<::std::uint64_t>(arrivals)) {
      Phase::acquire_arrivals(&word_);
      completion_();
      Phase::end(&word_, site);
    }
    return (old & Fields::kParity) != 0;
  }

  ::std::uint64_t word_;
  [[maybe_unused]] ::std::uint64_t as_large_as_on_the_device_;
  CompletionFunction completion_;
};

}  // namespace warpfiber::cuda

namespace cuda {

namespace std {

using __empty_completion = warpfiber::cuda::NoCompletion;

/// libcu++'s <cuda/std/barrier>, at system scope.
template <class CompletionFunction = __empty_completion>
class barrier : public warpfiber::cuda::CompletingBarrier<CompletionFunction> {
 public:
  explicit barrier(::std::ptrdiff_t expected, CompletionFunction completion = CompletionFunction(),
                   warpfiber::Site site = warpfiber::Site::here()) {
    this->start(expected, ::std::move(completion), site);
  }
};

template <>
class barrier<__empty_completion> : public warpfiber::cuda::WordBarrier<warpfiber::detail::WideFields> {
 public:
  explicit barrier(::std::ptrdiff_t expected, __empty_completion = {}, warpfiber::Site site = warpfiber::Site::here()) {
    start(expected, site);
  }
};

}  // namespace std

/// Synchronises `expected` threads of `kScope`, in phases. In shared memory one thread calls init() for it, before
/// a barrier of the block.
template <thread_scope kScope, class CompletionFunction = std::__empty_completion>
class barrier : public warpfiber::cuda::CompletingBarrier<CompletionFunction> {
 public:
  barrier() = default;
  barrier(::std::ptrdiff_t expected, CompletionFunction completion = CompletionFunction(),
          warpfiber::Site site = warpfiber::Site::here()) {
    this->start(expected, ::std::move(completion), site);
  }

  friend void init(barrier* made, ::std::ptrdiff_t expected, warpfiber::Site site = warpfiber::Site::here()) {
    made->start(expected, CompletionFunction(), site);
  }
  friend void init(barrier* made, ::std::ptrdiff_t expected, CompletionFunction completion,
                   warpfiber::Site site = warpfiber::Site::here()) {
    made->start(expected, ::std::move(completion), site);
  }
};

/// The barrier of a block counts as an mbarrier does, bytes of asynchronous copies too; wider ones count further.
template <thread_scope kScope>
class barrier<kScope, std::__empty_completion>
    : public warpfiber::cuda::WordBarrier<
          ::std::conditional_t<kScope == thread_scope_block || kScope == thread_scope_thread,
                               warpfiber::detail::MbarrierFields, warpfiber::detail::WideFields>> {
 public:
  barrier() = default;
  barrier(::std::ptrdiff_t expected, std::__empty_completion = {}, warpfiber::Site site = warpfiber::Site::here()) {
    this->start(expected, site);
  }

  friend void init(barrier* made, ::std::ptrdiff_t expected, warpfiber::Site site = warpfiber::Site::here()) {
    made->start(expected, site);
  }
  friend void init(barrier* made, ::std::ptrdiff_t expected, std::__empty_completion,
                   warpfiber::Site site = warpfiber::Site::here()) {
    made->start(expected, site);
  }
};

namespace device {

/// The mbarrier of a barrier, for the functions of PTX.
inline ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& of) {
  return of.native_handle();
}

/// Arrives `arrivals` times and announces `bytes` of asynchronous copies, which the phase waits for as well.
[[nodiscard]] inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& at, ::std::ptrdiff_t arrivals, ::std::ptrdiff_t bytes,
    warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::Mbarrier::change(at.native_handle(), arrivals, 0, bytes, true,
                                             "cuda::device::barrier_arrive_tx()", site);
}

/// Announces `bytes` of asynchronous copies, which the phase waits for.
inline void barrier_expect_tx(barrier<thread_scope_block>& at, ::std::ptrdiff_t bytes,
                              warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::Mbarrier::change(at.native_handle(), 0, 0, bytes, true, "cuda::device::barrier_expect_tx()", site);
}

}  // namespace device

}  // namespace cuda
