// SPDX-License-Identifier: Apache-2.0
//
// Launches without chevrons: cudaLaunchKernel with an array of pointers, cudaLaunchKernelEx with typed arguments and
// attributes, cooperative launches whose blocks meet at a barrier of the program's own, and refusals.
#include "common.h"

#include <algorithm>

struct Parameters
{
    float scale;
    short offsets[3];
    double bias;
};

__global__ void transform(const float *in, float *out, Parameters p, int n, char sign)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sign * (p.scale * in[i] + p.offsets[i % 3] + float(p.bias));
}

template <typename T, int STEP>
__global__ void add_steps(T *data, int n)
{
    // Where launches may overlap, what the one before has written is there behind this.
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] += T(STEP);
}

__global__ void read_constant(const __grid_constant__ Parameters p, float *out)
{
    const Parameters *where = &p;
    out[threadIdx.x] = where->scale + where->offsets[threadIdx.x % 3];
}

__global__ void __cluster_dims__(2, 1, 1) in_clusters(int *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = 10 * gridDim.x + blockIdx.x;
}

// All blocks of a cooperative launch are resident, so they can wait for each other. `round` counts arrivals.
__device__ unsigned arrived;

__device__ void meet(unsigned round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (*(volatile unsigned *)&arrived < round * gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void smooth(float *a, float *b, int n, int rounds)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        volatile float *from = round % 2 ? b : a, *to = round % 2 ? a : b;
        for (int i = first; i < n; i += gridDim.x * blockDim.x)
            to[i] = 0.25f * from[(i + n - 1) % n] + 0.5f * from[i] + 0.25f * from[(i + 1) % n];
        meet(round + 1);
    }
}

static bool check_pointers()
{
    const int n = 300;
    std::vector<float> values(n), want(n);
    Parameters p = {2.0f, {1, -1, 5}, 0.25};
    for (int i = 0; i < n; ++i) {
        values[i] = float(i);
        want[i] = -3 * (2.0f * i + p.offsets[i % 3] + 0.25f);
    }
    float *in = device_copy(values), *out = device_zeros<float>(n);
    int count = n;
    char sign = -3;
    void *arguments[] = {&in, &out, &p, &count, &sign};
    CHECK(cudaLaunchKernel((void *)transform, dim3((n + 63) / 64), dim3(64), arguments, 0, NULL));
    bool passed = same("arguments by pointers", host_copy(out, n), want);

    int step = 2;
    void *few[] = {&out, &count};
    for (auto kernel : {add_steps<float, 1>, add_steps<float, 10>})
        CHECK(cudaLaunchKernel((const void *)kernel, 2, 32, few, 0, 0));
    for (auto &w : want)
        w += 11;
    passed &= same("instances by address", host_copy(out, n), want) && expect(step == 2, "arguments are not written");
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_configurations()
{
    const int n = 100;
    int *data = device_zeros<int>(n);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = dim3(16, 1, 1);
    config.stream = stream;
    CHECK(cudaLaunchKernelEx(&config, add_steps<int, 7>, data, n));
    void *arguments[] = {(void *)&data, (void *)&n};
    CHECK(cudaLaunchKernelExC(&config, (const void *)add_steps<int, 1>, arguments));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, add_steps<int, 4>, data, n));
    CHECK(cudaStreamSynchronize(stream));
    bool passed = same("typed launch", host_copy(data, n), std::vector<int>(n, 12));

    float *out = device_zeros<float>(32);
    const Parameters p = {100, {1, 2, 3}, 0};
    read_constant<<<1, 32>>>(p, out);
    passed &= expect(host_copy(out, 32)[31] == 102, "a parameter has an address");

    in_clusters<<<4, 32>>>(data);
    passed &= same("clusters of the kernel", host_copy(data, 4), {40, 41, 42, 43});
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_cooperative(const cudaDeviceProp &properties)
{
    if (!properties.cooperativeLaunch)
        return expect(false, "the device launches cooperatively");
    int resident, n = 500, rounds = 6, threads = 64;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, smooth, threads, 0));
    const int most = resident * properties.multiProcessorCount;
    std::vector<float> want(n), next(n);
    for (int i = 0; i < n; ++i)
        want[i] = float(i * i % 64);
    float *a = device_copy(want), *b = device_zeros<float>(n);
    void *arguments[] = {&a, &b, &n, &rounds};
    CHECK(cudaLaunchCooperativeKernel((void *)smooth, std::min(most, 8), threads, arguments, 0, 0));
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i)
            next[i] = 0.25f * want[(i + n - 1) % n] + 0.5f * want[i] + 0.25f * want[(i + 1) % n];
        want = next;
    }
    bool passed = near("smoothed", host_copy(a, n), want, 1e-6);

    const cudaError_t refusal = cudaLaunchCooperativeKernel((void *)smooth, dim3(most + 1), dim3(threads), arguments, 0, 0);
    passed &= expect(refusal == cudaErrorCooperativeLaunchTooLarge, "a grid that is not resident at once is refused");
    passed &= expect(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge, "the refusal is the last error");
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return passed;
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    bool passed = check_pointers();
    passed &= check_configurations();
    passed &= check_cooperative(properties);
    passed &= expect(cudaLaunchKernel((void *)&properties, 1, 1, NULL, 0, 0) != cudaSuccess, "only kernels are launched");
    cudaGetLastError();
    return verdict(passed);
}
