// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block (CUDA C++ Programming Guide, "__shared__"), static and dynamic, and the shared memory of the
// other blocks of a cluster ("Distributed Shared Memory").
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>

#include <type_traits>

namespace warpfiber {

/// The block's one instance of a T, uninitialised as on the device: a poison pattern until it is written. `Tag`
/// distinguishes two variables of one type and is any type, usually one declared on the spot:
///     auto& partial = warpfiber::shared<float[32], struct partials>();
/// Called by any thread inside a kernel. No constructor runs, but as with nvcc the type has to have one that takes
/// nothing.
template <class T, class Tag>
inline T& shared() {
  static_assert(std::is_default_constructible_v<T>, "a __shared__ variable has to have a default constructor");
  using namespace detail;
  const SharedVariable& variable = SharedSlot<T, Tag>::variable;
  return *static_cast<T*>(detail::shared_address(variable));
}

/// The dynamic shared memory of the block, `LaunchConfig::dynamic_shared` bytes, aligned to 128.
/// Called by any thread inside a kernel.
template <class T>
inline T* dynamic_shared() {
  return reinterpret_cast<T*>(detail::current_thread.dynamic_shared);
}

}  // namespace warpfiber

/// Declares the shared variable `name`: WARPFIBER_SHARED(float[32], partial);
#define WARPFIBER_SHARED(type, name) \
  struct name##_shared_tag;          \
  auto& name = ::warpfiber::shared<type, struct name##_shared_tag>()
