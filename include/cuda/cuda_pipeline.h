// SPDX-License-Identifier: Apache-2.0
// CUDA's asynchronous copies of a thread, C++.
#pragma once

#include <warpfiber/cuda/cuda_pipeline.hpp>
