// SPDX-License-Identifier: Apache-2.0
// CUDA's qualifiers. In CUDA source that the translator reads they are tokens of its own, so that they survive the
// preprocessor and `#ifdef __global__` holds; for an ordinary compiler they mean nothing. __noinline__ stays a plain
// identifier, which the standard library uses within attributes; the translator knows it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

// The name of NVIDIA's guard, by which other headers know that the qualifiers are defined here.
#define __HOST_DEFINES_H__

#if defined(__CUDACC__) && defined(__WARPFIBER__)

#define __global__ __warpfiber_global__
#define __device__ __warpfiber_device__
#define __host__ __warpfiber_host__
#define __shared__ __warpfiber_shared__
#define __constant__ __warpfiber_constant__
#define __managed__ __warpfiber_managed__
#define __grid_constant__ __warpfiber_grid_constant__
#define __launch_bounds__(...) __warpfiber_launch_bounds__(__VA_ARGS__)
#define __cluster_dims__(...) __warpfiber_cluster_dims__(__VA_ARGS__)
#define __maxnreg__(...) __warpfiber_maxnreg__(__VA_ARGS__)
#define __block_size__(...) __warpfiber_block_size__(__VA_ARGS__)

#else

#define __global__ __attribute__((aligned(64)))  // as <warpfiber/detail/qualifiers.hpp> says
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)

#endif

#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __no_return__
#define __no_return__ __attribute__((noreturn))
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#define __builtin_align__(n) __align__(n)
#define __inline_hint__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __nv_pure__

// What only sm_90a or the family of sm_100f has. In their own numbering sm_101 is a family of its own.
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#ifdef __CUDA_ARCH_SPECIFIC__
#define __CUDA_HAS_ARCH_SPECIFIC(N) (__CUDA_ARCH_SPECIFIC__ == N##0)
#else
#define __CUDA_HAS_ARCH_SPECIFIC(N) 0
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(N)                                                       \
  (__CUDA_ARCH_FAMILY_SPECIFIC__ / 100 == N##0 / 100 && __CUDA_ARCH_FAMILY_SPECIFIC__ >= N##0 && \
   ((N) == 101) == (__CUDA_ARCH_FAMILY_SPECIFIC__ == 1010))
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(N) 0
#endif

#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif
#define CUDART_DEVICE __device__
