// SPDX-License-Identifier: Apache-2.0
// CUDA's mbarrier, the class.
#pragma once

#define _CUDA_AWBARRIER_H_

#include <warpfiber/cuda/mbarrier.hpp>
