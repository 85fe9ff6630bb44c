// SPDX-License-Identifier: Apache-2.0
// libcu++'s latches: cuda::latch and cuda::std::latch (libcu++ reference, "cuda::latch"), a barrier for one phase.
// Threads of a kernel and of the host may use them. Counting down further than to zero ends the launch with
// `cg-misuse`.
#pragma once

#include <warpfiber/cuda/thread_scope.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace warpfiber::cuda {

class Latch {
  using Fields = warpfiber::detail::WideFields;
  using Phase = warpfiber::detail::Phase<Fields>;

 public:
  constexpr explicit Latch(::std::ptrdiff_t expected) noexcept
      : word_(Fields::make(static_cast<::std::uint64_t>(expected))) {}
  Latch(const Latch&) = delete;
  Latch& operator=(const Latch&) = delete;

  void count_down(::std::ptrdiff_t update = 1, Site site = Site::here()) {
    Phase::change(&word_, update, 0, 0, false, "cuda::latch::count_down()", site);
  }
  bool try_wait(Site site = Site::here()) const noexcept {
    return Phase::has_come(&word_, "cuda::latch::try_wait()", site);
  }
  void wait(Site site = Site::here()) const { Phase::wait_for_all(&word_, "cuda::latch::wait()", site); }
  void arrive_and_wait(::std::ptrdiff_t update = 1, Site site = Site::here()) {
    Phase::change(&word_, update, 0, 0, false, "cuda::latch::arrive_and_wait()", site);
    Phase::wait_for_all(&word_, "cuda::latch::arrive_and_wait()", site);
  }

  /// What libcu++ says; a latch counts from 2^30 - 1 here.
  static constexpr ::std::ptrdiff_t max() noexcept { return ::std::numeric_limits<::std::ptrdiff_t>::max(); }

 private:
  ::std::uint64_t word_;
};

}  // namespace warpfiber::cuda

namespace cuda {

namespace std {
using latch = warpfiber::cuda::Latch;
}  // namespace std

/// Waits until `expected` arrivals have been made, once.
template <thread_scope kScope>
class latch : public warpfiber::cuda::Latch {
 public:
  constexpr latch(::std::ptrdiff_t expected) noexcept : Latch(expected) {}
};

}  // namespace cuda
