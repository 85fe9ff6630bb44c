// SPDX-License-Identifier: Apache-2.0
//
// What the C++ part of the program calls.
#pragma once

#include "vector.h"

#ifdef __cplusplus
extern "C" {
#endif

int load_scene(const struct Sphere* spheres, int count);
int render(float* image, float* tile_averages, int width, int height, unsigned long long* rays);

#ifdef __cplusplus
}
#endif
