// SPDX-License-Identifier: Apache-2.0
// Integer types of known size.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __cuda_stdint_h__

#include <stdint.h>
