// SPDX-License-Identifier: Apache-2.0
//
// Mistakes of which the kind says everything: no number and no name has to be known to explain them. The room report
// has a row with the sentences of each.
#pragma once

#include <cstdint>

namespace warpfiber::record {

enum class Mistake : std::uint8_t {
  // Accesses
  same_value_stored,
  read_only_load_of_written,
  object_of_no_argument,  // and of no pointer in device memory
  constant_written,
  freed_before_access,
  access_misaligned,
  alignment_not_declared,  // but promised
  local_of_another_thread,
  pageable_host_memory,
  host_name_of_device,
  host_virtual_table,
  atomic_scope_too_small,
  relies_on_lock_step,
  written_for_lock_step,
  volatile_store_overwrites,
  volatile_store_without_lock,
  atomics_of_two_widths,
  global_never_written,
  shared_never_written,
  unwritten_value_moved,
  unwritten_value_used,
  shared_of_other_block,
  shared_of_ended_block,
  shared_arrays_are_one,
  number_not_representable,
  bool_neither_0_nor_1,
  address_not_canonical,
  // Asynchronous copies
  copy_destination_accessed,
  copy_source_overwritten,
  copy_pending_at_return,
  // Shared memory of other blocks
  owner_may_have_returned,
  owner_may_not_have_started,
  rank_of_foreign_pointer,  // mapped to another block
  rank_asked_of_foreign_pointer,
  // Warps
  shuffle_outside_mask,
  shuffle_outside_mask_used,
  shuffle_outside_mask_at_edge,
  shuffle_from_returned_lane,
  mask_of_active_lanes,
  masks_differ_at_call,
  masks_exclude_each_other,
  mask_of_absent_lanes,
  tile_rank_too_large,
  // Barriers
  block_barriers_differ,
  block_barriers_paired,         // of whole warps, which went on
  block_barriers_differ_at_end,  // of a launch that cannot go on
  barrier_after_returns,
  named_barrier_number,
  named_barrier_counts_differ,
  named_barrier_reduces_in_part,
  named_barrier_operands_differ,
  block_not_repeated,  // as a loop over its threads it did not get through, by fibers it did
  // Groups
  caller_not_of_group,
  grid_barrier_without_cooperation,
  multi_grid_barrier_without_launch,
  collectives_of_group_differ,
  tile_sizes_differ,
  result_destinations_differ,
  copy_by_some_of_group,
  copy_sizes_differ,
  copy_destinations_differ,
  copy_sources_differ,
  token_of_other_arrival,
  tile_larger_than_block,
  last_tile_incomplete,
  partition_of_others,
  calls_of_group_differ,
  groups_overlap,
  wide_group_incomplete,
  group_incomplete,
  // Arguments and callers of a group's functions
  tile_not_within_warp,
  tile_not_within_cluster,
  tile_size_not_supported,
  piece_sizes_differ,
  grid_partitioned,
  stride_zero,
  strides_differ,
  group_of_other_block,
  collectives_of_threads_differ,
  collectives_of_blocks_differ,
  function_not_of_multi_grid,
  block_tile_memory_too_small,
  destinations_of_result_differ,
  source_not_in_group,
  source_not_in_tile,
  sources_differ,
  producers_exceed_group,
  // Launches that cannot go on
  grid_elsewhere_missing,
  grid_barrier_after_returns,
  grid_barrier_first_thread_returned,
  grid_barrier_not_reached,
  cluster_barrier_not_reached,
  locks_in_circle,
  memory_unchanged,
  memory_unchanged_others_wait,
  semaphore_empty,
  bytes_not_expected,
  bytes_not_copied,
  waits_in_circle,
  // The end of a thread
  exception_left_kernel,
  assertion_failed,
  stopped_on_purpose,
  integer_division,
  floating_point_trap,
  invalid_instruction,
  // The heap of kernels
  heap_freed_twice,
  heap_freed_inside,
  heap_freed_foreign,
  // The host
  host_races_kernel,
  host_races_command,
  command_races_kernel,
  commands_race,
  event_not_recorded,
  used_before_allocation,
  freed_during_kernel,
  freed_during_command,
  host_writes_device_memory,
  host_reads_device_memory,
  result_in_device_memory,  // of a call
  host_uses_freed,
  host_out_of_bounds,
  constant_copy_not_set,
  launch_at_exit,
};

inline constexpr Mistake kLastMistake = Mistake::launch_at_exit;

}  // namespace warpfiber::record
