// SPDX-License-Identifier: Apache-2.0
// libcu++'s memcpy_async (libcu++ reference, "cuda::memcpy_async"): copies of a thread or a group whose end a barrier
// or a pipeline signals. They are done at once, each thread of a group its share. Sizes are in bytes. Addresses and
// sizes that break what an aligned_size_t or the type of the pointers promises end the launch with `cg-misuse`, and so
// do different arguments in the threads of a cooperative group.
#pragma once

#include <warpfiber/cuda/barrier.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>

#include <cstddef>
#include <type_traits>

namespace cuda {

/// Whether a copy goes on when memcpy_async returns, on the device.
enum class async_contract_fulfillment { none, async };

/// A size in bytes that is a multiple of `kAlignment`, as both addresses of the copy are.
template <std::size_t kAlignment>
struct aligned_size_t {
  static constexpr std::size_t align = kAlignment;
  std::size_t value;

  explicit constexpr aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
};

enum class pipeline_role { producer, consumer };

template <thread_scope kScope>
class pipeline;

}  // namespace cuda

namespace warpfiber::cuda {

/// The group of one thread.
struct OneThread {
  static constexpr ::std::size_t size() { return 1; }
  static constexpr ::std::size_t thread_rank() { return 0; }
};

/// The alignment that the type of a size promises.
template <class Size>
constexpr ::std::size_t promised_by() {
  if constexpr (requires { Size::align; }) {
    return Size::align;
  } else {
    return 1;
  }
}

template <class T>
constexpr ::std::size_t alignment_of_target() {
  if constexpr (::std::is_void_v<T>) {
    return 1;
  } else {
    static_assert(::std::is_trivially_copyable_v<T>, "memcpy_async requires a trivially copyable type");
    return alignof(T);
  }
}

// Sees that a barrier can be waited for; a pipeline always can.
template <::cuda::thread_scope kScope, class Completion>
inline void check_target(const ::cuda::barrier<kScope, Completion>& barrier, Site site) {
  barrier.check("cuda::memcpy_async()", site);
}
template <::cuda::thread_scope kScope>
inline void check_target(const ::cuda::pipeline<kScope>&, Site) {}

// When the copies that a thread has started for `end` are over; a pipeline says so when they are committed.
template <::cuda::thread_scope kScope, class Completion>
inline void bind_to(const ::cuda::barrier<kScope, Completion>& barrier) {
  warpfiber::detail::bind_copies(barrier.checked_word());
}
template <::cuda::thread_scope kScope>
inline void bind_to(const ::cuda::pipeline<kScope>&) {}

/// What memcpy_async may announce the end by.
template <class T>
inline constexpr bool kReportsEnd = false;
template <::cuda::thread_scope kScope, class Completion>
inline constexpr bool kReportsEnd<::cuda::barrier<kScope, Completion>> = true;
template <::cuda::thread_scope kScope>
inline constexpr bool kReportsEnd<::cuda::pipeline<kScope>> = true;

/// The share of the calling thread.
template <::std::size_t kAlignment, class Group, class End>
inline ::cuda::async_contract_fulfillment copy_for(const Group& group, void* to, const void* from, ::std::size_t bytes,
                                                   const End& end, Site site) {
  static_assert((kAlignment & (kAlignment - 1)) == 0, "the alignment of a copy is a power of two");
  const warpfiber::detail::UniformNote note{warpfiber::detail::UniformCall::copy, site, to, from, bytes};
  if constexpr (requires { note_uniform_call(group, note); }) note_uniform_call(group, note);  // of cooperative groups
  warpfiber::detail::check_copy(to, from, bytes, kAlignment > 16 ? 16 : kAlignment, "cuda::memcpy_async()", site);
  warpfiber::detail::copy_share(static_cast<::std::size_t>(group.thread_rank()),
                                static_cast<::std::size_t>(group.size()), to, from, bytes, kAlignment, site);
  bind_to(end);
  const bool async = kAlignment >= 4 && __isShared(to) != 0 && __isShared(from) == 0;
  return async ? ::cuda::async_contract_fulfillment::async : ::cuda::async_contract_fulfillment::none;
}

template <class T, class Size>
inline constexpr ::std::size_t kPromised = promised_by<Size>() > alignment_of_target<T>() ? promised_by<Size>()
                                                                                          : alignment_of_target<T>();

}  // namespace warpfiber::cuda

