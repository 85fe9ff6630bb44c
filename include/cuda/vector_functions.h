// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin. They come with the vector types in C++; C has none.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __VECTOR_FUNCTIONS_H__

#include <vector_types.h>
