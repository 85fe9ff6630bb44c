// SPDX-License-Identifier: Apache-2.0
// CUDA's built-in vector types and dim3. C and C++.
#pragma once

#define __VECTOR_TYPES_H__

#include <crt/host_defines.h>
#include <warpfiber/cuda/api/vector_types.h>
