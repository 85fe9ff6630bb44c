// SPDX-License-Identifier: Apache-2.0
// NVIDIA's marks and ranges for its profilers, where version 2 had them. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <nvtx3/nvToolsExt.h>
