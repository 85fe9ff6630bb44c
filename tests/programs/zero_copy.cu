// SPDX-License-Identifier: Apache-2.0
//
// Kernels on host memory: mapped, registered and write-combined allocations, what pointers say about themselves, and a
// kernel that talks with the host through mapped flags while it runs.
#include "common.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// Does a step whenever the host asks for the next one.
__global__ void serve(volatile int *request, volatile int *answer, int steps)
{
    for (int step = 1; step <= steps; ++step) {
        while (*request < step) {
        }
        __threadfence_system();
        answer[step] = 100 * step + *request;
        __threadfence_system();
        answer[0] = step;
    }
}

static bool mapped(int n, bool registered)
{
    float *host[3], *device[3];
    const size_t page = 4096, bytes = (n * sizeof(float) + page - 1) / page * page;
    char *storage = registered ? static_cast<char *>(aligned_alloc(page, 3 * bytes)) : nullptr;
    for (int k = 0; k < 3; ++k)
        if (registered) {
            host[k] = reinterpret_cast<float *>(storage + k * bytes);
            CHECK(cudaHostRegister(host[k], bytes, cudaHostRegisterMapped));
        } else
            CHECK(cudaHostAlloc((void **)&host[k], n * sizeof(float),
                                k < 2 ? cudaHostAllocMapped | cudaHostAllocWriteCombined : cudaHostAllocMapped));
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) {
        host[0][i] = float(i);
        host[1][i] = 0.5f;
        want[i] = i + 0.5f;
    }
    for (int k = 0; k < 3; ++k)
        CHECK(cudaHostGetDevicePointer((void **)&device[k], host[k], 0));
    add<<<(n + 255) / 256, 256>>>(device[0], device[1], device[2], n);
    CHECK(cudaDeviceSynchronize());
    bool passed = same(registered ? "registered" : "mapped", std::vector<float>(host[2], host[2] + n), want);
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, host[2]));
    passed &= expect(flags & cudaHostAllocMapped, "mapped memory says so");
    for (int k = 0; k < 3; ++k)
        CHECK(registered ? cudaHostUnregister(host[k]) : cudaFreeHost(host[k]));
    free(storage);
    return passed;
}

static bool pointers()
{
    int *pinned, *device, *managed;
    CHECK(cudaMallocHost((void **)&pinned, 64));
    CHECK(cudaMalloc((void **)&device, 64));
    CHECK(cudaMallocManaged((void **)&managed, 64));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, pinned));
    bool passed = expect(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned, "pinned memory is host memory");
    CHECK(cudaPointerGetAttributes(&attributes, device + 3));
    passed &= expect(attributes.type == cudaMemoryTypeDevice && attributes.device == 0, "device memory knows its device");
    CHECK(cudaPointerGetAttributes(&attributes, managed));
    passed &= expect(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == managed, "managed memory is both");
    CHECK(cudaPointerGetAttributes(&attributes, &passed));
    passed &= expect(attributes.type == cudaMemoryTypeUnregistered, "the stack is not CUDA's");
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(device));
    CHECK(cudaFree(managed));
    return passed;
}

static bool conversation(int steps)
{
    int *request, *answer;
    CHECK(cudaHostAlloc((void **)&request, sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostAlloc((void **)&answer, (steps + 1) * sizeof(int), cudaHostAllocMapped));
    *(volatile int *)request = 0;
    *(volatile int *)answer = 0;
    serve<<<1, 1>>>(request, answer, steps);
    bool passed = true;
    for (int step = 1; step <= steps; ++step) {
        *(volatile int *)request = step;
        while (*(volatile int *)answer < step) {
        }
        passed &= ((volatile int *)answer)[step] == 101 * step;
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(request));
    CHECK(cudaFreeHost(answer));
    return expect(passed, "every request is answered while the kernel runs");
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    if (!properties.canMapHostMemory) {
        printf("device 0 cannot map host memory\n");
        return verdict(false);
    }
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    bool passed = mapped(3000, false);
    passed &= mapped(3000, true);
    passed &= pointers();
    passed &= conversation(10);
    return verdict(passed);
}
