// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups: asynchronous copies.
#pragma once

#include <cooperative_groups.h>

#include <warpfiber/groups/memcpy_async.hpp>
