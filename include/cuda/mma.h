// SPDX-License-Identifier: Apache-2.0
// CUDA's matrix functions of a warp (nvcuda::wmma), C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/wmma.hpp>
