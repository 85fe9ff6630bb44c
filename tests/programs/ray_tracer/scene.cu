// SPDX-License-Identifier: Apache-2.0
//
// Owns the scene's device variables and the device functions that other files call.
#include "scene.h"

#include "render.h"

__constant__ Sphere spheres[MAX_SPHERES];
__device__ int sphere_count;
__device__ unsigned long long rays_cast = 0;

__device__ int nearest_sphere(Vector origin, Vector direction, float *distance)
{
    int nearest = -1;
    *distance = 1e30f;
    for (int i = 0; i < sphere_count; ++i) {
        const Vector offset = origin - spheres[i].centre;
        const float b = dot(offset, direction), c = dot(offset, offset) - spheres[i].radius * spheres[i].radius;
        const float root = b * b - c;
        if (root < 0)
            continue;
        const float t = -b - sqrtf(root);
        if (t > 1e-3f && t < *distance) {
            *distance = t;
            nearest = i;
        }
    }
    atomicAdd(&rays_cast, 1ull);
    return nearest;
}

extern __shared__ float scratch[];

// Every thread of the block calls this, from whatever file.
__device__ float block_average(float value)
{
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    scratch[thread] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (thread < half)
            scratch[thread] += scratch[thread + half];
        __syncthreads();
    }
    return scratch[0] / threads;
}

int load_scene(const Sphere *list, int count)
{
    if (cudaMemcpyToSymbol(spheres, list, count * sizeof(Sphere)) != cudaSuccess)
        return -1;
    return cudaMemcpyToSymbol(sphere_count, &count, sizeof(count)) == cudaSuccess ? count : -1;
}
