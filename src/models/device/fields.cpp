// SPDX-License-Identifier: Apache-2.0
//
// The rows declared in fields.hpp. Data only. The bounds keep the arithmetic of occupancy() and the masks of a warp
// meaningful; they do not say that such a GPU exists.
#include "device/fields.hpp"

namespace warpfiber::device {
namespace {

constexpr unsigned kAny = 4294967295u;
constexpr unsigned kManyBytes = 1u << 30;
constexpr unsigned kMaxLanes = 64;

constexpr NumberField kNumbers[] = {
    {"compute_major", &DeviceModel::compute_major, 1, 99},
    {"compute_minor", &DeviceModel::compute_minor, 0, 9},
    {"warp_size", &DeviceModel::warp_size, 1, kMaxLanes},
    {"max_threads_per_block", &DeviceModel::max_threads_per_block, 1, 65536},
    {"max_block_x", &DeviceModel::max_block_x, 1, 65536},
    {"max_block_y", &DeviceModel::max_block_y, 1, 65536},
    {"max_block_z", &DeviceModel::max_block_z, 1, 65536},
    {"max_grid_x", &DeviceModel::max_grid_x, 1, kAny},
    {"max_grid_y", &DeviceModel::max_grid_y, 1, kAny},
    {"max_grid_z", &DeviceModel::max_grid_z, 1, kAny},
    {"max_cluster_blocks_portable", &DeviceModel::max_cluster_blocks_portable, 0, 1024},
    {"max_cluster_blocks", &DeviceModel::max_cluster_blocks, 0, 1024},
    {"max_cluster_blocks_per_sm", &DeviceModel::max_cluster_blocks_per_sm, 0, 65536},
    {"sm_count", &DeviceModel::sm_count, 1, 65536},
    {"sub_partitions_per_sm", &DeviceModel::sub_partitions_per_sm, 1, 64},
    {"max_threads_per_sm", &DeviceModel::max_threads_per_sm, 1, 65536},
    {"max_blocks_per_sm", &DeviceModel::max_blocks_per_sm, 1, 65536},
    {"registers_per_sm", &DeviceModel::registers_per_sm, 1, kManyBytes},
    {"registers_per_block", &DeviceModel::registers_per_block, 1, kManyBytes},
    {"max_registers_per_thread", &DeviceModel::max_registers_per_thread, 1, 65536},
    {"register_allocation_unit", &DeviceModel::register_allocation_unit, 1, 65536},
    {"shared_per_sm", &DeviceModel::shared_per_sm, 1, kManyBytes},
    {"shared_per_block", &DeviceModel::shared_per_block, 1, kManyBytes},
    {"shared_per_block_optin", &DeviceModel::shared_per_block_optin, 1, kManyBytes},
    {"shared_reserved_per_block", &DeviceModel::shared_reserved_per_block, 0, kManyBytes},
    {"shared_allocation_unit", &DeviceModel::shared_allocation_unit, 1, kManyBytes},
    {"constant_bytes", &DeviceModel::constant_bytes, 0, kAny},
    {"local_bytes_per_thread", &DeviceModel::local_bytes_per_thread, 0, kAny},
    {"l2_bytes", &DeviceModel::l2_bytes, 0, kAny},
    {"memory_bus_bits", &DeviceModel::memory_bus_bits, 0, kAny},
    {"memory_clock_khz", &DeviceModel::memory_clock_khz, 0, kAny},
    {"clock_khz", &DeviceModel::clock_khz, 0, kAny},
    {"max_pitch_bytes", &DeviceModel::max_pitch_bytes, 1, kAny},
    {"texture_alignment", &DeviceModel::texture_alignment, 1, kManyBytes},
    {"texture_pitch_alignment", &DeviceModel::texture_pitch_alignment, 1, kManyBytes},
    {"surface_alignment", &DeviceModel::surface_alignment, 1, kManyBytes},
    {"max_resident_grids", &DeviceModel::max_resident_grids, 1, 65536},
    {"single_to_double_ratio", &DeviceModel::single_to_double_ratio, 1, 65536},
};

constexpr FlagField kFlags[] = {
    {"cooperative_launch", &DeviceModel::cooperative_launch},
    {"ecc", &DeviceModel::ecc},
};

constexpr ListField kLists[] = {
    {"shared_carveouts", [](DeviceModel& m) { return m.shared_carveouts; }, &DeviceModel::shared_carveout_count,
     DeviceModel::kMaxCarveouts, kManyBytes},
    {"gpc_sms", [](DeviceModel& m) { return m.gpc_sms; }, &DeviceModel::gpc_count, DeviceModel::kMaxGpcs, 65536},
};

constexpr OrderRule kOrder[] = {
    {"max_threads_per_block", &DeviceModel::max_threads_per_block, "max_threads_per_sm",
     &DeviceModel::max_threads_per_sm},
    {"registers_per_block", &DeviceModel::registers_per_block, "registers_per_sm", &DeviceModel::registers_per_sm},
    {"shared_per_block", &DeviceModel::shared_per_block, "shared_per_block_optin",
     &DeviceModel::shared_per_block_optin},
    {"shared_per_block_optin", &DeviceModel::shared_per_block_optin, "shared_per_sm", &DeviceModel::shared_per_sm},
    {"max_cluster_blocks_portable", &DeviceModel::max_cluster_blocks_portable, "max_cluster_blocks",
     &DeviceModel::max_cluster_blocks},
};

}  // namespace

std::span<const NumberField> number_fields() noexcept {
  return kNumbers;
}

std::span<const FlagField> flag_fields() noexcept {
  return kFlags;
}

std::span<const ListField> list_fields() noexcept {
  return kLists;
}

std::span<const OrderRule> order_rules() noexcept {
  return kOrder;
}

}  // namespace warpfiber::device
