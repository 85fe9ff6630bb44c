// SPDX-License-Identifier: Apache-2.0
// The parts of the standard library that NVIDIA's cuda_runtime.h brings along, without the one name that C++20's math.h
// adds to the global namespace: CUDA source is translated to C++20 but written for C++17, where programs may have a
// lerp() of their own, and many do. Included before everything else by cuda_runtime.h.
#pragma once

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

// What libstdc++'s math.h takes in place of std::lerp.
namespace std {
inline void warpfiber_no_lerp() {}
}  // namespace std

#define lerp warpfiber_no_lerp
#include <math.h>
#undef lerp

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
