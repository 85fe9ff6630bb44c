// SPDX-License-Identifier: Apache-2.0
//
// Exclusive prefix sums of arrays of any length: four elements a thread (uint4), a scan of the block in shared memory,
// the block totals scanned by the same code, then added.
#include "common.h"

typedef unsigned int uint;

#define THREADS 128
#define ELEMENTS (4 * THREADS)

// Inclusive scan of one value a thread; the lower half of the buffer stays zero so that no thread needs a test.
static __device__ uint scan_block(uint value)
{
    __shared__ uint buffer[2 * THREADS];
    uint at = threadIdx.x;
    buffer[at] = 0;
    at += THREADS;
    buffer[at] = value;
    for (uint offset = 1; offset < THREADS; offset <<= 1) {
        __syncthreads();
        uint sum = buffer[at] + buffer[at - offset];
        __syncthreads();
        buffer[at] = sum;
    }
    return buffer[at];
}

static __global__ void scan_exclusive(uint4 *out, const uint4 *in, uint *totals, uint groups)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 v = i < groups ? in[i] : make_uint4(0, 0, 0, 0);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const uint inclusive = scan_block(v.w), before = inclusive - v.w;
    if (i < groups)
        out[i] = make_uint4(before, before + v.x, before + v.y, before + v.z);
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = inclusive;
}

static __global__ void add_offsets(uint4 *out, const uint *offsets, uint groups)
{
    __shared__ uint offset;
    if (threadIdx.x == 0)
        offset = offsets[blockIdx.x];
    __syncthreads();
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= groups)
        return;
    uint4 v = out[i];
    v.x += offset;
    v.y += offset;
    v.z += offset;
    v.w += offset;
    out[i] = v;
}

// `count` is a multiple of four.
static void scan(uint *out, const uint *in, uint count)
{
    const uint groups = count / 4, blocks = (groups + THREADS - 1) / THREADS;
    if (blocks == 1) {
        scan_exclusive<<<1, THREADS>>>((uint4 *)out, (const uint4 *)in, NULL, groups);
        return;
    }
    const uint padded = (blocks + 3) / 4 * 4;
    uint *totals = device_zeros<uint>(padded);
    scan_exclusive<<<blocks, THREADS>>>((uint4 *)out,
                                        (const uint4 *)in,
                                        totals,
                                        groups);
    scan(totals, totals, padded);
    add_offsets<<<blocks, THREADS>>>((uint4 *)out, totals, groups);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(totals));
}

int main()
{
    bool passed = true;
    for (uint count : {4u, 512u, 516u, 10000u, 4u * ELEMENTS * 20}) {
        std::vector<uint> values(count), want(count);
        Random random(count);
        uint sum = 0;
        for (uint i = 0; i < count; ++i) {
            values[i] = random.next();
            want[i] = sum;
            sum += values[i];
        }
        uint *in = device_copy(values), *out = device_zeros<uint>(count);
        scan(out, in, count);
        passed &= same("scan", host_copy(out, count), want);
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
    }
    return verdict(passed);
}