namespace cuda {

/// Copies `size` bytes. `end` (a barrier or a pipeline) signals when that is done: each thread that copies has to
/// arrive at it, or commit to it, afterwards. All threads of `group` call it with equal arguments and copy their
/// shares.
template <class Group, class T, class Size, class End>
requires(
    warpfiber::cuda::kReportsEnd<End>&& ::std::is_convertible_v<Size, std::size_t>) inline async_contract_fulfillment
    memcpy_async(const Group& group, T* destination, const T* source, Size size, End& end,
                 warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::check_target(end, site);
  warpfiber::detail::note_promise<warpfiber::cuda::promised_by<Size>()>(destination, source, site);
  return warpfiber::cuda::copy_for<warpfiber::cuda::kPromised<T, Size>>(group, destination, source,
                                                                        static_cast<std::size_t>(size), end, site);
}
template <class Group, class Size, class End>
requires(
    warpfiber::cuda::kReportsEnd<End>&& ::std::is_convertible_v<Size, std::size_t>) inline async_contract_fulfillment
    memcpy_async(const Group& group, void* destination, const void* source, Size size, End& end,
                 warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::check_target(end, site);
  warpfiber::detail::note_promise<warpfiber::cuda::promised_by<Size>()>(destination, source, site);
  return warpfiber::cuda::copy_for<warpfiber::cuda::kPromised<void, Size>>(group, destination, source,
                                                                           static_cast<std::size_t>(size), end, site);
}
template <class T, class Size, class End>
requires(
    warpfiber::cuda::kReportsEnd<End>&& ::std::is_convertible_v<Size, std::size_t>) inline async_contract_fulfillment
    memcpy_async(T* destination, const T* source, Size size, End& end, warpfiber::Site site = warpfiber::Site::here()) {
  return memcpy_async(warpfiber::cuda::OneThread{}, destination, source, size, end, site);
}
template <class Size, class End>
requires(
    warpfiber::cuda::kReportsEnd<End>&& ::std::is_convertible_v<Size, std::size_t>) inline async_contract_fulfillment
    memcpy_async(void* destination, const void* source, Size size, End& end,
                 warpfiber::Site site = warpfiber::Site::here()) {
  return memcpy_async(warpfiber::cuda::OneThread{}, destination, source, size, end, site);
}

namespace device {

/// Copies `size` bytes from global to shared memory and takes them from the bytes that the barrier's phase waits for.
template <class T, std::size_t kAlignment>
inline async_contract_fulfillment memcpy_async_tx(T* destination, const T* source, aligned_size_t<kAlignment> size,
                                                  barrier<thread_scope_block>& end,
                                                  warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(::std::is_trivially_copyable_v<T>, "memcpy_async_tx requires a trivially copyable type");
  static_assert(kAlignment >= 16, "memcpy_async_tx takes addresses and sizes that are multiples of at least 16");
  using namespace warpfiber::detail;
  constexpr const char* kCall = "cuda::device::memcpy_async_tx()";
  if (__isShared(destination) == 0) {
    copy_misuse(CopyMisuse::not_to_shared, kCall, reinterpret_cast<::std::uintptr_t>(destination), 0, site);
  }
  check_copy(destination, source, size.value, 16, kCall, site);
  copy_with_bytes(destination, source, size.value, end.native_handle(), site);
  Phase<MbarrierFields>::change(end.native_handle(), 0, 0, -static_cast<::std::int64_t>(size.value), true, kCall, site);
  return async_contract_fulfillment::async;
}

}  // namespace device

}  // namespace cuda
