// SPDX-License-Identifier: Apache-2.0
// DEVICE SPECIFIC (compute capability 9.0): limits and occupancy numbers of trivial kernels.  The
// number of multiprocessors and anything that depends on it is not printed.
#include "cgtest.h"

__global__ void k_tiny(int *o) {
    if (o) *o = 1;
}
__global__ void k_smem(int *o) {
    extern __shared__ int s[];
    s[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (o) *o = s[0];
}
__global__ void k_static_smem(int *o) {
    __shared__ int s[4096];
    s[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (o) *o = s[threadIdx.x / 2];
}
__global__ void k_tile_memory(int *o) {
    __shared__ cg::block_tile_memory<1024> m;
    auto t = cg::tiled_partition<64>(cg::this_thread_block(m));
    int v = t.shfl((int)threadIdx.x, 3);
    if (o) *o = v;
}

static void attributes() {
    struct {
        const char *name;
        cudaDeviceAttr attr;
    } attrs[] = {{"warp_size", cudaDevAttrWarpSize},
                 {"max_threads_per_block", cudaDevAttrMaxThreadsPerBlock},
                 {"max_block_dim_x", cudaDevAttrMaxBlockDimX},
                 {"max_block_dim_y", cudaDevAttrMaxBlockDimY},
                 {"max_block_dim_z", cudaDevAttrMaxBlockDimZ},
                 {"max_grid_dim_x", cudaDevAttrMaxGridDimX},
                 {"max_grid_dim_y", cudaDevAttrMaxGridDimY},
                 {"max_grid_dim_z", cudaDevAttrMaxGridDimZ},
                 {"max_threads_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor},
                 {"max_blocks_per_sm", cudaDevAttrMaxBlocksPerMultiprocessor},
                 {"smem_per_block", cudaDevAttrMaxSharedMemoryPerBlock},
                 {"smem_per_block_optin", cudaDevAttrMaxSharedMemoryPerBlockOptin},
                 {"smem_per_sm", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
                 {"smem_reserved_per_block", cudaDevAttrReservedSharedMemoryPerBlock},
                 {"registers_per_block", cudaDevAttrMaxRegistersPerBlock},
                 {"registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor},
                 {"cooperative_launch", cudaDevAttrCooperativeLaunch},
                 {"cluster_launch", cudaDevAttrClusterLaunch},
                 {"cc_major", cudaDevAttrComputeCapabilityMajor},
                 {"cc_minor", cudaDevAttrComputeCapabilityMinor}};
    int dev = 0;
    CK(cudaGetDevice(&dev));
    for (auto &a : attrs) {
        int v = -1;
        CK(cudaDeviceGetAttribute(&v, a.attr, dev));
        emit(std::string("occupancy_hw/attribute/") + a.name, v);
    }
}

static void occupancy() {
    for (int b : {1, 31, 32, 33, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1000, 1024}) {
        int n = -1;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_tiny, b, 0));
        emit("occupancy_hw/threads/" + num(b), n);
    }
    CK(cudaFuncSetAttribute(k_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (int kb : {0, 1, 3, 7, 8, 15, 16, 24, 32, 48, 64, 75, 96, 100, 112, 113, 128, 160, 200, 227}) {
        int n = -1;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_smem, 64, (size_t)kb * 1024));
        emit("occupancy_hw/smem_kb/" + num(kb), n);
    }
    {
        int n = -1, m = -1;
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k_static_smem, 256, 0));
        CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&m, k_tile_memory, 1024, 0));
        emit("occupancy_hw/static_smem_16k", n);
        emit("occupancy_hw/tile_memory_1024", m);
    }
    {
        cudaFuncAttributes a;
        CK(cudaFuncGetAttributes(&a, k_static_smem));
        emit("occupancy_hw/func/static_smem", (i64)a.sharedSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes);
        CK(cudaFuncGetAttributes(&a, k_smem));
        emit("occupancy_hw/func/dynamic_smem", (i64)a.sharedSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes);
        CK(cudaFuncGetAttributes(&a, k_tile_memory));
        emit("occupancy_hw/func/tile_memory", (i64)a.sharedSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes);
    }
    {
        cudaLaunchConfig_t cfg = {};
        cfg.gridDim = dim3(16);
        cfg.blockDim = dim3(128);
        int size = 0;
        CK(cudaOccupancyMaxPotentialClusterSize(&size, k_tiny, &cfg));
        emit("occupancy_hw/cluster/portable", size);
        CK(cudaFuncSetAttribute(k_tiny, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        CK(cudaOccupancyMaxPotentialClusterSize(&size, k_tiny, &cfg));
        emit("occupancy_hw/cluster/non_portable", size);
    }
}

int main() {
    attributes();
    occupancy();
    return finish();
}
