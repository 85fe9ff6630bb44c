// SPDX-License-Identifier: Apache-2.0
// malloc, free, new and delete in functions of the device, as translated source calls them (src/compiler/translate):
// memory of the heap of the device that runs the calling thread. On the host they are the host's. Nothing here is meant
// to be written by hand. Source: CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations".
#pragma once

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/site.hpp>

#include <stdlib.h>

#include <cstddef>
#include <new>
#include <type_traits>

namespace warpfiber::cuda {
namespace detail {

/// Null beyond cudaLimitMallocHeapSize. Called by threads of kernels.
void* take_from_heap(std::size_t bytes, std::size_t alignment) noexcept;
/// Ends the launch with `invalid-free` where the memory is not the heap's, or not any more; null is nothing. Called by
/// threads of kernels.
void give_back_to_heap(void* memory, const char* call, Site site);
/// Whether `memory` lies in a piece of the heap that was not freed.
bool is_live_on_heap(const void* memory);
/// Ends the launch as give_back_to_heap() would; frees nothing.
void check_on_heap(void* memory, const char* call, Site site);

inline bool is_on_device() {
  return ::warpfiber::detail::current_thread.worker != nullptr;
}

}  // namespace detail

namespace device_functions {

inline void* malloc(std::size_t bytes) noexcept {
  return detail::is_on_device() ? detail::take_from_heap(bytes, 1) : ::malloc(bytes);
}
inline void free(void* memory, Site site = Site::here()) {
  detail::is_on_device() ? detail::give_back_to_heap(memory, "free()", site) : ::free(memory);
}

}  // namespace device_functions

/// Distinguishes the operators below from all others.
struct OnHeap {};
inline constexpr OnHeap on_heap{};

/// `HeapDelete{destroy} ->* p` is `delete p`: ->* takes the same operands. `destroy(p, whole)` is made where the user
/// wrote delete, so that it may call what only the user's class may: the whole delete where whole.value, else the
/// destructor of one object.
template <class Destroy>
struct HeapDelete {
  Destroy destroy;
  Site site = Site::here();
};
template <class Destroy>
HeapDelete(Destroy) -> HeapDelete<Destroy>;

template <class Destroy, class T>
void operator->*(const HeapDelete<Destroy>& call, T* pointer) {
  if (!detail::is_on_device()) return call.destroy(pointer, std::true_type());
  if (pointer == nullptr) return;
  void* memory = nullptr;
  if constexpr (std::is_polymorphic_v<T>) {
    // What was deleted has no type any more that could be asked where the object begins.
    void* part = const_cast<void*>(static_cast<const volatile void*>(pointer));
    if (!detail::is_live_on_heap(part)) detail::check_on_heap(part, "delete", call.site);
    memory = const_cast<void*>(dynamic_cast<const volatile void*>(pointer));
  } else {
    memory = const_cast<void*>(static_cast<const volatile void*>(pointer));
  }
  detail::check_on_heap(memory, "delete", call.site);
  call.destroy(pointer, std::false_type());
  detail::give_back_to_heap(memory, "delete", call.site);
}

/// The same for `delete[] p`.
template <class Destroy>
struct HeapDeleteArray {
  Destroy destroy;
  Site site = Site::here();
};
template <class Destroy>
HeapDeleteArray(Destroy) -> HeapDeleteArray<Destroy>;

template <class Destroy, class T>
void operator->*(const HeapDeleteArray<Destroy>& call, T* pointer) {
  if (!detail::is_on_device()) return call.destroy(pointer, std::true_type());
  if (pointer == nullptr) return;
  char* memory = const_cast<char*>(reinterpret_cast<const volatile char*>(pointer));
  // The number of elements lies before them (Itanium C++ ABI, "Array Operator new Cookies").
  if constexpr (!std::is_trivially_destructible_v<T>) {
    memory -= alignof(T) > sizeof(std::size_t) ? alignof(T) : sizeof(std::size_t);
  }
  detail::check_on_heap(memory, "delete[]", call.site);
  if constexpr (!std::is_trivially_destructible_v<T>) {
    for (std::size_t left = reinterpret_cast<const std::size_t*>(pointer)[-1]; left != 0; --left) {
      call.destroy(pointer + (left - 1), std::false_type());
    }
  }
  detail::give_back_to_heap(memory, "delete[]", call.site);
}

}  // namespace warpfiber::cuda

inline void* operator new(std::size_t bytes, warpfiber::cuda::OnHeap) noexcept {
  namespace detail = warpfiber::cuda::detail;
  return detail::is_on_device() ? detail::take_from_heap(bytes, 1) : ::operator new(bytes);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment, warpfiber::cuda::OnHeap) noexcept {
  namespace detail = warpfiber::cuda::detail;
  return detail::is_on_device() ? detail::take_from_heap(bytes, static_cast<std::size_t>(alignment))
                                : ::operator new(bytes, alignment);
}
inline void* operator new[](std::size_t bytes, warpfiber::cuda::OnHeap) noexcept {
  namespace detail = warpfiber::cuda::detail;
  return detail::is_on_device() ? detail::take_from_heap(bytes, 1) : ::operator new[](bytes);
}
inline void* operator new[](std::size_t bytes, std::align_val_t alignment, warpfiber::cuda::OnHeap) noexcept {
  namespace detail = warpfiber::cuda::detail;
  return detail::is_on_device() ? detail::take_from_heap(bytes, static_cast<std::size_t>(alignment))
                                : ::operator new[](bytes, alignment);
}
