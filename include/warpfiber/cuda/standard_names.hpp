// SPDX-License-Identifier: Apache-2.0
// The parts of the standard library that NVIDIA's cuda_runtime.h brings along, without the one name that C++20's math.h
// adds to the global namespace: CUDA source is translated to C++20 but written for C++17, where programs may have a
// lerp() of their own, and many do, also behind `using namespace std`. Included before everything else by
// cuda_runtime.h.
#pragma once

// The driver says where C++20 is not what the user asked for.
#ifdef WARPFIBER_RAISED_STANDARD
#define lerp warpfiber_lerp
#endif
#include <cmath>
#undef lerp
#include <cstdlib>
#include <new>
#include <utility>

// What libstdc++'s math.h takes in place of std::lerp.
namespace std {
inline void warpfiber_lerp() {}
}  // namespace std

#define lerp warpfiber_lerp
#include <math.h>
#undef lerp

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
