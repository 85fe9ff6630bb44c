// SPDX-License-Identifier: Apache-2.0
//
// Copies and kernels of several streams in flight at once: breadth-first issue, events across streams, priorities, the
// legacy default stream as a barrier, and two kernels in two streams that need each other.
#include "common.h"

#include <cstring>

__global__ void increment(int *data, int value, int rounds)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round)
        data[i] += value;
}

__global__ void combine(int *out, const int *a, const int *b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 10 * a[i] + b[i];
}

// Two of these in two streams count to `rounds` together, each waiting for the other's turn.
__global__ void take_turns(volatile int *turn, int me, int rounds)
{
    for (int round = 0; round < rounds; ++round) {
        while (*turn % 2 != me) {
        }
        __threadfence();
        *turn = *turn + 1;
    }
}

static bool slices(int streamCount, int n)
{
    std::vector<cudaStream_t> streams(streamCount);
    int *host, *device;
    CHECK(cudaHostAlloc((void **)&host, n * sizeof(int), cudaHostAllocDefault));
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        host[i] = i;
    const int slice = n / streamCount, threads = 128;
    for (auto &stream : streams)
        CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < streamCount; ++i)
        CHECK(cudaMemcpyAsync(device + i * slice, host + i * slice, slice * sizeof(int), cudaMemcpyHostToDevice, streams[i]));
    for (int i = 0; i < streamCount; ++i)
        increment<<<slice / threads, threads, 0, streams[i]>>>(device + i * slice, i + 1, 5);
    for (int i = 0; i < streamCount; ++i)
        CHECK(cudaMemcpyAsync(host + i * slice, device + i * slice, slice * sizeof(int), cudaMemcpyDeviceToHost, streams[i]));
    bool passed = true;
    for (int i = 0; i < streamCount; ++i) {
        CHECK(cudaStreamSynchronize(streams[i]));
        passed &= expect(cudaStreamQuery(streams[i]) == cudaSuccess, "a synchronised stream has nothing left");
        for (int j = i * slice; j < (i + 1) * slice; ++j)
            passed &= host[j] == j + 5 * (i + 1);
        CHECK(cudaStreamDestroy(streams[i]));
    }
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(device));
    return expect(passed, "every slice is incremented by its stream");
}

// a and b are produced in two streams, combined in a third that waits for both by events.
static bool joins(int n)
{
    int least, greatest, priority;
    unsigned flags;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t streams[3];
    CHECK(cudaStreamCreateWithPriority(&streams[0], cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&streams[2], cudaStreamDefault, least));
    CHECK(cudaStreamGetPriority(streams[0], &priority));
    CHECK(cudaStreamGetFlags(streams[1], &flags));
    bool passed = expect(priority == greatest && flags == cudaStreamNonBlocking, "streams keep priority and flags");
    cudaEvent_t done[2];
    for (auto &event : done)
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

    int *a = device_zeros<int>(n), *b = device_zeros<int>(n), *c = device_zeros<int>(n);
    CHECK(cudaMemsetAsync(a, 0, n * sizeof(int), streams[0]));
    increment<<<n / 64, 64, 0, [&] { return streams[0]; }()>>>(a, 3, 20);
    CHECK(cudaEventRecord(done[0], streams[0]));
    increment<<<n / 64, 64, 0, streams[1]>>>(b, 4, 20);
    CHECK(cudaEventRecord(done[1], streams[1]));
    for (auto &event : done)
        CHECK(cudaStreamWaitEvent(streams[2], event, 0));
    combine<<<n / 64, 64, 0, streams[2]>>>(c, a, b);
    CHECK(cudaStreamSynchronize(streams[2]));
    passed &= same("joined streams", host_copy(c, n), std::vector<int>(n, 10 * 60 + 80));
    passed &= expect(cudaEventQuery(done[0]) == cudaSuccess, "the events have passed");

    // Blocking streams and the default stream wait for each other without any event.
    cudaStream_t blocking;
    CHECK(cudaStreamCreate(&blocking));
    increment<<<n / 64, 64, 0, blocking>>>(a, 1, 10);
    combine<<<n / 64, 64>>>(b, a, c);
    increment<<<n / 64, 64, 0, blocking>>>(b, 1, 1);
    CHECK(cudaStreamSynchronize(blocking));
    passed &= same("default stream", host_copy(b, n), std::vector<int>(n, 10 * 70 + 680 + 1));

    increment<<<n / 64, 64, 0, cudaStreamPerThread>>>(c, 1, 1);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    passed &= same("stream of this thread", host_copy(c, n), std::vector<int>(n, 681));
    for (auto &event : done)
        CHECK(cudaEventDestroy(event));
    for (cudaStream_t stream : {streams[0], streams[1], streams[2], blocking})
        CHECK(cudaStreamDestroy(stream));
    for (int *buffer : {a, b, c})
        CHECK(cudaFree(buffer));
    return passed;
}

static bool turns(int rounds)
{
    int *turn = device_zeros<int>(1);
    cudaStream_t streams[2];
    for (auto &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int me = 0; me < 2; ++me)
        take_turns<<<1, 1, 0, streams[me]>>>(turn, me, rounds);
    CHECK(cudaDeviceSynchronize());
    const bool passed = same("turns", host_copy(turn, 1), {2 * rounds});
    for (auto &stream : streams)
        CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(turn));
    return passed;
}

int main()
{
    bool passed = slices(4, 4096);
    passed &= joins(1024);
    passed &= turns(20);
    return verdict(passed);
}
