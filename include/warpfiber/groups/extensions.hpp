// SPDX-License-Identifier: Apache-2.0
// What the guide shows and CUDA 13.0's headers lack, and what CUDA 11 had: not with WARPFIBER_STRICT_CUDA.
#pragma once

#include <warpfiber/groups/invoke.hpp>

#ifndef WARPFIBER_STRICT_CUDA

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// The lanes of `lanes` whose rank has this remainder.
inline LaneBits every(LaneBits lanes, unsigned stride, unsigned remainder) {
  LaneBits chosen = 0;
  for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank) {
    if (rank % stride == remainder) chosen |= lanes & (~lanes + 1);
  }
  return chosen;
}

template <class Group>
coalesced_group stride(const Group& parent, unsigned stride, Site site) {
  using namespace warpfiber::detail;
  if (stride == 0) {
    misuse(site, row_of(Operation::stride_partition).name, GroupMisuse::stride_zero);
  }
  AgreeArgument argument{{{site}}, stride, true};
  details::warp_collective(kCollectiveOf<Operation::stride_partition>, parent, &argument);
  if (!argument.agree) {
    misuse(site, row_of(Operation::stride_partition).name, GroupMisuse::strides_differ);
  }
  const unsigned remainder = static_cast<unsigned>(parent.thread_rank()) % stride;
  return CoalescedAccess::make(every(lane_mask_of(parent), stride, remainder), remainder,
                               smaller_of(stride, static_cast<unsigned>(parent.size())), site);
}

}  // namespace details

/// Groups that take the parent's threads in turn: group k has the ranks k, k + stride, k + 2·stride …; its meta rank is
/// k. The guide's table of partitions names it. All threads of the parent have to pass the same stride, at least 1.
inline coalesced_group stride_partition(const coalesced_group& parent, unsigned stride,
                                        warpfiber::Site site = warpfiber::Site::here()) {
  return details::stride(parent, stride, site);
}
template <unsigned Size, class Parent>
coalesced_group stride_partition(const thread_block_tile<Size, Parent>& parent, unsigned stride,
                                 warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(Size <= 32, "stride_partition() takes tiles of up to 32 threads");
  return details::stride(parent, stride, site);
}

/// CUDA 11's place for what is in the main namespace now.
namespace experimental {

using namespace cooperative_groups;

}  // namespace experimental
}  // namespace __v1
}  // namespace cooperative_groups

#endif
