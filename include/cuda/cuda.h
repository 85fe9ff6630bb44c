// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface (docs/driver-api.md). C and C++.
#pragma once

#include <warpfiber/cuda/driver/device.h>
#include <warpfiber/cuda/driver/execution.h>
#include <warpfiber/cuda/driver/memory.h>
#include <warpfiber/cuda/driver/types.h>
#include <warpfiber/cuda/driver/unmodelled.h>

#define CUDA_VERSION 13000
