// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators for kernels; C++. Host code may call them too.
#pragma once

#include <curand.h>
#include <warpfiber/cuda/curand/poisson.hpp>
