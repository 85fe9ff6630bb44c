// SPDX-License-Identifier: Apache-2.0
// What Warpfiber adds to cooperative groups that no CUDA has, under names of its own: sort(), label partitions of every
// group, tiles of a cluster. docs/group-extensions.md shows them. Called by threads inside a kernel.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/cooperative_groups.hpp>
#include <warpfiber/groups/cluster_tile.hpp>
#include <warpfiber/groups/labeled_updates.hpp>
#include <warpfiber/groups/sort.hpp>
#include <warpfiber/groups/wide_partition.hpp>
