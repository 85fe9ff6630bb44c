// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: what describes them. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __TEXTURE_TYPES_H__

#include <driver_types.h>
