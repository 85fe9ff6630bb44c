// SPDX-License-Identifier: Apache-2.0
// <cooperative_groups/memcpy_async.h>: copies that a group shares, and waiting for them. All threads of the group call
// with equal arguments; each copies its share, and a call ends a batch. The copies are done at once.
// Source: CUDA C++ Programming Guide, "memcpy_async", "wait and wait_prior"; CUDA 13.0's headers. Where those lose the
// rest of a size that is no multiple of the alignment, the launch ends with `cg-misuse`; so it does where threads of a
// group call with other arguments, or wait for a copy that others have not called.
#pragma once

#include <warpfiber/cuda/cuda_pipeline.hpp>
#include <warpfiber/groups/partition.hpp>
#include <warpfiber/groups/uniform.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>

#include <cstddef>
#include <type_traits>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// Groups whose threads share the memory of one block.
template <class Group>
inline constexpr bool kCopies = false;
template <>
inline constexpr bool kCopies<thread_block> = true;
template <>
inline constexpr bool kCopies<coalesced_group> = true;
template <unsigned Size, class Parent>
inline constexpr bool kCopies<thread_block_tile<Size, Parent>> = true;
#ifndef WARPFIBER_STRICT_CUDA
template <>
inline constexpr bool kCopies<thread_group> = true;  // as in the guide's example
#endif

/// What a size says: how much, and which alignment it promises (0: none, as with every integer).
template <class Size>
struct SizeOfCopy {
  static_assert(std::is_integral_v<Size>, "the size of a copy is an integer or a ::cuda::aligned_size_t");
  static constexpr std::size_t kAlignment = 0;
};
template <template <std::size_t> class Aligned, std::size_t kPromise>
struct SizeOfCopy<Aligned<kPromise>> {
  static_assert((kPromise & (kPromise - 1)) == 0, "the alignment of a copy is a power of two");
  static constexpr std::size_t kAlignment = kPromise;
};

template <class T>
constexpr std::size_t alignment_of_elements() {
  if constexpr (std::is_void_v<T>) {
    return 1;
  } else {
    return alignof(T);
  }
}

/// Waits for the threads of the group, behind their copies.
template <class Group>
void meet_behind_copies(const Group& group, Site site) {
  note_uniform_call(group, {warpfiber::detail::UniformCall::wait_for_copies, site});
  warpfiber::detail::sync_group(group, site);
}

/// The calling thread's share.
template <std::size_t kPromise, class Group>
void copy(const Group& group, void* to, const void* from, std::size_t bytes, Site site) {
  static_assert(kCopies<Group>, "Async copy is only supported for groups that represent private shared memory");
  note_uniform_call(group, {warpfiber::detail::UniformCall::copy, site, to, from, bytes});
  constexpr std::size_t kKnown = kPromise > 16 ? 16 : kPromise;
  using namespace warpfiber::detail;
  if constexpr (kKnown > 1) check_copy(to, from, bytes, kKnown, "cooperative_groups::memcpy_async()", site);
  const std::size_t alignment = kKnown >= 4 ? kKnown : common_alignment(to, from);
  copy_share(static_cast<std::size_t>(group.thread_rank()), static_cast<std::size_t>(group.size()), to, from, bytes,
             alignment, site);
}

}  // namespace details

/// Copies `size` bytes.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* __restrict__ destination, const T* __restrict__ source, const Size& size,
                  warpfiber::Site site = warpfiber::Site::here()) {
  constexpr std::size_t kPromise = details::SizeOfCopy<Size>::kAlignment;
  constexpr std::size_t kAlignment = kPromise != 0 ? kPromise : details::alignment_of_elements<T>();
  details::copy<kAlignment>(group, destination, source, static_cast<std::size_t>(size), site);
  warpfiber::detail::note_promise<kPromise>(destination, source, site);
  warpfiber::detail::commit_copies(site);
}

/// Copies as many elements as both have room for.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, T* __restrict__ destination, const ToLayout& room, const T* __restrict__ source,
                  const FromLayout& elements, warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(!std::is_void_v<T>, "elements are counted, so their type has to be known");
  constexpr bool kSame = std::is_same_v<ToLayout, FromLayout>;
  constexpr std::size_t kPromise = kSame ? details::SizeOfCopy<ToLayout>::kAlignment : 0;
  constexpr std::size_t kAlignment = kPromise != 0 ? kPromise : details::alignment_of_elements<T>();
  const auto to = static_cast<std::size_t>(room);
  const auto from = static_cast<std::size_t>(elements);
  details::copy<kAlignment>(group, destination, source, (to < from ? to : from) * sizeof(T), site);
  warpfiber::detail::note_promise<kPromise>(destination, source, site);
  warpfiber::detail::commit_copies(site);
}

/// Waits for the calling thread's batches but the last `kStages`, then for the threads of the group.
template <unsigned kStages, class Group>
void wait_prior(const Group& group, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::wait_for_copies(kStages, site);
  details::meet_behind_copies(group, site);
}

/// Waits for all batches of the calling thread, then for the threads of the group.
template <class Group>
void wait(const Group& group, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::wait_for_copies(0, site);
  details::meet_behind_copies(group, site);
}

// For their addresses (see thread_group.hpp).
template <unsigned kStages, class Group, std::same_as<void> Result>
Result wait_prior(const Group& group) {
  wait_prior<kStages>(group, warpfiber::Site{});
}
template <class Group, std::same_as<void> Result>
Result wait(const Group& group) {
  wait(group, warpfiber::Site{});
}

/// CUDA 11's forms, whose batches a pipeline counts. `batches` is how many of the first of them to wait for.
template <class Group, class T>
void memcpy_async(const Group& group, T* __restrict__ destination, std::size_t room, const T* __restrict__ source,
                  std::size_t elements, nvcuda::experimental::pipeline& pipe,
                  warpfiber::Site site = warpfiber::Site::here()) {
  details::copy<details::alignment_of_elements<T>()>(group, destination, source,
                                                     (room < elements ? room : elements) * sizeof(T), site);
  pipe.commit(site);
}
template <unsigned kStages, class Group>
void wait_prior(const Group& group, nvcuda::experimental::pipeline& pipe,
                warpfiber::Site site = warpfiber::Site::here()) {
  pipe.wait_prior<kStages>(site);
  details::meet_behind_copies(group, site);
}
template <class Group>
void wait(const Group& group, nvcuda::experimental::pipeline& pipe, std::size_t batches,
          warpfiber::Site site = warpfiber::Site::here()) {
  pipe.wait(batches, site);
  details::meet_behind_copies(group, site);
}

}  // namespace __v1
}  // namespace cooperative_groups
