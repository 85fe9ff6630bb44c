// SPDX-License-Identifier: Apache-2.0
//
// Chains of kernels that spin on the clock, a chain a stream, and a last kernel that adds the clocks they have seen; how
// many clocks each block took; a spin on a counter. Nothing is asked of times but that they do not go back.
#include "common.h"

__global__ void spin(clock_t *out, long long clocks)
{
    const long long start = clock64();
    long long now = start;
    while (now - start < clocks)
        now = clock64();
    *out = clock_t(now - start);
}

__global__ void add_clocks(clock_t *clocks, int n)
{
    __shared__ clock_t sums[32];
    clock_t mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += clocks[i];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        clocks[0] = sums[0];
}

// A block's minimum, and how long it took from its first to its last clock.
__global__ static void timed_minimum(const float *in, float *out, clock_t *timer)
{
    extern __shared__ float shared[];
    const int t = threadIdx.x;
    if (t == 0)
        timer[blockIdx.x] = clock();
    shared[t] = in[blockIdx.x * blockDim.x * 2 + t];
    shared[t + blockDim.x] = in[blockIdx.x * blockDim.x * 2 + t + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            shared[t] = fminf(shared[t], shared[t + d]);
    }
    if (t == 0)
        out[blockIdx.x] = shared[0];
    __syncthreads();
    if (t == 0)
        timer[blockIdx.x + gridDim.x] = clock();
}

// One thread spins on a counter until a neighbour in its warp has counted far enough.
__global__ void wait_for_count(unsigned *counter, unsigned target, unsigned *seen)
{
    if (threadIdx.x == 0) {
        unsigned value = 0;
        while (value < target)
            value = atomicAdd(counter, 0);
        *seen = value;
    } else
        for (unsigned i = 0; i < target; ++i)
            if (threadIdx.x == 1)
                atomicAdd(counter, 1);
}

static bool check_chains(int chains, int links, long long clocks)
{
    std::vector<cudaStream_t> streams(chains);
    clock_t *seen = device_zeros<clock_t>(chains * links);
    for (auto &stream : streams)
        CHECK(cudaStreamCreate(&stream));
    for (int c = 0; c < chains; ++c)
        for (int link = 0; link < links; ++link)
            spin<<<1, 1, 0, streams[c]>>>(&seen[c * links + link], clocks);
    cudaEvent_t done;
    CHECK(cudaEventCreate(&done));
    for (auto &stream : streams) {
        CHECK(cudaEventRecord(done, stream));
        CHECK(cudaEventSynchronize(done));
    }
    const std::vector<clock_t> each = host_copy(seen, chains * links);
    add_clocks<<<1, 32>>>(seen, chains * links);
    long long sum = 0;
    bool passed = true;
    for (clock_t c : each) {
        sum += c;
        passed &= c >= clocks;
    }
    passed &= host_copy(seen, 1)[0] == sum;
    for (auto &stream : streams)
        CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaFree(seen));
    return expect(passed, "every kernel spins as long as it was told");
}

static bool check_blocks(int blocks, int threads)
{
    std::vector<float> values(2 * blocks * threads), want(blocks, 1e30f);
    Random random(33);
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = random.uniform();
        want[i / (2 * threads)] = fminf(want[i / (2 * threads)], values[i]);
    }
    float *in = device_copy(values), *out = device_zeros<float>(blocks);
    clock_t *timer = device_zeros<clock_t>(2 * blocks);
    timed_minimum<<<blocks, threads, sizeof(float) * 2 * threads>>>(in, out, timer);
    bool passed = same("minimum", host_copy(out, blocks), want);
    const std::vector<clock_t> clocks = host_copy(timer, 2 * blocks);
    for (int b = 0; b < blocks; ++b)
        passed &= expect(int(clocks[b + blocks] - clocks[b]) > 0, "a block's clock goes on");
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(timer));
    return passed;
}

int main()
{
    bool passed = check_chains(8, 2, 20000);
    passed &= check_blocks(16, 128);
    unsigned *counter = device_zeros<unsigned>(2);
    wait_for_count<<<1, 32>>>(counter, 1000, counter + 1);
    passed &= same("counted", host_copy(counter, 2), {1000, 1000});
    CHECK(cudaFree(counter));
    return verdict(passed);
}
