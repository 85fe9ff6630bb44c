// SPDX-License-Identifier: Apache-2.0
//
// A separable convolution: rows and columns by kernels whose inner loop is unrolled by template recursion, weights in
// constant memory, apron and tile in one shared array.
#include "common.h"

#define KERNEL_RADIUS 4
#define KERNEL_WIDTH (2 * KERNEL_RADIUS + 1)
#define ROW_TILE_WIDTH 64
#define KERNEL_RADIUS_ALIGNED 16
#define COLUMN_TILE_WIDTH 16
#define COLUMN_TILE_HEIGHT 24

#define IMUL(a, b) __mul24(a, b)

__device__ __constant__ float weights[KERNEL_WIDTH];

template <int I>
__device__ float convolve_row(const float *data)
{
    return data[KERNEL_RADIUS - I] * weights[I] + convolve_row<I - 1>(data);
}
template <>
__device__ float convolve_row<-1>(const float *)
{
    return 0;
}

template <int I>
__device__ float convolve_column(const float *data)
{
    return data[(KERNEL_RADIUS - I) * COLUMN_TILE_WIDTH] * weights[I] + convolve_column<I - 1>(data);
}
template <>
__device__ float convolve_column<-1>(const float *)
{
    return 0;
}

// A block is aligned apron + tile + apron wide; the first threads of the aligned apron load nothing.
__global__ void convolve_rows(float *out, const float *in, int width, int height)
{
    __shared__ float data[KERNEL_RADIUS + ROW_TILE_WIDTH + KERNEL_RADIUS];
    const int tileStart = IMUL(blockIdx.x, ROW_TILE_WIDTH), tileEnd = tileStart + ROW_TILE_WIDTH - 1;
    const int apronStart = tileStart - KERNEL_RADIUS, apronEnd = tileEnd + KERNEL_RADIUS;
    const int rowStart = IMUL(blockIdx.y, width);
    const int load = tileStart - KERNEL_RADIUS_ALIGNED + threadIdx.x;
    if (load >= apronStart && load <= apronEnd)
        data[load - apronStart] = load >= 0 && load < width ? in[rowStart + load] : 0;
    __syncthreads();
    const int write = tileStart + threadIdx.x;
    if (write <= min(tileEnd, width - 1))
        out[rowStart + write] = convolve_row<2 * KERNEL_RADIUS>(data + write - apronStart);
}

__global__ void convolve_columns(float *out, const float *in, int width, int height, int sharedStride, int globalStride)
{
    __shared__ float data[COLUMN_TILE_WIDTH * (KERNEL_RADIUS + COLUMN_TILE_HEIGHT + KERNEL_RADIUS)];
    const int tileStart = IMUL(blockIdx.y, COLUMN_TILE_HEIGHT), tileEnd = tileStart + COLUMN_TILE_HEIGHT - 1;
    const int apronStart = tileStart - KERNEL_RADIUS, apronEnd = tileEnd + KERNEL_RADIUS;
    const int column = IMUL(blockIdx.x, COLUMN_TILE_WIDTH) + threadIdx.x;
    if (column < width) {
        int shared = IMUL(threadIdx.y, COLUMN_TILE_WIDTH) + threadIdx.x;
        for (int y = apronStart + threadIdx.y; y <= apronEnd; y += blockDim.y, shared += sharedStride)
            data[shared] = y >= 0 && y < height ? in[y * width + column] : 0;
    }
    __syncthreads();
    if (column >= width)
        return;
    int shared = IMUL(threadIdx.y + KERNEL_RADIUS, COLUMN_TILE_WIDTH) + threadIdx.x;
    int global = IMUL(tileStart + threadIdx.y, width) + column;
    for (int y = tileStart + threadIdx.y; y <= min(tileEnd, height - 1); y += blockDim.y) {
        out[global] = convolve_column<2 * KERNEL_RADIUS>(data + shared);
        shared += sharedStride;
        global += globalStride;
    }
}

static std::vector<float> convolve(const std::vector<float> &image, int width, int height, const float *w, int dx, int dy)
{
    std::vector<float> out(image.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; ++k) {
                int fromX = x + k * dx, fromY = y + k * dy;
                if (fromX >= 0 && fromX < width && fromY >= 0 && fromY < height)
                    sum += double(image[fromY * width + fromX]) * w[KERNEL_RADIUS - k];
            }
            out[y * width + x] = float(sum);
        }
    return out;
}

int main()
{
    const int width = 150, height = 70;
    float w[KERNEL_WIDTH];
    for (int i = 0; i < KERNEL_WIDTH; ++i)
        w[i] = expf(-0.1f * (i - 3) * (i - 3)) / KERNEL_WIDTH;
    std::vector<float> image(width * height);
    Random random(5);
    for (auto &pixel : image)
        pixel = random.uniform();

    CHECK(cudaMemcpyToSymbol(weights, w, sizeof(w)));
    float *in = device_copy(image), *rows = device_zeros<float>(image.size()), *out = device_zeros<float>(image.size());
    dim3 rowGrid((width + ROW_TILE_WIDTH - 1) / ROW_TILE_WIDTH, height);
    dim3 rowBlock(KERNEL_RADIUS_ALIGNED + ROW_TILE_WIDTH + KERNEL_RADIUS);
    convolve_rows<<<rowGrid, rowBlock>>>(rows, in, width, height);
    dim3 columnGrid((width + COLUMN_TILE_WIDTH - 1) / COLUMN_TILE_WIDTH,
                    (height + COLUMN_TILE_HEIGHT - 1) / COLUMN_TILE_HEIGHT);
    dim3 columnBlock(COLUMN_TILE_WIDTH, 8);
    convolve_columns<<<columnGrid, columnBlock>>>(
        out, rows, width, height, COLUMN_TILE_WIDTH * columnBlock.y, width * columnBlock.y);
    CHECK(cudaGetLastError());

    const std::vector<float> wantRows = convolve(image, width, height, w, 1, 0);
    bool passed = near("rows", host_copy(rows, image.size()), wantRows, 1e-5);
    passed &= near("columns", host_copy(out, image.size()), convolve(wantRows, width, height, w, 0, 1), 1e-5);
    CHECK(cudaFree(in));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(out));
    return verdict(passed);
}
