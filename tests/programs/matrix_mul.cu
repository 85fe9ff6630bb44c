// SPDX-License-Identifier: Apache-2.0
//
// C = A B by tiles kept in shared memory, timed with events in a stream of its own.
// usage: matrix_mul [-wA=N] [-hA=N] [-wB=N] [-block=16|32], sizes are multiples of the block
#include "common.h"

#include <cstring>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

template <int BLOCK>
__global__ void matrix_mul(float *c, const float *a, const float *b, int widthA, int widthB)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty;
    const int column = blockIdx.x * BLOCK + tx;
    float sum = 0.0f;

    for (int tile = 0; tile < widthA; tile += BLOCK) {
        __shared__ float tileA[BLOCK][BLOCK];
        __shared__ float tileB[BLOCK][BLOCK];

        tileA[ty][tx] = a[row * widthA + tile + tx];
        tileB[ty][tx] = b[(tile + ty) * widthB + column];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BLOCK; ++k)
            sum += tileA[ty][k] * tileB[k][tx];
        __syncthreads();
    }
    c[row * widthB + column] = sum;
}

struct Sizes
{
    int widthA = 64, heightA = 96, widthB = 64, block = 16;
};

static bool option(const char *argument, const char *name, int &value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=')
        return false;
    value = atoi(argument + length + 1);
    return true;
}

static Sizes parse(int argc, char **argv)
{
    Sizes s;
    for (int i = 1; i < argc; ++i)
        if (!option(argv[i], "-wA", s.widthA) && !option(argv[i], "-hA", s.heightA) &&
            !option(argv[i], "-wB", s.widthB) && !option(argv[i], "-block", s.block))
            printf("unknown option %s\n", argv[i]);
    return s;
}

static void multiply(float *c, const float *a, const float *b, const Sizes &s, cudaStream_t stream)
{
    dim3 threads(s.block, s.block);
    dim3 grid(s.widthB / threads.x, s.heightA / threads.y);
    if (s.block == 16)
        matrix_mul<16><<<grid, threads, 0, stream>>>(c, a, b, s.widthA, s.widthB);
    else
        matrix_mul<32><<<grid, threads, 0, stream>>>(c, a, b, s.widthA, s.widthB);
}

static bool verify(const float *c, const float *a, const float *b, const Sizes &s)
{
    for (int row = 0; row < s.heightA; ++row)
        for (int column = 0; column < s.widthB; ++column) {
            double want = 0;
            for (int k = 0; k < s.widthA; ++k)
                want += double(a[row * s.widthA + k]) * b[k * s.widthB + column];
            if (fabs(c[row * s.widthB + column] - want) > 1e-4 * s.widthA) {
                printf("C[%d][%d] is %f, expected %f\n", row, column, c[row * s.widthB + column], want);
                return false;
            }
        }
    return true;
}

static float timed_runs(float *c, const float *a, const float *b, const Sizes &s, cudaStream_t stream)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, stream));
    for (int run = 0; run < 3; ++run)
        multiply(c, a, b, s, stream);
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = -1.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return milliseconds;
}

int main(int argc, char **argv)
{
    const Sizes s = parse(argc, argv);
    const size_t bytesA = sizeof(float) * s.widthA * s.heightA;
    const size_t bytesB = sizeof(float) * s.widthB * s.widthA;
    const size_t bytesC = sizeof(float) * s.widthB * s.heightA;
    float *hostA, *hostB, *hostC, *a, *b, *c;
    CHECK(cudaMallocHost(&hostA, bytesA));
    CHECK(cudaMallocHost(&hostB, bytesB));
    CHECK(cudaMallocHost(&hostC, bytesC));
    CHECK(cudaMalloc(reinterpret_cast<void **>(&a), bytesA));
    CHECK(cudaMalloc(reinterpret_cast<void **>(&b), bytesB));
    CHECK(cudaMalloc(reinterpret_cast<void **>(&c), bytesC));
    Random random(7);
    for (size_t i = 0; i < bytesA / sizeof(float); ++i)
        hostA[i] = random.uniform() - 0.5f;
    for (size_t i = 0; i < bytesB / sizeof(float); ++i)
        hostB[i] = random.uniform() - 0.5f;

    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMemcpyAsync(a, hostA, bytesA, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(b, hostB, bytesB, cudaMemcpyHostToDevice, stream));
    CHECK(cudaProfilerStart());
    nvtxRangePushA("timed runs");
    float milliseconds = timed_runs(c, a, b, s, stream);
    nvtxRangePop();
    CHECK(cudaProfilerStop());
    CHECK(cudaMemcpyAsync(hostC, c, bytesC, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));

    bool passed = verify(hostC, hostA, hostB, s) && expect(milliseconds >= 0, "the events are in order");
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(hostA));
    CHECK(cudaFreeHost(hostB));
    CHECK(cudaFreeHost(hostC));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return verdict(passed);
}
