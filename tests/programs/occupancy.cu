// SPDX-License-Identifier: Apache-2.0
//
// Launches steered by what the device says: properties, attributes of kernels, occupancy, a large shared array that has
// to be asked for, and the errors of launches that do not fit.
#include "common.h"

#include <algorithm>

#define TILE_BYTES (64 * 1024)

__global__ void __launch_bounds__(128) square(int *data, int n)
{
    __shared__ int staging[128];
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        staging[threadIdx.x] = i < n ? data[i] : 0;
        __syncthreads();
        if (i < n)
            data[i] = staging[threadIdx.x] * staging[threadIdx.x];
        __syncthreads();
    }
}

// Reverses tiles as long as the dynamic array, which may be larger than what every kernel gets.
__global__ void reverse_tiles(int *data, int length)
{
    extern __shared__ __align__(128) int tile[];
    int *from = data + blockIdx.x * length;
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        tile[i] = from[i];
    __syncthreads();
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        from[i] = tile[length - 1 - i];
}

static bool check_properties(const cudaDeviceProp &p)
{
    int count, device, sms, warp, threads, shared, optin, major, minor;
    size_t available, total;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device));
    CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device));
    CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device));
    CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    int pageable;
    CHECK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device));
    CHECK(cudaMemGetInfo(&available, &total));
    bool passed = expect(count >= 1 && device == 0 && p.name[0] != '\0', "there is a device with a name");
    passed &= expect(sms == p.multiProcessorCount && sms > 0, "multiprocessors");
    passed &= expect(warp == 32 && p.warpSize == 32, "warps have 32 lanes");
    passed &= expect(threads == p.maxThreadsPerBlock && threads >= 512, "threads per block");
    passed &= expect(shared == int(p.sharedMemPerBlock) && optin == int(p.sharedMemPerBlockOptin) && shared <= optin, "shared memory");
    passed &= expect(major == p.major && minor == p.minor && p.maxGridSize[0] > 65535, "capability");
    passed &= expect(pageable == p.pageableMemoryAccess, "pageable memory access");
    passed &= expect(available <= total && total > 0 && p.totalGlobalMem > 0, "global memory");
    return passed;
}

static bool check_attributes()
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, square));
    bool passed = expect(attributes.sharedSizeBytes == 128 * sizeof(int), "static shared memory is known");
    passed &= expect(attributes.maxThreadsPerBlock == 128, "launch bounds are known");
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)reverse_tiles));
    passed &= expect(attributes.sharedSizeBytes == 0 && attributes.maxThreadsPerBlock >= 256, "a dynamic array is not static");
    CHECK(cudaFuncSetCacheConfig(square, cudaFuncCachePreferShared));
    CHECK(cudaFuncSetAttribute(reverse_tiles, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    return passed;
}

static bool check_occupancy(const cudaDeviceProp &p)
{
    int minGrid, block, blocks, fewer;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, square, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, block, 0));
    bool passed = expect(block > 0 && block <= 128 && block % p.warpSize == 0, "the suggested block obeys the bounds");
    passed &= expect(blocks > 0 && blocks * block <= p.maxThreadsPerMultiProcessor, "resident threads fit");
    passed &= expect(minGrid == blocks * p.multiProcessorCount, "the suggested grid fills the device");
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGrid, &block, reverse_tiles,
                                                         [](int threads) { return size_t(threads) * 16; }));
    passed &= expect(block >= p.warpSize && block * 16 <= int(p.sharedMemPerBlock), "shared memory may follow the block");
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse_tiles, 256, 1024));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fewer, reverse_tiles, 256, 40 * 1024, cudaOccupancyDefault));
    passed &= expect(fewer <= blocks && fewer * 40 * 1024 <= int(p.sharedMemPerMultiprocessor), "shared memory limits residents");
    return passed;
}

// A grid as large as what is resident, capped: the result may not depend on it.
static bool check_persistent_grid(const cudaDeviceProp &p)
{
    const int n = 5000;
    std::vector<int> values(n), want(n);
    for (int i = 0; i < n; ++i) {
        values[i] = i;
        want[i] = i * i;
    }
    int *data = device_copy(values), resident;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, square, 128, 0));
    square<<<std::min(resident * p.multiProcessorCount, 20), 128>>>(data, n);
    const bool passed = same("squares", host_copy(data, n), want);
    CHECK(cudaFree(data));
    return passed;
}

// Ordinary host memory where the device reads that, managed memory where not.
static bool check_pageable_memory(const cudaDeviceProp &p)
{
    const int n = 300;
    std::vector<int> pageable(n), want(n);
    int *managed;
    CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
    int *data = p.pageableMemoryAccess ? pageable.data() : managed;
    for (int i = 0; i < n; ++i) {
        data[i] = -i;
        want[i] = i * i;
    }
    square<<<2, 128>>>(data, n);
    CHECK(cudaDeviceSynchronize());
    const bool passed = same("pageable memory", std::vector<int>(data, data + n), want);
    CHECK(cudaFree(managed));
    return passed;
}

static bool check_large_tiles(const cudaDeviceProp &p)
{
    int bytes = TILE_BYTES;
    if (p.sharedMemPerBlockOptin >= TILE_BYTES)
        CHECK(cudaFuncSetAttribute(reverse_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    else
        bytes = int(p.sharedMemPerBlock);
    const int length = bytes / sizeof(int), tiles = 2;
    std::vector<int> values(tiles * length), want(tiles * length);
    for (int i = 0; i < tiles * length; ++i) {
        values[i] = i;
        want[i / length * length + length - 1 - i % length] = i;
    }
    int *data = device_copy(values);
    reverse_tiles<<<tiles, 256, bytes>>>(data, length);
    const bool passed = same("tiles", host_copy(data, values.size()), want);
    CHECK(cudaFree(data));
    return passed;
}

static bool refused(cudaError_t status, cudaError_t want, const char *what)
{
    cudaGetLastError();
    if (status != want)
        printf("%s: %s, expected %s\n", what, cudaGetErrorName(status), cudaGetErrorName(want));
    return status == want;
}

static bool check_refusals(const cudaDeviceProp &p)
{
    int *data = device_zeros<int>(16);
    reverse_tiles<<<1, p.maxThreadsPerBlock + 1>>>(data, 16);
    bool passed = refused(cudaPeekAtLastError(), cudaErrorInvalidValue, "a block that is too large");
    reverse_tiles<<<0, 32>>>(data, 16);
    passed &= refused(cudaGetLastError(), cudaErrorInvalidValue, "an empty grid");
    reverse_tiles<<<1, 32, p.sharedMemPerBlockOptin + 1>>>(data, 16);
    passed &= refused(cudaGetLastError(), cudaErrorInvalidValue, "more shared memory than there is");
    passed &= refused(cudaFuncSetAttribute(reverse_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           int(p.sharedMemPerBlockOptin) + 1),
                      cudaErrorInvalidValue, "asking for too much shared memory");
    passed &= refused(cudaSetDevice(1000), cudaErrorInvalidDevice, "a device that is not there");
    square<<<1, 256>>>(data, 16);
    passed &= expect(cudaGetLastError() != cudaSuccess, "a block beyond the launch bounds is refused");
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(data));
    return passed;
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaSetDevice(0));
    bool passed = check_properties(properties);
    passed &= check_attributes();
    passed &= check_occupancy(properties);
    passed &= check_persistent_grid(properties);
    passed &= check_pageable_memory(properties);
    passed &= check_large_tiles(properties);
    passed &= check_refusals(properties);
    return verdict(passed);
}
