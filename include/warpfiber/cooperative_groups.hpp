// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups, what <cooperative_groups.h> holds: the groups, their partitions and invoke_one(). All of
// it is called by threads inside a kernel. The collectives are in groups/reduce.hpp, scan.hpp and memcpy_async.hpp.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/groups/cluster_group.hpp>
#include <warpfiber/groups/extensions.hpp>
#include <warpfiber/groups/grid_group.hpp>
#include <warpfiber/groups/invoke.hpp>
#include <warpfiber/groups/multi_grid_group.hpp>
#include <warpfiber/groups/partition.hpp>
