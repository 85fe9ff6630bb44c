// SPDX-License-Identifier: Apache-2.0
// Warpfiber: CUDA kernels as ordinary C++, run on the CPU. This header is all a program needs. Under nvcc the same
// spellings mean CUDA's own (nvcc.hpp), so one source serves both.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <warpfiber/nvcc.hpp>

#else

#include <warpfiber/backend.hpp>
#include <warpfiber/buffer.hpp>
#include <warpfiber/device.hpp>
#include <warpfiber/intrinsics/device_code.hpp>
#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>
#include <warpfiber/pinned_buffer.hpp>
#include <warpfiber/shared.hpp>
#include <warpfiber/stream.hpp>

#endif
