// SPDX-License-Identifier: Apache-2.0
// CUDA's qualifiers, under their older name.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <crt/host_defines.h>
