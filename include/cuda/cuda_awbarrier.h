// SPDX-License-Identifier: Apache-2.0
// CUDA's mbarrier, the class.
#pragma once

#include <warpfiber/cuda/mbarrier.hpp>
