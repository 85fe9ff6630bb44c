// SPDX-License-Identifier: Apache-2.0
//
// Warps of a block that wait at barrier calls of their own: a device counts the arrivals of whole warps, at whichever
// call. The numbers are those of an H200 (CUDA 13.0), whose synccheck reports every such barrier.
#include "common.h"

__global__ void exchange(int *out, int rounds)
{
    __shared__ volatile int values[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        values[t] = t + round;
        if (t < 32) {
            __syncthreads();
            sum += values[t + 32] * 3;
        } else {
            __syncthreads();
            sum += values[t - 32] * 5;
        }
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void votes(int *out, int rounds)
{
    const int warp = threadIdx.x / 32;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (warp == 0)
            sum += __syncthreads_count(threadIdx.x % 2 == 0);
        else if (warp == 1)
            sum += __syncthreads_count(threadIdx.x % 4 == 0);
        else
            sum += __syncthreads_count(threadIdx.x % 8 == 0);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/// The second warp goes through the loop once more than the first one, which waits behind it and then returns.
__global__ void uneven_rounds(int *out)
{
    for (int i = 0; i < 2 + (int)threadIdx.x / 32; ++i)
        __syncthreads();
    __syncthreads();
    out[threadIdx.x] = 7;
}

int main()
{
    int *out, host[96];
    CHECK(cudaMalloc(&out, sizeof host));
    exchange<<<1, 64>>>(out, 1000);
    CHECK(cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    bool right = host[0] == 1594500 && host[31] == 1687500 && host[63] == 2652500;
    votes<<<1, 96>>>(out, 1000);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    right = right && host[0] == 28000 && host[32] == 28000 && host[95] == 28000;
    uneven_rounds<<<1, 64>>>(out);
    CHECK(cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    right = right && host[0] == 7 && host[63] == 7;
    CHECK(cudaFree(out));
    return verdict(right);
}
