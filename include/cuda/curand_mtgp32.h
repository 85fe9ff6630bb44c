// SPDX-License-Identifier: Apache-2.0
// Layouts of cuRAND's MTGP32.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/cuda/curand/mtgp32_states.hpp>
