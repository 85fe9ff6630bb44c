// SPDX-License-Identifier: Apache-2.0
// <cuda_awbarrier_primitives.h> and <cuda_awbarrier.h>: the mbarrier of PTX as functions of C and as a class (CUDA C++
// Programming Guide, "Asynchronous Barrier", primitives interface). Called by threads inside a kernel, on an mbarrier
// in shared memory. Misuse ends the launch with `cg-misuse`, waiting for ever is a deadlock.
#pragma once

#include <warpfiber/intrinsics/phase.hpp>

#include <cstdint>

/// An mbarrier, and what an arrival returns.
typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace warpfiber::cuda {

using warpfiber::detail::Mbarrier;

/// The parity of the phase that a token was given in.
inline bool parity_of_token(std::uint64_t token) {
  return (token & warpfiber::detail::MbarrierFields::kParity) != 0;
}

}  // namespace warpfiber::cuda

/// The most arrivals that a phase may expect.
inline std::uint32_t __mbarrier_maximum_count() {
  return (1U << 14) - 1;
}

inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected_count,
                            warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::Mbarrier::init(barrier, expected_count, "__mbarrier_init()", site);
}

/// After this the memory may be used for something else.
inline void __mbarrier_inval(__mbarrier_t* barrier, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::Mbarrier::invalidate(barrier, "__mbarrier_inval()", site);
}

inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier, warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::cuda::Mbarrier::change(barrier, 1, 0, 0, true, "__mbarrier_arrive()", site);
}

inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier,
                                                     warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::cuda::Mbarrier::change(barrier, 1, 1, 0, true, "__mbarrier_arrive_and_drop()", site);
}

/// Whether the phase is over. A thread that asks again and again lets others run.
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity,
                                        warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::cuda::Mbarrier::test(barrier, phase_parity, "__mbarrier_test_wait()", site);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                 warpfiber::Site site = warpfiber::Site::here()) {
  return __mbarrier_test_wait_parity(barrier, warpfiber::cuda::parity_of_token(token), site);
}

/// The same after at most so many nanoseconds (warpfiber::detail::Looks).
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity, std::uint32_t max_sleep_nanosec,
                                       warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::cuda::Mbarrier::wait_for_time(barrier, phase_parity, max_sleep_nanosec, "__mbarrier_try_wait()",
                                                  site);
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t max_sleep_nanosec,
                                warpfiber::Site site = warpfiber::Site::here()) {
  return __mbarrier_try_wait_parity(barrier, warpfiber::cuda::parity_of_token(token), max_sleep_nanosec, site);
}

/// Arrivals that were pending before the one that the token is from.
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return static_cast<std::uint32_t>(warpfiber::detail::MbarrierFields::pending(token));
}

namespace nvcuda {
namespace experimental {

/// CUDA 11's class around an mbarrier.
class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    std::uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    explicit arrival_token(std::uint64_t token) : token_(token) {}

    std::uint64_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  arrival_token arrive(warpfiber::Site site = warpfiber::Site::here()) {
    return arrival_token(__mbarrier_arrive(&word_, site));
  }
  arrival_token arrive_and_drop(warpfiber::Site site = warpfiber::Site::here()) {
    return arrival_token(__mbarrier_arrive_and_drop(&word_, site));
  }
  /// Cycles count as nanoseconds.
  bool timed_wait(arrival_token token, std::uint32_t hint_cycles, warpfiber::Site site = warpfiber::Site::here()) {
    return __mbarrier_try_wait(&word_, token.token_, hint_cycles, site);
  }
  bool timed_wait_parity(bool phase, std::uint32_t hint_cycles, warpfiber::Site site = warpfiber::Site::here()) {
    return __mbarrier_try_wait_parity(&word_, phase, hint_cycles, site);
  }
  bool try_wait(arrival_token token, std::uint32_t nanoseconds, warpfiber::Site site = warpfiber::Site::here()) {
    return __mbarrier_try_wait(&word_, token.token_, nanoseconds, site);
  }
  bool try_wait_parity(bool phase, std::uint32_t nanoseconds, warpfiber::Site site = warpfiber::Site::here()) {
    return __mbarrier_try_wait_parity(&word_, phase, nanoseconds, site);
  }
  void wait(arrival_token token, warpfiber::Site site = warpfiber::Site::here()) {
    warpfiber::cuda::Mbarrier::wait(&word_, warpfiber::cuda::parity_of_token(token.token_), "awbarrier::wait()", site);
  }
  void arrive_and_wait(warpfiber::Site site = warpfiber::Site::here()) { wait(arrive(site), site); }
  static constexpr std::uint32_t max() { return (1U << 14) - 1; }

 private:
  friend void init(awbarrier* barrier, std::uint32_t expected_count, warpfiber::Site site);
  friend void inval(awbarrier* barrier, warpfiber::Site site);
  friend class pipeline;

  std::uint64_t word_;
};

inline void init(awbarrier* barrier, std::uint32_t expected_count, warpfiber::Site site = warpfiber::Site::here()) {
  __mbarrier_init(&barrier->word_, expected_count, site);
}
inline void inval(awbarrier* barrier, warpfiber::Site site = warpfiber::Site::here()) {
  __mbarrier_inval(&barrier->word_, site);
}

}  // namespace experimental
}  // namespace nvcuda
