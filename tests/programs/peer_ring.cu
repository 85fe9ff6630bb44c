// SPDX-License-Identifier: Apache-2.0
//
// Every device works on its own data and hands it to its neighbour, by peer copies and, where devices can see each
// other, straight from a kernel. One device is a ring as well.
#include "common.h"

__device__ int visits;

__global__ void stamp(int *data, int n, int device)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 1000 * device + i;
    if (i == 0)
        atomicAdd(&visits, device + 1);
}

__global__ void pull(const int *from, int *to, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = from[i] + 1;
}

static std::vector<int> stamped(int n, int device, int add)
{
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i)
        values[i] = 1000 * device + i + add;
    return values;
}

struct Place
{
    int *data, *received;
    cudaStream_t stream;
    cudaEvent_t ready;
};

static bool check_direct(std::vector<Place> &places, int n)
{
    bool passed = true;
    const int devices = int(places.size());
    for (int d = 0; d < devices; ++d) {
        const int from = (d + devices - 1) % devices;
        int can = from == d;
        if (from != d)
            CHECK(cudaDeviceCanAccessPeer(&can, d, from));
        if (!can)
            continue;
        CHECK(cudaSetDevice(d));
        if (from != d) {
            CHECK(cudaDeviceEnablePeerAccess(from, 0));
            passed &= expect(cudaDeviceEnablePeerAccess(from, 0) == cudaErrorPeerAccessAlreadyEnabled, "access is enabled once");
            cudaGetLastError();
        }
        pull<<<1, 64, 0, places[d].stream>>>(places[from].data, places[d].received, n);
        CHECK(cudaStreamSynchronize(places[d].stream));
        passed &= same("pulled", host_copy(places[d].received, n), stamped(n, from, 1));
        if (from != d)
            CHECK(cudaDeviceDisablePeerAccess(from));
    }
    return passed;
}

int main()
{
    int devices = 0;
    const int n = 2000;
    CHECK(cudaGetDeviceCount(&devices));
    bool passed = expect(devices > 0, "there is a device");
    std::vector<Place> places(devices);
    for (int d = 0; d < devices; ++d) {
        int current = -1;
        CHECK(cudaSetDevice(d));
        CHECK(cudaGetDevice(&current));
        passed &= expect(current == d, "the current device is the one that was set");
        places[d].data = device_zeros<int>(n);
        places[d].received = device_zeros<int>(n);
        CHECK(cudaStreamCreate(&places[d].stream));
        CHECK(cudaEventCreateWithFlags(&places[d].ready, cudaEventDisableTiming));
        stamp<<<(n + 127) / 128, 128, 0, places[d].stream>>>(places[d].data, n, d);
        CHECK(cudaEventRecord(places[d].ready, places[d].stream));
    }
    for (int d = 0; d < devices; ++d) {
        const int next = (d + 1) % devices;
        CHECK(cudaSetDevice(next));
        CHECK(cudaStreamWaitEvent(places[next].stream, places[d].ready, 0));
        CHECK(cudaMemcpyPeerAsync(places[next].received, next, places[d].data, d, n * sizeof(int), places[next].stream));
    }
    for (int d = 0; d < devices; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamSynchronize(places[d].stream));
        passed &= same("received", host_copy(places[d].received, n), stamped(n, (d + devices - 1) % devices, 0));
        int count;
        CHECK(cudaMemcpyFromSymbol(&count, visits, sizeof(count)));
        passed &= expect(count == d + 1, "every device has variables of its own");
        cudaPointerAttributes attributes;
        CHECK(cudaPointerGetAttributes(&attributes, places[d].data));
        passed &= expect(attributes.device == d, "memory knows its device");
    }
    passed &= check_direct(places, n);
    CHECK(cudaMemcpyPeer(places[0].received, 0, places[devices - 1].data, devices - 1, n * sizeof(int)));
    passed &= same("copied", host_copy(places[0].received, n), stamped(n, devices - 1, 0));
    for (int d = 0; d < devices; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaFree(places[d].data));
        CHECK(cudaFree(places[d].received));
        CHECK(cudaStreamDestroy(places[d].stream));
        CHECK(cudaEventDestroy(places[d].ready));
    }
    return verdict(passed);
}
