// SPDX-License-Identifier: Apache-2.0
//
// A radius-2 star stencil over a pitched 3D volume: blocks of three dimensions with a halo in a 3D shared array, volumes
// carried by cudaMemcpy3D.
#include "common.h"

#include <algorithm>

const int kRadius = 2;
const int BX = 16, BY = 4, BZ = 4;

__constant__ float coefficients[kRadius + 1];

__device__ __forceinline__ float *row(cudaPitchedPtr volume, int y, int z)
{
    return (float *)((char *)volume.ptr + (z * volume.ysize + y) * volume.pitch);
}

__global__ void stencil(cudaPitchedPtr out, cudaPitchedPtr in, dim3 size)
{
    __shared__ float tile[BZ + 2 * kRadius][BY + 2 * kRadius][BX + 2 * kRadius];
    const int x0 = blockIdx.x * BX - kRadius, y0 = blockIdx.y * BY - kRadius, z0 = blockIdx.z * BZ - kRadius;
    const int count = sizeof(tile) / sizeof(float);
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    for (int i = thread; i < count; i += blockDim.x * blockDim.y * blockDim.z) {
        const int tx = i % (BX + 2 * kRadius), ty = i / (BX + 2 * kRadius) % (BY + 2 * kRadius);
        const int tz = i / ((BX + 2 * kRadius) * (BY + 2 * kRadius));
        const int x = min(max(x0 + tx, 0), (int)size.x - 1), y = min(max(y0 + ty, 0), (int)size.y - 1);
        const int z = min(max(z0 + tz, 0), (int)size.z - 1);
        tile[tz][ty][tx] = row(in, y, z)[x];
    }
    __syncthreads();

    const int x = x0 + kRadius + threadIdx.x, y = y0 + kRadius + threadIdx.y, z = z0 + kRadius + threadIdx.z;
    if (x >= size.x || y >= size.y || z >= size.z)
        return;
    const int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius, tz = threadIdx.z + kRadius;
    float sum = coefficients[0] * tile[tz][ty][tx];
#pragma unroll
    for (int r = 1; r <= kRadius; ++r)
        sum += coefficients[r] * (tile[tz][ty][tx - r] + tile[tz][ty][tx + r] + tile[tz][ty - r][tx] +
                                  tile[tz][ty + r][tx] + tile[tz - r][ty][tx] + tile[tz + r][ty][tx]);
    row(out, y, z)[x] = sum;
}

static void copy_volume(cudaPitchedPtr to, cudaPitchedPtr from, cudaExtent extent, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms parameters = {};
    parameters.srcPtr = from;
    parameters.dstPtr = to;
    parameters.extent = extent;
    parameters.kind = kind;
    CHECK(cudaMemcpy3D(&parameters));
}

static float at(const std::vector<float> &v, dim3 size, int x, int y, int z)
{
    x = std::min(std::max(x, 0), int(size.x) - 1);
    y = std::min(std::max(y, 0), int(size.y) - 1);
    z = std::min(std::max(z, 0), int(size.z) - 1);
    return v[(size_t(z) * size.y + y) * size.x + x];
}

static std::vector<float> reference(const std::vector<float> &v, dim3 size, const float *c)
{
    std::vector<float> out(v.size());
    for (int z = 0; z < int(size.z); ++z)
        for (int y = 0; y < int(size.y); ++y)
            for (int x = 0; x < int(size.x); ++x) {
                double sum = c[0] * at(v, size, x, y, z);
                for (int r = 1; r <= kRadius; ++r)
                    for (int sign = -r; sign <= r; sign += 2 * r)
                        sum += double(c[r]) * (double(at(v, size, x + sign, y, z)) + at(v, size, x, y + sign, z) +
                                               at(v, size, x, y, z + sign));
                out[(size_t(z) * size.y + y) * size.x + x] = float(sum);
            }
    return out;
}

int main()
{
    const dim3 size(37, 18, 13);
    const float c[kRadius + 1] = {0.4f, 0.08f, 0.02f};
    std::vector<float> volume(size.x * size.y * size.z);
    Random random(11);
    for (auto &v : volume)
        v = random.uniform();

    const cudaExtent extent = make_cudaExtent(size.x * sizeof(float), size.y, size.z);
    cudaPitchedPtr buffers[2];
    for (auto &buffer : buffers)
        CHECK(cudaMalloc3D(&buffer, extent));
    const auto packed = [&](float *data) { return make_cudaPitchedPtr(data, extent.width, size.x, size.y); };
    copy_volume(buffers[0], packed(volume.data()), extent, cudaMemcpyHostToDevice);
    CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof(c)));

    const int steps = 3;
    std::vector<float> want = volume, got(volume.size());
    for (int step = 0; step < steps; ++step) {
        stencil<<<dim3((size.x + BX - 1) / BX, (size.y + BY - 1) / BY, (size.z + BZ - 1) / BZ), dim3(BX, BY, BZ)>>>(
            buffers[(step + 1) % 2], buffers[step % 2], size);
        want = reference(want, size, c);
    }
    copy_volume(packed(got.data()), buffers[steps % 2], extent, cudaMemcpyDeviceToHost);

    const bool passed = near("volume", got, want, 1e-5);
    for (auto &buffer : buffers)
        CHECK(cudaFree(buffer.ptr));
    return verdict(passed);
}
