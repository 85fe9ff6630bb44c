// SPDX-License-Identifier: Apache-2.0
// Which memory an address belongs to (CUDA C++ Programming Guide, "Address Space Predicate Functions", "Address Space
// Conversion Functions"). Here every address is generic; an address of the shared space counts from the beginning of
// the block's shared memory, and as on a device that of another block of the cluster has the block's rank in its upper
// bits. Called by any thread inside a kernel.
#pragma once

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/site.hpp>

#include <cstddef>

/// Whether `address` is in the shared memory of the running block.
unsigned __isShared(const void* address);
/// The same: that of other blocks of the cluster is none.
inline unsigned __isCtaShared(const void* address) {
  return __isShared(address);
}
/// Whether `address` is in the shared memory of some block of the running block's cluster.
unsigned __isClusterShared(const void* address);
/// Whether `address` is on the stack of the running thread.
unsigned __isLocal(const void* address);
/// Whether `address` is in a __constant__ variable.
unsigned __isConstant(const void* address);
/// Whether `address` is in a __grid_constant__ parameter of the running kernel, which all threads of its grid share.
unsigned __isGridConstant(const void* address);
/// Whether `address` is in none of the block's, the cluster's, the thread's or constant memory. Parameters are global:
/// the window of kernel parameters lies in that of global memory (PTX ISA, "Generic Addressing").
unsigned __isGlobal(const void* address);

namespace warpfiber::detail {

/// Addresses of the shared space below this are the running block's; those of the block with rank r of its cluster
/// begin at (r + 1) times this.
inline constexpr std::size_t kSharedWindow = std::size_t{1} << 24;
inline constexpr std::size_t kMaxSharedWindows = 32;

/// For pointers that are not in the block's own shared memory: the address in the window of the block that they are of,
/// else their distance from the block's.
std::size_t shared_address_elsewhere(const void* pointer, Site site);
/// The pointer for an address in the window of another block, or of the block itself by its rank.
void* shared_pointer_elsewhere(std::size_t address, Site site);

}  // namespace warpfiber::detail

inline std::size_t __cvta_generic_to_shared(const void* address, warpfiber::Site site = warpfiber::Site::here()) {
  const auto offset = static_cast<std::size_t>(
      static_cast<const char*>(address) - static_cast<const char*>(warpfiber::detail::current_thread.block->shared));
  if (WARPFIBER_LIKELY(offset < warpfiber::detail::kSharedWindow)) return offset;
  return warpfiber::detail::shared_address_elsewhere(address, site);
}
inline void* __cvta_shared_to_generic(std::size_t address, warpfiber::Site site = warpfiber::Site::here()) {
  using namespace warpfiber::detail;
  if (WARPFIBER_LIKELY(address - kSharedWindow >= kMaxSharedWindows * kSharedWindow)) {
    return static_cast<char*>(current_thread.block->shared) + address;
  }
  return shared_pointer_elsewhere(address, site);
}
inline std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline std::size_t __cvta_generic_to_local(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_local_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline std::size_t __cvta_generic_to_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
inline std::size_t __cvta_generic_to_grid_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
inline void* __cvta_grid_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}

namespace warpfiber::detail {

/// The SM of the running block, as if blocks were dealt to the device's SMs in turn.
unsigned multiprocessor_of_block();
/// The SMs of the process's device model.
unsigned multiprocessors();

}  // namespace warpfiber::detail
