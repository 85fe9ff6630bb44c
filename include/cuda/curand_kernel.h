// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators for kernels; C++. Host code may call them too, except for MTGP32.
#pragma once

#include <curand.h>
#include <warpfiber/cuda/curand/mtgp32_states.hpp>
#include <warpfiber/cuda/curand/poisson.hpp>

#ifdef __CUDACC__
#include <warpfiber/cuda/curand/mtgp32.hpp>
#endif
