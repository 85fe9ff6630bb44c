// SPDX-License-Identifier: Apache-2.0
//
// A sum in one launch: every block leaves a partial sum, a fence and a counter make the last block add them. The counter
// resets itself, so the kernel can be launched again and again.
#include "common.h"

__device__ unsigned int retired = 0;

template <unsigned int blockSize>
__device__ void reduce_block(volatile float *sdata, float mySum, const unsigned int tid)
{
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = mySum = mySum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = mySum = mySum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        sdata[tid] = mySum = mySum + sdata[tid + 32];
        __syncwarp();
        for (int half = 16; half > 0; half /= 2) {
            float other = sdata[tid + half];
            __syncwarp();
            sdata[tid] = mySum = mySum + other;
            __syncwarp();
        }
    }
}

template <unsigned int blockSize, bool nIsPow2>
__device__ void reduce_blocks(const float *in, float *out, unsigned int n)
{
    extern __shared__ float sdata[];
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    float mySum = 0;
    for (; i < n; i += blockSize * 2 * gridDim.x) {
        mySum += in[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += in[i + blockSize];
    }
    reduce_block<blockSize>(sdata, mySum, threadIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize, bool nIsPow2>
__global__ void reduce_single_pass(const float *in, float *out, unsigned int n)
{
    reduce_blocks<blockSize, nIsPow2>(in, out, n);
    if (gridDim.x > 1) {
        const unsigned int tid = threadIdx.x;
        bool __shared__ amLast;
        extern float __shared__ smem[];

        __threadfence();
        if (tid == 0) {
            unsigned int ticket = atomicInc(&retired, gridDim.x);
            amLast = ticket == gridDim.x - 1;
        }
        __syncthreads();
        if (amLast) {
            float mySum = 0;
            for (unsigned int i = tid; i < gridDim.x; i += blockSize)
                mySum += *(volatile float *)&out[i];
            reduce_block<blockSize>(smem, mySum, tid);
            if (tid == 0) {
                out[0] = smem[0];
                retired = 0;
            }
        }
    }
}

extern "C" void reduce_single_pass(const float *in, float *out, unsigned n, int threads, int blocks)
{
    const int smemSize = (threads <= 32 ? 2 : 1) * threads * sizeof(float) + 32 * sizeof(float);
    const bool pow2 = (n & (n - 1)) == 0;
    switch (threads * 2 + pow2) {
    case 513: reduce_single_pass<256, true><<<blocks, threads, smemSize>>>(in, out, n); break;
    case 512: reduce_single_pass<256, false><<<blocks, threads, smemSize>>>(in, out, n); break;
    case 257: reduce_single_pass<128, true><<<blocks, threads, smemSize>>>(in, out, n); break;
    case 256: reduce_single_pass<128, false><<<blocks, threads, smemSize>>>(in, out, n); break;
    case 129: reduce_single_pass<64, true><<<blocks, threads, smemSize>>>(in, out, n); break;
    case 128: reduce_single_pass<64, false><<<blocks, threads, smemSize>>>(in, out, n); break;
    }
}

int main()
{
    bool passed = true;
    for (unsigned n : {16384u, 10001u}) {
        std::vector<float> values(n);
        Random random(n);
        double want = 0;
        for (auto &value : values)
            want += value = float(random.below(256));
        float *in = device_copy(values), *out = device_zeros<float>(64);
        for (int threads : {64, 128, 256})
            for (int blocks : {1, 7, 32}) {
                // With a power of two no thread may reach past the end: the grid's stride has to divide n.
                if ((n & (n - 1)) == 0 && blocks == 7)
                    continue;
                reduce_single_pass(in, out, n, threads, blocks);
                float sum = 0;
                CHECK(cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost));
                if (sum != want) {
                    printf("%u values, %d blocks of %d: %f, expected %f\n", n, blocks, threads, sum, want);
                    passed = false;
                }
            }
        unsigned left;
        CHECK(cudaMemcpyFromSymbol(&left, retired, sizeof(left)));
        passed &= expect(left == 0, "the counter is reset");
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
    }
    return verdict(passed);
}
