// SPDX-License-Identifier: Apache-2.0
//
// Loops under macros whose text is a pragma, in headers, templates, lambdas, and functions of either side.
#include "common.h"
#include "unroll_macros.h"

#define PRAGMA #pragma
constexpr int kValues = 16;

template <class Function>
__device__ int applied(Function function)
{
    int sum = 0;
    PRAGMA unroll
    for (int i = 0; i < 4; ++i)
        sum += function(i);
    return sum;
}

__global__ void sums(const int *in, int *out)
{
    __shared__ int copy[kValues];
    NO_UNROLL
    for (int i = threadIdx.x; i < kValues; i += blockDim.x)
        copy[i] = in[i];
    __syncthreads();
    int sum = 0;
UNROLL
    for (int i = 0; i < 4; ++i)
        sum += copy[(threadIdx.x + i) % kValues];
    UNROLL_TWICE
    for (int i = 0; i < 4; ++i) sum += copy[i];
    UNROLL_BY(4)
    for (int i = 0; i < 4; ++i) {
        UNROLL
        for (int j = 0; j < 2; ++j) sum += j;
    }
    const char text[] = R"(
    #pragma unroll
)";
    out[threadIdx.x] = sum + sum_below<kValues>(copy) + (text[1] == ' ' ? 0 : 100) +
        applied([&](int i) {
            int more = 0;
            UNROLL
            for (int j = 0; j < 2; ++j) more += copy[i];
            return more;
        });
}

int main()
{
    std::vector<int> in(kValues);
    UNROLL
    for (int i = 0; i < kValues; ++i) in[i] = 1 << i;
    std::vector<int> want(32);
    for (unsigned t = 0; t < want.size(); ++t) {
        int sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum += in[(t + i) % kValues];
        want[t] = sum + 15 + 4 + sum_below<kValues>(in.data()) + 2 * 15;
    }
    int *in_device = device_copy(in);
    int *out = device_copy(std::vector<int>(want.size()));
    sums<<<1, 32>>>(in_device, out);
    const bool passed = same("sums", host_copy(out, want.size()), want);
    CHECK(cudaFree(in_device));
    CHECK(cudaFree(out));
    return verdict(passed);
}
