// SPDX-License-Identifier: Apache-2.0
// CUDA's mbarrier, the functions.
#pragma once

#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include <warpfiber/cuda/mbarrier.hpp>
