// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime for C++: the functions of cuda_runtime_api.h with their typed overloads, and in CUDA source
// everything a kernel may use without including more.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_RUNTIME_H__

#if defined(__cplusplus) && defined(__CUDACC__)
#ifdef WARPFIBER_UNIT
#include <warpfiber/cuda/called_functions.hpp>
#endif
#include <warpfiber/cuda/standard_names.hpp>
#endif

#include <builtin_types.h>
#include <crt/host_config.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <library_types.h>
#include <vector_functions.h>

#ifdef __cplusplus

#include <channel_descriptor.h>
#include <warpfiber/cuda/api/overloads.hpp>

#ifdef __CUDACC__

// Of nvcc and of clang++. Its argument has no effect, so it need not be evaluated.
#ifndef __clang__
#define __builtin_assume(...) static_cast<void>(0)
#endif

// Of these nothing is missing but the names by which programs ask for them.
#include <crt/common_functions.h>
#include <crt/device_double_functions.h>
#include <crt/device_functions.h>
#include <crt/math_functions.h>
#include <crt/sm_70_rt.h>
#include <crt/sm_80_rt.h>
#include <crt/sm_90_rt.h>
#include <device_atomic_functions.h>
#include <device_launch_parameters.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_indirect_functions.h>
#include <texture_indirect_functions.h>
#include <warpfiber/cuda/texture.hpp>
#include <warpfiber/intrinsics/device_code.hpp>
#include <warpfiber/intrinsics/nv_atomics.hpp>
#include <warpfiber/intrinsics/ptx.hpp>
#include <warpfiber/translated/device_functions.hpp>
#include <warpfiber/translated/extended_lambdas.hpp>
#include <warpfiber/translated/kernels.hpp>

#endif
#endif
