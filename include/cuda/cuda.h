// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface (docs/driver-api.md). C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __cuda_cuda_h__

// As CUDART_VERSION (warpfiber/cuda/api/flags.h).
#ifndef CUDA_VERSION
#ifdef CUDART_VERSION
#define CUDA_VERSION CUDART_VERSION
#else
#define CUDA_VERSION 13000
#endif
#endif

#include <warpfiber/cuda/driver/device.h>
#include <warpfiber/cuda/driver/execution.h>
#include <warpfiber/cuda/driver/graphics.h>
#include <warpfiber/cuda/driver/memory.h>
#include <warpfiber/cuda/driver/resources.h>
#include <warpfiber/cuda/driver/types.h>
#include <warpfiber/cuda/driver/unmodelled.h>
