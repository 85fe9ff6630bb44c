// SPDX-License-Identifier: Apache-2.0
// NVIDIA's checks of the host compiler; here every compiler with C++20 will do.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __HOST_CONFIG_H__

#include <crt/host_defines.h>
