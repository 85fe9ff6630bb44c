// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators for kernels; C++. Host code may call them too.
#pragma once

#include <vector_functions.h>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif
#include <warpfiber/cuda/curand/poisson.hpp>
