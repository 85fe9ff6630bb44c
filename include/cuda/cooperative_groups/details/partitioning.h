// SPDX-License-Identifier: Apache-2.0
// Programs include NVIDIA's own parts of the header; here they are all in it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cooperative_groups.h>
