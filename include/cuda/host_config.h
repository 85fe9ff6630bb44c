// SPDX-License-Identifier: Apache-2.0
// NVIDIA's checks of the host compiler, under their older name.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <crt/host_config.h>
