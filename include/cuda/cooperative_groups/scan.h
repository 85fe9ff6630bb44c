// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups: scans, C++.
#pragma once

#include <cooperative_groups.h>
#include <cuda/std/functional>

#include <warpfiber/groups/scan.hpp>
