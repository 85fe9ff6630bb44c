// SPDX-License-Identifier: Apache-2.0
//
// Scans by shuffles: an array of any length with threads that leave before later barriers, and the integral image of
// bytes (rows by groups of lanes over uchar4, columns by a block each).
#include "common.h"

__global__ void scan_blocks(int *data, int width, int *totals, int n)
{
    extern __shared__ int sums[];
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = id % warpSize, warp = threadIdx.x / warpSize;
    const int warps = (blockDim.x + warpSize - 1) / warpSize;
    int value = id < n ? data[id] : 0;
#pragma unroll
    for (int i = 1; i <= width; i *= 2) {
        const unsigned int mask = 0xffffffff;
        int other = __shfl_up_sync(mask, value, i, width);
        if (lane >= i)
            value += other;
    }
    if (threadIdx.x % warpSize == warpSize - 1)
        sums[warp] = value;
    __syncthreads();

    if (warp == 0 && lane < warps) {
        int sum = sums[lane];
        const int mask = (1LL << warps) - 1;
        for (int i = 1; i <= warps; i *= 2) {
            int other = __shfl_up_sync(mask, sum, i, warps);
            if (lane >= i)
                sum += other;
        }
        sums[lane] = sum;
    }
    __syncthreads();

    if (warp > 0)
        value += sums[warp - 1];
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = value;
    if (id >= n)
        return;
    data[id] = value;
}

// Threads without an element leave before the barrier that the others meet at.
__global__ void add_totals(int *data, const int *totals, int n)
{
    __shared__ int before;
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    if (threadIdx.x == 0)
        before = blockIdx.x ? totals[blockIdx.x - 1] : 0;
    __syncthreads();
    data[id] += before;
}

// A warp a row, sixteen bytes a lane: 512 columns at a time.
__global__ void integral_rows(const uint4 *image, uint4 *integral, int width)
{
    const int lane = threadIdx.x % 32, row = blockIdx.x, words = width / 16;
    unsigned int carry = 0;
    for (int base = 0; base < words; base += 32) {
        const bool valid = base + lane < words;
        uint4 packed = valid ? image[row * words + base + lane] : make_uint4(0, 0, 0, 0);
        unsigned int result[16];
        const unsigned int word[4] = {packed.x, packed.y, packed.z, packed.w};
        for (int i = 0; i < 4; ++i) {
            const uchar4 bytes = *reinterpret_cast<const uchar4 *>(word + i);
            result[4 * i + 0] = bytes.x + (i ? result[4 * i - 1] : 0);
            result[4 * i + 1] = bytes.y + result[4 * i];
            result[4 * i + 2] = bytes.z + result[4 * i + 1];
            result[4 * i + 3] = bytes.w + result[4 * i + 2];
        }
        unsigned int sum = result[15];
        for (int i = 1; i < 32; i *= 2) {
            unsigned int other = __shfl_up_sync(0xffffffff, sum, i, 32);
            if (lane >= i)
                sum += other;
        }
        const unsigned int add = carry + sum - result[15];
        carry += __shfl_sync(0xffffffff, sum, 31);
        if (valid)
            for (int i = 0; i < 4; ++i)
                integral[row * words * 4 + (base + lane) * 4 + i] =
                    make_uint4(result[4 * i] + add, result[4 * i + 1] + add, result[4 * i + 2] + add, result[4 * i + 3] + add);
    }
}

__global__ void integral_columns(unsigned int *integral, int width, int height)
{
    __shared__ unsigned int warpSums[8];
    const int column = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned int carry = 0;
    for (int base = 0; base < height; base += blockDim.x) {
        const int row = base + threadIdx.x;
        unsigned int sum = row < height ? integral[row * width + column] : 0;
        for (int i = 1; i < 32; i *= 2) {
            unsigned int other = __shfl_up_sync(0xffffffff, sum, i, 32);
            if (lane >= i)
                sum += other;
        }
        if (lane == 31)
            warpSums[warp] = sum;
        __syncthreads();
        unsigned int before = carry;
        for (int w = 0; w < warp; ++w)
            before += warpSums[w];
        for (int w = 0; w < blockDim.x / 32; ++w)
            carry += warpSums[w];
        if (row < height)
            integral[row * width + column] = sum + before;
        __syncthreads();
    }
}

static bool check_scan(int n)
{
    const int threads = 128, blocks = (n + threads - 1) / threads;
    int *host;
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    Random random(n);
    std::vector<int> want(n);
    for (int i = 0, sum = 0; i < n; ++i)
        want[i] = sum += host[i] = random.below(100);
    int *data = device_zeros<int>(n), *totals = device_zeros<int>(blocks);
    CHECK(cudaMemcpyAsync(data, host, n * sizeof(int), cudaMemcpyHostToDevice));
    scan_blocks<<<blocks, threads, threads / 32 * sizeof(int)>>>(data, 32, totals, n);
    scan_blocks<<<1, 128, 4 * sizeof(int)>>>(totals, 32, NULL, blocks);
    add_totals<<<blocks, threads>>>(data, totals, n);
    CHECK(cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost));
    const bool passed = same("scan", std::vector<int>(host, host + n), want);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(data));
    CHECK(cudaFree(totals));
    return passed;
}

static bool check_image(int width, int height)
{
    std::vector<unsigned char> image(width * height);
    Random random(width);
    for (auto &byte : image)
        byte = (unsigned char)random.below(256);
    std::vector<unsigned int> want(image.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            want[y * width + x] = image[y * width + x] + (x ? want[y * width + x - 1] : 0) +
                                  (y ? want[(y - 1) * width + x] : 0) - (x && y ? want[(y - 1) * width + x - 1] : 0);
    unsigned char *in = device_copy(image);
    unsigned int *out = device_zeros<unsigned int>(image.size());
    integral_rows<<<height, 32>>>((const uint4 *)in, (uint4 *)out, width);
    integral_columns<<<width, 64>>>(out, width, height);
    const bool passed = same("integral image", host_copy(out, image.size()), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

int main()
{
    bool passed = check_scan(128 * 128);
    passed &= check_scan(5003);
    passed &= check_image(208, 70);
    passed &= check_image(528, 9);
    return verdict(passed);
}
