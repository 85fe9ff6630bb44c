// SPDX-License-Identifier: Apache-2.0
// CUDA's function and variable qualifiers for a host compiler. They carry no meaning on a CPU: every function can be
// called from everywhere. Kernels begin at a line of the instruction cache, because a short one called for each thread
// takes a tenth longer where it lies across two. Under nvcc this file must not be included; the real ones are built in.
#pragma once

#ifndef __CUDACC__

#define __host__
#define __device__
#define __global__ __attribute__((aligned(64)))
#define __managed__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)

#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif

#endif
