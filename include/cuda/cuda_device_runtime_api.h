// SPDX-License-Identifier: Apache-2.0
// The runtime as kernels call it. Launches from kernels are not modelled, so there is nothing of its own here.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_DEVICE_RUNTIME_API_H__

#include <driver_types.h>
