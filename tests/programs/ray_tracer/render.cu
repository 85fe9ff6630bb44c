// SPDX-License-Identifier: Apache-2.0
//
// The kernel: a thread a pixel, one bounce, and the average of each tile. Its shared array has the name of another one
// in a function of another file.
#include "render.h"

#include "scene.h"

static __device__ __noinline__ float shade(Vector direction)
{
    Vector origin = {0, 0, 0};
    float light = 0, weight = 1, distance;
    for (int bounce = 0; bounce < 2; ++bounce) {
        const int hit = nearest_sphere(origin, direction, &distance);
        if (hit < 0)
            return light + weight * 0.5f * (direction.y + 1);
        const Vector point = origin + distance * direction, normal = unit(point - spheres[hit].centre);
        light += weight * spheres[hit].brightness;
        weight *= 0.5f;
        direction = unit(direction - (2 * dot(direction, normal)) * normal);
        origin = point;
    }
    return light;
}

static __global__ void render_tiles(float *image, float *averages, int width, int height)
{
    extern __shared__ float scratch[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    scratch[threadIdx.y * blockDim.x + threadIdx.x] = 0;
    const float value = shade(unit({(x + 0.5f) / width - 0.5f, (y + 0.5f) / height - 0.5f, 1}));
    image[y * width + x] = value;
    const float average = block_average(value);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        averages[blockIdx.y * gridDim.x + blockIdx.x] = average;
}

// `width` and `height` are multiples of 8.
int render(float *image, float *averages, int width, int height, unsigned long long *rays)
{
    const dim3 block(8, 8), grid(width / block.x, height / block.y);
    float *deviceImage = nullptr, *deviceAverages = nullptr;
    cudaMalloc(&deviceImage, sizeof(float) * width * height);
    cudaMalloc(&deviceAverages, sizeof(float) * grid.x * grid.y);
    render_tiles<<<grid, block, block.x * block.y * sizeof(float)>>>(deviceImage, deviceAverages, width, height);
    cudaMemcpy(image, deviceImage, sizeof(float) * width * height, cudaMemcpyDeviceToHost);
    cudaMemcpy(averages, deviceAverages, sizeof(float) * grid.x * grid.y, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(rays, rays_cast, sizeof(*rays));
    cudaFree(deviceImage);
    cudaFree(deviceAverages);
    return cudaGetLastError();
}
