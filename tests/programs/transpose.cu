// SPDX-License-Identifier: Apache-2.0
//
// Six ways to copy or transpose a matrix, chosen by a function pointer; what is expected follows from the pointer too.
#include "common.h"

#define TILE 16
#define ROWS 4

__global__ void copy(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * width + x] = in[(y + i) * width + x];
}

__global__ void copy_shared(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < width && y < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    for (int i = 0; i < TILE; i += ROWS)
        if (x < height && y < width)
            out[(y + i) * width + x] = tile[threadIdx.y + i][threadIdx.x];
}

__global__ void transpose_naive(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[x * height + y + i] = in[(y + i) * width + x];
}

template <int PAD>
__global__ void transpose_tiled(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// Blocks renumbered along diagonals.
__global__ void transpose_diagonal(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int linear = blockIdx.x + gridDim.x * blockIdx.y;
    int blockY = linear % gridDim.y, blockX = ((linear / gridDim.y) + blockY) % gridDim.x;
    int x = blockX * TILE + threadIdx.x, y = blockY * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockY * TILE + threadIdx.x;
    y = blockX * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// A kernel as template argument.
template <void (*KERNEL)(float *, const float *, int, int)>
void launch_static(dim3 grid, dim3 threads, float *out, const float *in, int width, int height)
{
    KERNEL<<<grid, threads>>>(out, in, width, height);
}

int main()
{
    const int width = 96, height = 96;
    std::vector<float> matrix(width * height), transposed(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            transposed[x * height + y] = matrix[y * width + x] = float(y * width + x);

    float *in = device_copy(matrix), *out = device_zeros<float>(matrix.size());
    const dim3 grid(width / TILE, height / TILE), threads(TILE, ROWS);
    void (*kernel)(float *, const float *, int, int);
    const char *name;
    bool passed = true;

    for (int k = 0; k < 6; k++) {
        switch (k) {
        case 0: kernel = &copy; name = "copy"; break;
        case 1: kernel = &copy_shared; name = "copy through shared memory"; break;
        case 2: kernel = &transpose_naive; name = "naive"; break;
        case 3: kernel = &transpose_tiled<0>; name = "tiled"; break;
        case 4: kernel = &transpose_tiled<1>; name = "padded"; break;
        default: kernel = &transpose_diagonal; name = "diagonal"; break;
        }
        CHECK(cudaMemset(out, 0xff, matrix.size() * sizeof(float)));
        kernel<<<grid, threads>>>(out, in, width, height);
        CHECK(cudaGetLastError());
        const bool copies = kernel == &copy || kernel == &copy_shared;
        passed &= same(name, host_copy(out, matrix.size()), copies ? matrix : transposed);
    }

    CHECK(cudaMemset(out, 0, matrix.size() * sizeof(float)));
    launch_static<transpose_naive>(grid, threads, out, in, width, height);
    passed &= same("kernel as template argument", host_copy(out, matrix.size()), transposed);

    auto alias = transpose_tiled<1>;
    CHECK(cudaMemset(out, 0, matrix.size() * sizeof(float)));
    alias<<<grid, threads>>>(out, in, width, height);
    passed &= same("kernel through auto", host_copy(out, matrix.size()), transposed);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(passed);
}
