// SPDX-License-Identifier: Apache-2.0
// CUDA's mbarrier, the functions.
#pragma once

#include <warpfiber/cuda/mbarrier.hpp>
