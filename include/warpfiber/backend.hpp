// SPDX-License-Identifier: Apache-2.0
// Where a program of the native API runs its kernels: on the simulator, or, built by nvcc, on a GPU. The same calls do
// the same on both (docs/nvcc.md, "The native API on a GPU"). Includes nothing.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

namespace warpfiber {

enum class Backend { simulator, gpu };

/// The one that this program is built for.
#if defined(__CUDACC__) && !defined(__WARPFIBER__)
inline constexpr Backend backend = Backend::gpu;
#else
inline constexpr Backend backend = Backend::simulator;
#endif

}  // namespace warpfiber
