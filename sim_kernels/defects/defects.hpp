// SPDX-License-Identifier: Apache-2.0
// The wrong programs of this folder and their corrected twins. A wrong one states its verdict in the first line of its
// header (the words are those of docs/findings); lines marked @A and @B are those that a report has to name. A pair is
// run on the same input and compared with the same reference. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

// Programs that assume lock step: silent on most devices, wrong on some.
Record run_sum_missing_syncwarp(const Setting& setting);
Record run_sum_missing_syncwarp_corrected(const Setting& setting);
Record run_mask_from_activemask(const Setting& setting);
Record run_mask_from_activemask_corrected(const Setting& setting);
Record run_vote_after_branch(const Setting& setting);
Record run_vote_after_branch_corrected(const Setting& setting);
Record run_shuffle_between_syncwarps(const Setting& setting);
Record run_shuffle_between_syncwarps_corrected(const Setting& setting);

// Programs that hang.
Record run_oversized_grid_barrier(const Setting& setting);
Record run_oversized_grid_barrier_corrected(const Setting& setting);
Record run_shuffle_against_barrier(const Setting& setting);
Record run_shuffle_against_barrier_corrected(const Setting& setting);
Record run_lock_order(const Setting& setting);
Record run_lock_order_corrected(const Setting& setting);
Record run_unequal_trip_counts(const Setting& setting);
Record run_unequal_trip_counts_corrected(const Setting& setting);

}  // namespace gallery
