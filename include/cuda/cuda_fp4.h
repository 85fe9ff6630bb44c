// SPDX-License-Identifier: Apache-2.0
// CUDA's floating-point numbers of 4 bits; C++.
#pragma once

#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

#include <cuda_fp8.h>
#include <warpfiber/fp4.hpp>
