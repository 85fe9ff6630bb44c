// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime as C and C++ programs call it. C and C++.
#pragma once

#include <warpfiber/cuda/api/device.h>
#include <warpfiber/cuda/api/execution.h>
#include <warpfiber/cuda/api/graph.h>
#include <warpfiber/cuda/api/interop.h>
#include <warpfiber/cuda/api/memory.h>
#include <warpfiber/cuda/api/texture.h>
#include <warpfiber/cuda/api/types.h>
