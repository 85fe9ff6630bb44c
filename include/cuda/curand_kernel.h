// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators for kernels; C++. Host code may call them too, except for MTGP32.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CURAND_KERNEL_H_

#include <curand.h>
#include <curand_discrete.h>
#include <curand_globals.h>
#include <curand_lognormal.h>
#include <curand_mtgp32_kernel.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#include <warpfiber/cuda/curand/mtgp32_states.hpp>
#include <warpfiber/cuda/curand/poisson.hpp>

#ifdef __CUDACC__
#include <warpfiber/cuda/curand/mtgp32.hpp>
#endif
