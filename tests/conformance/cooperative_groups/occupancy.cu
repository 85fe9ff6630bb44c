// SPDX-License-Identifier: Apache-2.0
// Occupancy queries around cooperative launches; only facts that do not depend on the device size.
#include "cgtest.h"

__global__ void k_small(int *o) {
    auto g = cg::this_grid();
    atomicAdd(o, 1);
    g.sync();
    if (g.thread_rank() == 0) atomicAdd(o, 1000000);
}
__global__ void k_smem(int *o) {
    extern __shared__ int s[];
    s[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (s[0] == 1) *o = 1;
}
__global__ void __cluster_dims__(2, 1, 1) k_static_cluster(int *o) {
    if (cg::this_cluster().num_blocks() != 2) *o = 1;
}
__global__ void k_cluster(int *o) {
    if (cg::this_cluster().num_blocks() == 0) *o = 1;
}

static int dev = 0, sms = 0, maxThreads = 0, optin = 0, normal = 0;

static void multiprocessors() {
    CK(cudaGetDevice(&dev));
    CK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    CK(cudaDeviceGetAttribute(&maxThreads, cudaDevAttrMaxThreadsPerBlock, dev));
    CK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev));
    CK(cudaDeviceGetAttribute(&normal, cudaDevAttrMaxSharedMemoryPerBlock, dev));
    emit("occupancy/attributes", sms > 0, maxThreads == 1024, optin > normal);

    int prev = 1 << 30;
    std::vector<i64> positive, monotone;
    for (int b : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
        int n = -1;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_small, b, 0));
        positive.push_back(n >= 1);
        monotone.push_back(n <= prev);
        prev = n;
    }
    emit("occupancy/positive", positive);
    emit("occupancy/monotone_threads", monotone);

    CK(cudaFuncSetAttribute(k_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
    prev = 1 << 30;
    monotone.clear();
    int last = 0;
    for (int kb : {0, 8, 16, 32, 48, 64, 96, 128}) {
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&last, k_smem, 128, (size_t)kb * 1024));
        monotone.push_back(last <= prev && last >= 1);
        prev = last;
    }
    emit("occupancy/monotone_smem", monotone);
    {
        int n = -1, m = -1;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_smem, 128, (size_t)optin));
        cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&m, k_smem, 128, (size_t)optin, cudaOccupancyDefault);
        emit("occupancy/full_smem", n == 1, e == cudaSuccess, n == m);
    }
}

static void answers() {
    {
        int n = -7;
        cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_small, 0, 0);
        emit_text("occupancy/zero_threads", cudaGetErrorName(e));
        (void)cudaGetLastError();
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_small, 2048, 0);
        emit_text("occupancy/too_many_threads", std::string(cudaGetErrorName(e)) + (e == cudaSuccess ? (n == 0 ? " 0" : " more") : ""));
        (void)cudaGetLastError();
    }
    {
        int grid = 0, block = 0;
        CK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k_small, 0, 0));
        emit("occupancy/potential", grid >= sms, block >= 32 && block <= maxThreads, block % 32 == 0);
        CK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k_small, 0, 200));
        emit("occupancy/potential_limit", grid >= sms, block >= 32 && block <= 200, block % 32 == 0);
    }
    {
        size_t bytes = 0;
        CK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, k_smem, 2, 128));
        emit("occupancy/available_smem", bytes > 0, bytes <= (size_t)optin);
    }
}

static void cooperative_limit() {
    // The number of co-resident blocks is exactly what a cooperative launch accepts.  Large dynamic
    // shared memory keeps the grids small (one to three blocks per multiprocessor).
    CK(cudaFuncSetAttribute(k_small, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
    for (int part : {1, 2, 3}) {
        size_t smem = (size_t)(optin / part - (part > 1 ? 2048 : 0)) / 1024 * 1024;
        int per = 0, b = 32 * part;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k_small, b, smem));
        Dev<int> o(1);
        void *args[] = {&o.p};
        cudaError_t fits = cudaLaunchCooperativeKernel(k_small, dim3((unsigned)(per * sms)), dim3((unsigned)b), args, smem);
        cudaError_t run = cudaDeviceSynchronize();
        int ran = o.get()[0] == per * sms * b + 1000000;
        cudaError_t over = cudaLaunchCooperativeKernel(k_small, dim3((unsigned)(per * sms + 1)), dim3((unsigned)b), args, smem);
        (void)cudaGetLastError();
        CK(cudaDeviceSynchronize());
        emit_text("occupancy/coop_limit/" + num(part), num(per == part) + " " + cudaGetErrorName(fits) + " " + cudaGetErrorName(run) + " " + num(ran) +
                                                           " " + cudaGetErrorName(over));
    }
    {
        cudaLaunchConfig_t cfg = {};
        cfg.gridDim = dim3(16);
        cfg.blockDim = dim3(128);
        cudaLaunchAttribute attr[1];
        attr[0].id = cudaLaunchAttributeClusterDimension;
        attr[0].val.clusterDim.x = 4;
        attr[0].val.clusterDim.y = 1;
        attr[0].val.clusterDim.z = 1;
        cfg.attrs = attr;
        cfg.numAttrs = 1;
        int clusters = 0, size = 0;
        CK(cudaOccupancyMaxActiveClusters(&clusters, k_cluster, &cfg));
        cfg.numAttrs = 0;
        CK(cudaOccupancyMaxPotentialClusterSize(&size, k_cluster, &cfg));
        emit("occupancy/clusters", clusters >= 1, size >= 8);
        Dev<int> o(1);
        k_static_cluster<<<4, 32>>>(o.p);
        SYNC();
        emit("occupancy/static_cluster", o.get()[0]);
    }
}

int main() {
    multiprocessors();
    answers();
    cooperative_limit();
    return finish();
}
