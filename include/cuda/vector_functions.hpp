// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin, under another of NVIDIA's names.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __VECTOR_FUNCTIONS_HPP__

#include <vector_functions.h>
