// SPDX-License-Identifier: Apache-2.0
//
// The scene as device code of another file sees it; a program of several files, built with -rdc=true.
#pragma once

#include "vector.h"

#define MAX_SPHERES 16

extern __constant__ Sphere spheres[MAX_SPHERES];
extern __device__ int sphere_count;
extern __device__ unsigned long long rays_cast;

__device__ int nearest_sphere(Vector origin, Vector direction, float* distance);
__device__ float block_average(float value);
