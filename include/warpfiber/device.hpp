// SPDX-License-Identifier: Apache-2.0
//
// Device models: the numbers of one GPU that decide which launches are accepted and which blocks are resident.
// A model is plain data and never changes under a launch; the source of each number is given in docs/devices.md.
// Anyone may read models; warpfiber/device_file.hpp makes one from a file.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cstdint>
#include <span>
#include <string_view>

namespace warpfiber {

/// The numbers of one GPU. Sizes are in bytes, clocks in kHz, registers are 32 bits wide. The field names are also the
/// keys of a device file (docs/devices.md).
struct DeviceModel {
  static constexpr unsigned kNameBytes = 64;
  static constexpr unsigned kMaxCarveouts = 12;
  static constexpr unsigned kMaxGpcs = 16;

  char name[kNameBytes] = "";       // how reports and options call it: "H200"
  char full_name[kNameBytes] = "";  // how CUDA calls it: "NVIDIA H200"
  unsigned compute_major = 0;
  unsigned compute_minor = 0;

  // What a launch may ask for.
  unsigned warp_size = 0;
  unsigned max_threads_per_block = 0;
  unsigned max_block_x = 0;
  unsigned max_block_y = 0;
  unsigned max_block_z = 0;
  unsigned max_grid_x = 0;
  unsigned max_grid_y = 0;
  unsigned max_grid_z = 0;
  unsigned max_cluster_blocks_portable = 0;  // 0: the device has no clusters
  unsigned max_cluster_blocks = 0;           // with the kernel's consent to more than the portable number
  unsigned max_cluster_blocks_per_sm = 0;    // resident on an SM in clusters; 0: as many as without
  bool cooperative_launch = false;

  // What one multiprocessor (SM) holds.
  unsigned sm_count = 0;
  unsigned sub_partitions_per_sm = 0;  // registers and warps are divided evenly among them
  unsigned max_threads_per_sm = 0;
  unsigned max_blocks_per_sm = 0;
  unsigned registers_per_sm = 0;
  unsigned registers_per_block = 0;
  unsigned max_registers_per_thread = 0;
  unsigned register_allocation_unit = 0;  // a warp gets a multiple of this many registers
  unsigned shared_per_sm = 0;
  unsigned shared_per_block = 0;           // without asking
  unsigned shared_per_block_optin = 0;     // for kernels that raise their limit
  unsigned shared_reserved_per_block = 0;  // the driver's own, on top of what the block asks for
  unsigned shared_allocation_unit = 0;
  unsigned shared_carveouts[kMaxCarveouts] = {};  // shared memory an SM can set aside, ascending; the rest is L1 cache
  unsigned shared_carveout_count = 0;
  unsigned gpc_sms[kMaxGpcs] = {};  // SMs of each graphics processing cluster, or part of one, that blocks of a cluster
                                    // may be spread over: each of them on an SM of its own
  unsigned gpc_count = 0;           // 0: unknown, the device then counts as one

  // Memory and clocks.
  std::uint64_t global_bytes = 0;
  unsigned constant_bytes = 0;
  unsigned local_bytes_per_thread = 0;
  unsigned l2_bytes = 0;
  unsigned memory_bus_bits = 0;
  unsigned memory_clock_khz = 0;
  unsigned clock_khz = 0;  // the highest the vendor gives, what cudaDevAttrClockRate says
  unsigned max_pitch_bytes = 0;
  unsigned texture_alignment = 0;
  unsigned texture_pitch_alignment = 0;
  unsigned surface_alignment = 0;

  // What else programs ask a device about.
  unsigned max_resident_grids = 0;
  unsigned single_to_double_ratio = 0;
  bool ecc = false;

  bool operator==(const DeviceModel&) const = default;

  constexpr unsigned max_warps_per_sm() const { return max_threads_per_sm / warp_size; }
  constexpr bool has_clusters() const { return max_cluster_blocks > 1; }
};

/// All built-in models, oldest first, the tiny `teaching` device last.
std::span<const DeviceModel> device_models() noexcept;

/// The built-in model called `name`, short or full name or alias, whatever the case of its letters and its spaces,
/// dashes and underscores: "H200", "nvidia h200", "a100-80gb". Null where there is none.
const DeviceModel* find_device(std::string_view name) noexcept;

/// The model a program gets that does not choose: the H200.
const DeviceModel& default_device() noexcept;

}  // namespace warpfiber
