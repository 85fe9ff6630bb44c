// SPDX-License-Identifier: Apache-2.0
//
// Variables of the device and what the host does with them: constants, globals, pointers kept in globals, tables of
// device functions; arrays in shared memory declared at file scope.
#include "common.h"

#include <cstddef>

struct Material
{
    float density, stiffness;
    int id[2];
};

__constant__ Material materials[3];
__constant__ int primes[] = {2, 3, 5, 7, 11, 13};
__device__ float factor = 1.5f;
__device__ int histogram[16];
__device__ Material *current;
static __device__ unsigned launches;

namespace physics
{
__constant__ double gravity = 9.81;
namespace detail
{
__device__ int3 origin = {1, 2, 3};
}
} // namespace physics

// Any function of the file reaches these: one instance a block.
extern __shared__ unsigned char workspace[];
__shared__ int ticket, offsets[8][4];

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int larger(int a, int b) { return max(a, b); }

__device__ Operation operation_add = add;
__device__ Operation operations[3] = {subtract, add, larger};

__global__ void use_globals(float *out)
{
    const int t = threadIdx.x;
    out[t] = factor * materials[t % 3].density + float(physics::gravity) * primes[t % 6] + current->id[t % 2] +
             physics::detail::origin.y;
    atomicAdd(&histogram[t % 16], t);
    if (t == 0)
        atomicAdd(&launches, 1u);
}

__device__ int next_ticket() { return atomicAdd(&ticket, 1); }

__device__ void store_offset(int t) { offsets[t / 4][t % 4] = t * t; }

__global__ void use_file_scope(int *out)
{
    const int t = threadIdx.x;
    if (t == 0)
        ticket = 100 * blockIdx.x;
    store_offset(t);
    ((int *)workspace)[t] = t + blockIdx.x;
    __syncthreads();
    const int mine = next_ticket();
    const int other = (t + 1) % blockDim.x;
    atomicAdd(&out[4 * blockIdx.x], mine);
    atomicAdd(&out[4 * blockIdx.x + 1], offsets[other / 4][other % 4]);
    atomicAdd(&out[4 * blockIdx.x + 2], ((int *)workspace)[other]);
    if (t == 0)
        out[4 * blockIdx.x + 3] = sizeof(offsets);
}

__global__ void apply(Operation operation, const int *a, const int *b, int *out)
{
    const int i = threadIdx.x;
    out[i] = operation ? operation(a[i], b[i]) : operations[i % 3](a[i], b[i]);
}

static bool check_values()
{
    Material host[3] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}, {9, 10, {11, 12}}};
    CHECK(cudaMemcpyToSymbol(materials, host, sizeof(host)));
    const float heavier = 50;
    CHECK(cudaMemcpyToSymbol(materials, &heavier, sizeof(float), sizeof(Material) + offsetof(Material, density)));
    host[1].density = heavier;
    Material *heap = device_copy(std::vector<Material>(host, host + 3)), *readBack = nullptr;
    CHECK(cudaMemcpyToSymbol(current, &heap, sizeof(heap)));
    CHECK(cudaMemcpyFromSymbol(&readBack, current, sizeof(readBack)));
    bool passed = expect(readBack == heap, "a pointer kept in a global is the pointer");

    const int n = 64;
    float *out = device_zeros<float>(n);
    use_globals<<<1, n>>>(out);
    std::vector<float> want(n);
    std::vector<int> bins(16, 0), got(16);
    const int table[] = {2, 3, 5, 7, 11, 13};
    for (int t = 0; t < n; ++t) {
        want[t] = 1.5f * host[t % 3].density + 9.81f * table[t % 6] + host[0].id[t % 2] + 2;
        bins[t % 16] += t;
    }
    passed &= near("globals", host_copy(out, n), want, 1e-6);
    CHECK(cudaMemcpyFromSymbolAsync(got.data(), histogram, sizeof(int) * 16, 0, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaDeviceSynchronize());
    passed &= same("histogram", got, bins);
    CHECK(cudaFree(heap));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_addresses()
{
    void *address;
    size_t size, sizeOfConstants;
    CHECK(cudaGetSymbolAddress(&address, factor));
    CHECK(cudaGetSymbolSize(&size, histogram));
    CHECK(cudaGetSymbolSize(&sizeOfConstants, materials));
    bool passed = expect(size == 16 * sizeof(int) && sizeOfConstants == 3 * sizeof(Material), "symbols know their size");
    const float two = 2.5f;
    CHECK(cudaMemcpy(address, &two, sizeof(two), cudaMemcpyHostToDevice));
    float back;
    CHECK(cudaMemcpyFromSymbol(&back, factor, sizeof(back)));
    passed &= expect(back == two, "a symbol's address is its memory");
    int3 origin;
    CHECK(cudaMemcpyFromSymbol(&origin, physics::detail::origin, sizeof(origin)));
    passed &= expect(origin.x == 1 && origin.z == 3, "symbols of namespaces have their initial value");
    int primesBack[2];
    CHECK(cudaMemcpyFromSymbol(primesBack, primes, sizeof(primesBack), 4 * sizeof(int)));
    passed &= expect(primesBack[0] == 11 && primesBack[1] == 13, "copies start at an offset");
    CHECK(cudaGetSymbolAddress(&address, histogram));
    CHECK(cudaMemset(address, 0, size));
    unsigned count;
    CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof(count)));
    return passed & expect(count == 1, "a static global counts one launch");
}

static bool check_file_scope()
{
    const int blocks = 3, n = 32;
    int *out = device_zeros<int>(4 * blocks);
    use_file_scope<<<blocks, n, n * sizeof(int)>>>(out);
    std::vector<int> want(4 * blocks);
    for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < n; ++t) {
            want[4 * b] += 100 * b + t;
            want[4 * b + 1] += t * t;
            want[4 * b + 2] += t + b;
            want[4 * b + 3] = 32 * sizeof(int);
        }
    const bool passed = same("file scope", host_copy(out, 4 * blocks), want);
    CHECK(cudaFree(out));
    return passed;
}

static bool check_functions()
{
    const int n = 30;
    std::vector<int> a(n), b(n), sums(n), mixed(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i * i % 17;
        b[i] = i * 5 % 13;
        sums[i] = a[i] + b[i];
        mixed[i] = i % 3 == 0 ? a[i] - b[i] : i % 3 == 1 ? a[i] + b[i] : a[i] < b[i] ? b[i] : a[i];
    }
    int *dA = device_copy(a), *dB = device_copy(b), *out = device_zeros<int>(n);
    Operation operation;
    CHECK(cudaMemcpyFromSymbol(&operation, operation_add, sizeof(operation)));
    apply<<<1, n>>>(operation, dA, dB, out);
    bool passed = same("a device function's address", host_copy(out, n), sums);
    apply<<<1, n>>>(NULL, dA, dB, out);
    passed &= same("a table of functions", host_copy(out, n), mixed);
    for (int *buffer : {dA, dB, out})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = check_values();
    passed &= check_addresses();
    passed &= check_file_scope();
    passed &= check_functions();
    return verdict(passed);
}
