// SPDX-License-Identifier: Apache-2.0
//
// __grid_constant__ parameters: one object for all threads of a grid, whose address may be handed on, also where it has
// a constructor; and what the predicates of address spaces say of it and of everything else.
#include "common.h"

#include <type_traits>

struct Table {
    int values[60];
};

struct Pair {
    using Element = short;
    int sum;
    Element parts[2];
};

struct Scale {
    float factor;
    __host__ __device__ explicit Scale(float f) : factor(f) {}
    __host__ __device__ Scale(const Scale &other) : factor(other.factor) {}
    __host__ __device__ ~Scale() {}
};

enum { kObjects = 4, kBlocks = 5, kThreads = 70 };

__device__ const void *first_seen[kObjects];
__device__ int wrong;
__constant__ int constants[4];

// The address is that which every other thread has, and in the space of parameters alone.
__device__ void look(const void *where, int object)
{
    unsigned long long *seen = (unsigned long long *)&first_seen[object];
    const unsigned long long mine = (unsigned long long)where, before = atomicCAS(seen, 0ull, mine);
    bool right = before == 0 || before == mine;
    right &= __isGridConstant(where) && __isGlobal(where) && !__isShared(where) && !__isLocal(where) && !__isConstant(where);
    right &= __cvta_grid_constant_to_generic(__cvta_generic_to_grid_constant(where)) == where;
    if (!right)
        atomicAdd(&wrong, 1);
}

__global__ void use(const __grid_constant__ Table table, const __grid_constant__ Pair pair, Pair own,
                    const __grid_constant__ Scale scale, float *const __grid_constant__ out)
{
    __shared__ int shared_word;
    __shared__ const Pair *handed_on;
    static_assert(std::is_same<decltype(pair), const Pair>::value, "the type is the parameter's");
    const decltype(pair)::Element part = pair.parts[threadIdx.x % 2];
    Pair *volatile copy = &own;
    look(&table, 0);
    look(&table.values[59], 1);
    look(&pair.parts[1], 2);
    look(&scale.factor, 3);
    if (__isGridConstant(copy) || __isGridConstant(&shared_word) || __isGridConstant(constants) || __isGridConstant(out))
        atomicAdd(&wrong, 1);
    if (threadIdx.x == kThreads - 1)
        handed_on = &pair;
    __syncthreads();
    const auto picked = [&] { return table.values[threadIdx.x % 60] + handed_on->sum; };
    out[blockIdx.x * blockDim.x + threadIdx.x] = scale.factor * picked() + part + own.sum;
}

template <typename T, typename U>
__global__ void store(T *out, const __grid_constant__ U value)
{
    out[threadIdx.x] = __isGridConstant(&value) ? T(value) : T(0);
}

int main()
{
    Table table;
    for (int i = 0; i < 60; ++i)
        table.values[i] = 3 * i;
    const Pair pair = {1000, {5, 6}}, own = {20000, {0, 0}};
    float *out = device_zeros<float>(kBlocks * kThreads);
    use<<<kBlocks, kThreads>>>(table, pair, own, Scale(0.5f), out);
    CHECK(cudaGetLastError());
    std::vector<float> want(kBlocks * kThreads);
    for (int i = 0; i < kBlocks * kThreads; ++i) {
        const int t = i % kThreads;
        want[i] = 0.5f * (3 * (t % 60) + 1000) + pair.parts[t % 2] + 20000;
    }
    bool passed = same("values", host_copy(out, kBlocks * kThreads), want);

    store<<<1, 2>>>(out, 7);
    Scale wide(2.0f);
    void *arguments[] = {&out, &wide.factor};
    passed &= same("a template", host_copy(out, 2), {7, 7});
    CHECK(cudaLaunchKernel((const void *)store<float, float>, 1, 2, arguments, 0, 0));
    passed &= same("by an address", host_copy(out, 2), {2, 2});

    int mistakes = -1;
    CHECK(cudaMemcpyFromSymbol(&mistakes, wrong, sizeof mistakes));
    passed &= expect(mistakes == 0, "all threads see one object, and every predicate is right");
    CHECK(cudaFree(out));
    return verdict(passed);
}
