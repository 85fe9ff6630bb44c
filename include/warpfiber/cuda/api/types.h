// SPDX-License-Identifier: Apache-2.0
// All types of CUDA's runtime. C and C++.
#pragma once

#include <warpfiber/cuda/api/device_types.h>
#include <warpfiber/cuda/api/error.h>
#include <warpfiber/cuda/api/flags.h>
#include <warpfiber/cuda/api/graph_types.h>
#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/api/interop_types.h>
#include <warpfiber/cuda/api/launch_types.h>
#include <warpfiber/cuda/api/memory_types.h>
#include <warpfiber/cuda/api/texture_types.h>
#include <warpfiber/cuda/api/vector_types.h>
