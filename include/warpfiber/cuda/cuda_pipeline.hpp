// SPDX-License-Identifier: Apache-2.0
// <cuda_pipeline_primitives.h> and <cuda_pipeline.h>: asynchronous copies of one thread as functions of C and as CUDA
// 11's class (CUDA C++ Programming Guide, "Pipeline Primitives Interface"). Called by threads inside a kernel. The
// copies are done at once. Sizes other than 4, 8 and 16 bytes and addresses that are no multiples of them end the
// launch with `cg-misuse`; the device traps or faults.
#pragma once

#include <warpfiber/cuda/barrier.hpp>
#include <warpfiber/cuda/mbarrier.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>

#include <cstddef>
#include <type_traits>

/// Copies `size_and_align` bytes, 4, 8 or 16, from global to shared memory; the last `zfill` of them become zero.
inline void __pipeline_memcpy_async(void* __restrict__ dst_shared, const void* __restrict__ src_global,
                                    std::size_t size_and_align, std::size_t zfill = 0,
                                    warpfiber::Site site = warpfiber::Site::here()) {
  using namespace warpfiber::detail;
  constexpr const char* kCall = "__pipeline_memcpy_async()";
  if (size_and_align != 4 && size_and_align != 8 && size_and_align != 16) {
    copy_misuse(CopyMisuse::bad_size, kCall, size_and_align, 0, site);
  }
  if (zfill > size_and_align) copy_misuse(CopyMisuse::too_many_zeroes, kCall, zfill, size_and_align, site);
  if (__isShared(dst_shared) == 0) {
    copy_misuse(CopyMisuse::not_to_shared, kCall, reinterpret_cast<std::uintptr_t>(dst_shared), 0, site);
  }
  check_copy(dst_shared, src_global, size_and_align, size_and_align, kCall, site);
  copy_async(dst_shared, src_global, size_and_align - zfill, size_and_align, site);
}

/// Ends a batch of the calling thread's copies.
inline void __pipeline_commit(warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::commit_copies(site);
}

/// Waits for all batches of the calling thread but the last `prior`.
inline void __pipeline_wait_prior(std::size_t prior, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::wait_for_copies(prior, site);
}

/// The current phase of the barrier waits for the calling thread's copies so far.
inline void __pipeline_arrive_on(__mbarrier_t* barrier, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::Mbarrier::expect(barrier, "__pipeline_arrive_on()", site);
  warpfiber::detail::bind_all_copies(barrier);
  warpfiber::detail::commit_copies(site);
}

namespace nvcuda {
namespace experimental {

/// Batches of the calling thread's copies, numbered.
class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /// Ends a batch and returns its number, from 0.
  std::size_t commit(warpfiber::Site site = warpfiber::Site::here()) {
    __pipeline_commit(site);
    return batches_++;
  }
  void commit_and_wait(warpfiber::Site site = warpfiber::Site::here()) {
    commit(site);
    __pipeline_wait_prior(0, site);
  }
  /// Waits for the first `batch` batches, as CUDA 13.0's headers do: not for the one of this number.
  void wait(std::size_t batch, warpfiber::Site site = warpfiber::Site::here()) {
    __pipeline_wait_prior(batches_ > batch ? batches_ - batch : 0, site);
  }
  template <unsigned kBut>
  void wait_prior(warpfiber::Site site = warpfiber::Site::here()) {
    __pipeline_wait_prior(kBut, site);
  }
  void arrive_on(awbarrier& barrier, warpfiber::Site site = warpfiber::Site::here()) {
    __pipeline_arrive_on(&barrier.word_, site);
  }
  void arrive_on(::cuda::barrier<::cuda::thread_scope_block>& barrier, warpfiber::Site site = warpfiber::Site::here()) {
    __pipeline_arrive_on(barrier.native_handle(), site);
  }

 private:
  std::size_t batches_ = 0;
};

/// The first elements as an array.
template <std::size_t Count, class T>
auto segment(T* first) -> T (*)[Count] {
  return reinterpret_cast<T(*)[Count]>(first);
}

/// Copies an object.
template <class T>
void memcpy_async(T& dst, const T& src, pipeline&, warpfiber::Site site = warpfiber::Site::here()) {
  using namespace warpfiber::detail;
  if constexpr (std::is_trivially_copyable_v<T>) {
    check_copy(&dst, &src, sizeof(T), alignof(T), "nvcuda::experimental::memcpy_async()", site);
    copy_async(&dst, &src, sizeof(T), sizeof(T), site);
  } else {
    dst = src;
  }
}

/// Copies an array of 4, 8 or 16 bytes; what the source lacks becomes zero.
template <class T, std::size_t kTo, std::size_t kFrom>
void memcpy_async(T (*dst)[kTo], const T (*src)[kFrom], pipeline&, warpfiber::Site site = warpfiber::Site::here()) {
  using namespace warpfiber::detail;
  constexpr std::size_t kBytes = sizeof *dst;
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16, "the copy has 4, 8 or 16 bytes");
  static_assert(sizeof *src <= kBytes, "the source is at most as large as the destination");
  if constexpr (std::is_trivially_copyable_v<T>) {
    check_copy(dst, src, kBytes, kBytes, "nvcuda::experimental::memcpy_async()", site);
    copy_async(dst, src, sizeof *src, kBytes, site);
  } else {
    for (std::size_t i = 0; i < kTo; ++i) (*dst)[i] = i < kFrom ? (*src)[i] : T();
  }
}

}  // namespace experimental
}  // namespace nvcuda
