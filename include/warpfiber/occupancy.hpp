// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a kernel an SM holds, and what follows from it: how many clusters and how large a cooperative grid
// a device holds, which block size fills it. Arithmetic only: the same numbers always give the same answer, and the
// answers are those of NVIDIA's occupancy API (the formulas are public in the toolkit's cuda_occupancy.h).
// Anyone may ask; nothing here throws or allocates.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cstddef>
#include <cstdint>

#include <warpfiber/device.hpp>

namespace warpfiber {

/// What of a kernel decides how it may be launched and how many of its blocks are resident: cudaFuncAttributes'
/// numbers.
struct KernelAttributes {
  /// A kernel that has not raised its limit may use what its static shared memory leaves of shared_per_block.
  static constexpr std::size_t kDefaultDynamicShared = ~std::size_t{0};

  /// A host compiler does not compute them; with 32 no model is short of registers. 0: they are no limit.
  unsigned registers_per_thread = 32;
  std::size_t static_shared = 0;                           // bytes
  std::size_t max_dynamic_shared = kDefaultDynamicShared;  // bytes; cudaFuncAttributeMaxDynamicSharedMemorySize
  unsigned max_threads_per_block = 0;                      // __launch_bounds__; 0: the device's
  std::size_t local_bytes = 0;                             // bytes a thread
  std::size_t constant_bytes = 0;
  int preferred_carveout =
      -1;                  // percent of an SM's shared memory; -1: none; cudaFuncAttributePreferredSharedMemoryCarveout
  unsigned cluster_x = 0;  // __cluster_dims__; 0: none
  unsigned cluster_y = 0;
  unsigned cluster_z = 0;
  bool non_portable_cluster = false;  // cudaFuncAttributeNonPortableClusterSizeAllowed
};

/// What keeps a further block of a kernel off an SM.
enum class OccupancyLimit : unsigned char {
  block_size,     // one block has more threads than a block may have
  threads,        // the SM's warps are taken
  blocks,         // the SM holds no more blocks of any kernel
  registers,      // the registers are taken, or one block wants more than it may have
  shared_memory,  // the shared memory is taken, or one block wants more than it may have
};

/// "threads per block", "threads", "blocks", "registers", "shared memory".
const char* limit_name(OccupancyLimit limit) noexcept;

/// How many blocks an SM holds and why not more.
struct Occupancy {
  /// In place of a number of blocks: this resource sets no limit.
  static constexpr unsigned kUnlimited = ~0u;

  unsigned blocks_per_sm = 0;  // 0: the block cannot run on this device
  OccupancyLimit limit = OccupancyLimit::threads;

  // How many blocks each resource alone admits.
  unsigned by_threads = 0;
  unsigned by_blocks = 0;
  unsigned by_registers = 0;
  unsigned by_shared = 0;

  // What one block takes, rounded up as the hardware does.
  unsigned warps_per_block = 0;
  std::uint64_t registers_per_block = 0;
  std::uint64_t shared_per_block = 0;  // bytes, with the driver's own
  std::uint64_t shared_per_sm = 0;     // bytes that the SM sets aside for such blocks
};

/// cudaOccupancyMaxActiveBlocksPerMultiprocessor, with the reason. A block of 0 threads gives 0 blocks; CUDA calls that
/// an invalid value, which is for the caller to check.
Occupancy occupancy(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                    std::size_t dynamic_shared) noexcept;

/// The dynamic shared memory, in bytes, that a launch of this kernel may ask for: what cudaFuncGetAttributes returns as
/// maxDynamicSharedSizeBytes.
std::size_t max_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel) noexcept;

/// The most threads a block of this kernel may have: its launch bounds, what its registers allow, and the device's
/// limit. What cudaFuncGetAttributes returns as maxThreadsPerBlock.
unsigned max_block_threads(const DeviceModel& device, const KernelAttributes& kernel) noexcept;

/// The largest cooperative grid in blocks: blocks per SM times SMs.
std::uint64_t max_cooperative_blocks(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                                     std::size_t dynamic_shared) noexcept;

/// cudaOccupancyMaxActiveClusters: how many clusters of `cluster_blocks` blocks are resident at the same time. All
/// blocks of a cluster are on different SMs of one GPC. 0 where the device or the kernel does not allow such a cluster;
/// like CUDA it answers a kernel that consents to non-portable sizes for every size that fits a GPC, also those that no
/// launch may have.
unsigned max_active_clusters(const DeviceModel& device, const KernelAttributes& kernel, unsigned cluster_blocks,
                             unsigned block_threads, std::size_t dynamic_shared) noexcept;

/// cudaOccupancyMaxPotentialClusterSize: the largest cluster, in blocks, of which one can be resident. 0 where the
/// device has no clusters.
unsigned max_potential_cluster_blocks(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                                      std::size_t dynamic_shared) noexcept;

/// The most blocks a cluster of this kernel may have: 8 portably, more where the kernel allows non-portable sizes;
/// below 2 where the device has no clusters.
unsigned max_cluster_blocks(const DeviceModel& device, const KernelAttributes& kernel) noexcept;

/// cudaOccupancyAvailableDynamicSMemPerBlock: the dynamic shared memory, in bytes, that each of `blocks_per_sm` blocks
/// can have if they share an SM. 0 where so many do not fit even without any, or are none; CUDA calls both an invalid
/// value. The number is CUDA's and leaves out what the driver keeps of each block (DeviceModel::
/// shared_reserved_per_block): where it is not the kernel's limit, that much less is what really fits.
std::size_t available_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel, unsigned blocks_per_sm,
                                     unsigned block_threads) noexcept;

/// A block size that fills an SM and the fewest blocks that fill the device with it; both 0 where no block fits.
struct LaunchSuggestion {
  unsigned min_grid = 0;
  unsigned block = 0;
};

/// cudaOccupancyMaxPotentialBlockSize: the block size with the most resident threads, the larger where several have as
/// many; at most `block_limit` threads (0: as many as the kernel may have).
LaunchSuggestion potential_block_size(const DeviceModel& device, const KernelAttributes& kernel,
                                      std::size_t dynamic_shared = 0, unsigned block_limit = 0) noexcept;

namespace detail {

/// The blocks of a search for the best block size, best so far in `suggestion`.
struct BlockSizeSearch {
  const DeviceModel& device;
  const KernelAttributes& kernel;
  unsigned limit;
  unsigned best_threads = 0;
  LaunchSuggestion suggestion = {};

  BlockSizeSearch(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_limit) noexcept;
  /// The size to try first, a multiple of a warp except where the limit is none.
  unsigned first() const noexcept { return limit; }
  /// The size to try after `block`: the next smaller multiple of a warp, 0 after the last or when an SM is full.
  unsigned next(unsigned block) const noexcept;
  void consider(unsigned block, std::size_t dynamic_shared) noexcept;
};

}  // namespace detail

/// cudaOccupancyMaxPotentialBlockSizeVariableSMem: the same where the dynamic shared memory depends on the block size;
/// `shared_for(threads)` returns bytes.
template <class SharedFor>
LaunchSuggestion potential_block_size_variable(const DeviceModel& device, const KernelAttributes& kernel,
                                               SharedFor&& shared_for, unsigned block_limit = 0) {
  detail::BlockSizeSearch search(device, kernel, block_limit);
  for (unsigned block = search.first(); block != 0; block = search.next(block))
    search.consider(block, static_cast<std::size_t>(shared_for(block)));
  return search.suggestion;
}

}  // namespace warpfiber
