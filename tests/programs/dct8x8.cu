// SPDX-License-Identifier: Apache-2.0
//
// The 8 by 8 cosine transform of an image and back, a warp for four tiles. The lanes of a warp exchange columns and rows
// through shared memory without any barrier of the block. With -DIMPLICIT_LOCKSTEP they do not even use __syncwarp, as
// older programs do: that has no guarantee since sm_70.
#include "common.h"

#ifdef IMPLICIT_LOCKSTEP
#define LANES_MEET()
#else
#define LANES_MEET() __syncwarp()
#endif

#define N 8

__constant__ float basis[N][N];

// One place for both kernels: two by two tiles, a column more than needed against bank conflicts.
__shared__ volatile float exchange[2][2][N][N + 1];

template <bool FORWARD>
__device__ void transform_line(float *line)
{
    float out[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
        out[k] = 0;
#pragma unroll
        for (int i = 0; i < N; ++i)
            out[k] += line[i] * (FORWARD ? basis[k][i] : basis[i][k]);
    }
#pragma unroll
    for (int k = 0; k < N; ++k)
        line[k] = out[k];
}

// threadIdx.x is the column in a tile, y and z name the tile.
template <bool FORWARD>
__global__ void transform_tiles(float *image, int width)
{
    const int lane = threadIdx.x, ty = threadIdx.z, tx = threadIdx.y;
    float *tile = image + (blockIdx.y * 2 + ty) * N * width + (blockIdx.x * 2 + tx) * N;
    float line[N];
    for (int i = 0; i < N; ++i)
        line[i] = tile[i * width + lane];
    transform_line<FORWARD>(line);
    for (int i = 0; i < N; ++i)
        exchange[ty][tx][i][lane] = line[i];
    LANES_MEET();
    for (int i = 0; i < N; ++i)
        line[i] = exchange[ty][tx][lane][i];
    transform_line<FORWARD>(line);
    LANES_MEET();
    for (int i = 0; i < N; ++i)
        exchange[ty][tx][lane][i] = line[i];
    LANES_MEET();
    for (int i = 0; i < N; ++i)
        tile[i * width + lane] = exchange[ty][tx][i][lane];
}

static std::vector<float> reference(const std::vector<float> &image, int width, int height, const float (*c)[N])
{
    std::vector<float> out(image.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int left = x / N * N, top = y / N * N;
            double sum = 0;
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    sum += double(c[y % N][i]) * c[x % N][j] * image[(top + i) * width + left + j];
            out[y * width + x] = float(sum);
        }
    return out;
}

int main()
{
    const int width = 64, height = 48;
    float c[N][N];
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < N; ++i)
            c[k][i] = float(std::sqrt((k ? 2.0 : 1.0) / N) * std::cos((2 * i + 1) * k * 3.14159265358979323846 / (2 * N)));
    CHECK(cudaMemcpyToSymbol(basis, c, sizeof(c)));
    std::vector<float> image(width * height);
    Random random(88);
    for (auto &pixel : image)
        pixel = float(random.below(256));

    float *data = device_copy(image);
    const dim3 grid(width / (2 * N), height / (2 * N)), threads(N, 2, 2);
    transform_tiles<true><<<grid, threads>>>(data, width);
    bool passed = near("transform", host_copy(data, image.size()), reference(image, width, height, c), 1e-3);
    transform_tiles<false><<<grid, threads>>>(data, width);
    passed &= near("image", host_copy(data, image.size()), image, 1e-3);
    CHECK(cudaFree(data));
    return verdict(passed);
}
