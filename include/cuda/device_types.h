// SPDX-License-Identifier: Apache-2.0
// cudaRoundMode. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __DEVICE_TYPES_H__

#include <crt/host_defines.h>
#include <warpfiber/cuda/api/round_mode.h>
