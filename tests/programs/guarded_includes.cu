// SPDX-License-Identifier: Apache-2.0
//
// Headers of CUDA, of libcu++ and of the C++ library that only the device's text includes, and the host's own behind.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <algorithm>
#include <cstdint>
#include <type_traits>
#endif
#include "common.h"
#include <vector>

__global__ void guarded(unsigned *out)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    __shared__ std::uint32_t copy[32];
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&arrived, 32);
    block.sync();
    __pipeline_memcpy_async(&copy[threadIdx.x], &out[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    arrived.arrive_and_wait();
    static_assert(std::is_same<std::uint32_t, unsigned>::value, "one type");
    out[threadIdx.x] = std::max(copy[31 - threadIdx.x], std::uint32_t(16));
#endif
}

int main()
{
    std::vector<unsigned> in(32), want(32);
    for (unsigned i = 0; i < 32; ++i) {
        in[i] = i;
        want[i] = 31 - i > 16 ? 31 - i : 16;
    }
    unsigned *out = device_copy(in);
    guarded<<<1, 32>>>(out);
    const bool passed = same("guarded includes", host_copy(out, 32), want);
    CHECK(cudaFree(out));
    return verdict(passed);
}
