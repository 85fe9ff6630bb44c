// SPDX-License-Identifier: Apache-2.0
// What the host does for MTGP32 in kernels: parameter sets and states are copied to the device. NVIDIA's includes the
// table of sets, so this does where there is one.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CURAND_MTGP32_HOST_H

#include <curand.h>
#include <curand_mtgp32.h>

// g++ skips an #include of what it was asked for in vain, so it is asked by another name.
#if __has_include(<./curand_mtgp32dc_p_11213.h>)
#include <curand_mtgp32dc_p_11213.h>
#endif

WARPFIBER_C_BEGIN

/// Copies CURAND_NUM_MTGP32_PARAMS sets to `p`, in the device's memory.
curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t* p);

/// Makes `n` states at `s`, in the device's memory, at most CURAND_NUM_MTGP32_PARAMS. State i follows the set
/// params[i], which curandMakeMTGP32Constants() has copied to `k`.
curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, const mtgp32_params_fast_t params[],
                                           mtgp32_kernel_params_t* k, int n, unsigned long long seed);

WARPFIBER_C_END
