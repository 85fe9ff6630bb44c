// SPDX-License-Identifier: Apache-2.0
// Error codes of cooperative and cluster launches that cannot be honoured.  None of them is sticky:
// after each the next correct launch works.
#include "cgtest.h"

__global__ void k_coop(int *o) {
    auto g = cg::this_grid();
    atomicAdd(o, 1);
    g.sync();
    if (g.thread_rank() == 0) atomicAdd(o, 1000000);
}
__global__ void k_smem(int *o) {
    extern __shared__ int s[];
    if (threadIdx.x == 0) s[0] = 1;
    cg::this_grid().sync();
    if (cg::this_grid().thread_rank() == 0) *o = s[0];
}
__global__ void k_plain(int *o) {
    if (lin_gid() == 0) *o = 7;
}
__global__ void __cluster_dims__(2, 1, 1) k_static_cluster(int *o) {
    if (lin_gid() == 0) *o = (int)cg::this_cluster().num_blocks();
}

static int *g_out;

// After a refused launch: the error is reported once, then a correct launch succeeds.
static void report(const std::string &name, cudaError_t returned) {
    cudaError_t peek = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError();
    CK(cudaMemset(g_out, 0, sizeof(int)));
    k_plain<<<2, 32>>>(g_out);
    cudaError_t good = cudaGetLastError(), sync = cudaDeviceSynchronize();
    int v = 0;
    CK(cudaMemcpy(&v, g_out, sizeof v, cudaMemcpyDeviceToHost));
    emit_text("coop_errors/" + name, std::string(cudaGetErrorName(returned)) + " peek " + cudaGetErrorName(peek) + " last " +
                                         cudaGetErrorName(last) + " again " + cudaGetErrorName(again) + " next " + cudaGetErrorName(good) + " " +
                                         cudaGetErrorName(sync) + " " + num(v));
}
static cudaError_t coop(dim3 grid, dim3 block, size_t smem = 0) {
    void *args[] = {&g_out};
    return cudaLaunchCooperativeKernel(k_coop, grid, block, args, smem);
}
static cudaError_t ex(dim3 grid, dim3 block, int cooperative, dim3 cluster, void (*k)(int *) = k_plain, size_t smem = 0) {
    cudaLaunchConfig_t cfg = {};
    cfg.gridDim = grid;
    cfg.blockDim = block;
    cfg.dynamicSmemBytes = smem;
    cudaLaunchAttribute attr[2];
    int n = 0;
    if (cooperative) {
        attr[n].id = cudaLaunchAttributeCooperative;
        attr[n++].val.cooperative = 1;
    }
    if (cluster.x * cluster.y * cluster.z > 1) {
        attr[n].id = cudaLaunchAttributeClusterDimension;
        attr[n].val.clusterDim.x = cluster.x;
        attr[n].val.clusterDim.y = cluster.y;
        attr[n++].val.clusterDim.z = cluster.z;
    }
    cfg.attrs = attr;
    cfg.numAttrs = (unsigned)n;
    return cudaLaunchKernelEx(&cfg, k, g_out);
}

int main() {
    int dev = 0, sms = 0, per = 0, optin = 0;
    CK(cudaGetDevice(&dev));
    CK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    CK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev));
    CK(cudaMalloc((void **)&g_out, sizeof(int)));
    CK(cudaMemset(g_out, 0, sizeof(int)));
    CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k_coop, 256, 0));

    // plain launches
    k_plain<<<1, 1025>>>(g_out);
    report("plain_1025_threads", cudaPeekAtLastError());
    k_plain<<<0, 32>>>(g_out);
    report("plain_zero_grid", cudaPeekAtLastError());
    k_plain<<<1, 0>>>(g_out);
    report("plain_zero_block", cudaPeekAtLastError());
    k_plain<<<1, dim3(1, 1, 65)>>>(g_out);
    report("plain_block_z_65", cudaPeekAtLastError());
    k_plain<<<dim3(1, 65536), 32>>>(g_out);
    report("plain_grid_y_65536", cudaPeekAtLastError());
    k_plain<<<1, 32, 49 * 1024>>>(g_out);
    report("plain_smem_49k", cudaPeekAtLastError());

    // cooperative launches
    report("coop_too_many_blocks", coop(dim3((unsigned)(per * sms + 1)), dim3(256)));
    report("coop_very_many_blocks", coop(dim3(1u << 20), dim3(256)));
    report("coop_1025_threads", coop(dim3(1), dim3(1025)));
    report("coop_zero_grid", coop(dim3(0), dim3(32)));
    report("coop_zero_block", coop(dim3(1), dim3(0)));
    report("coop_block_z_65", coop(dim3(1), dim3(1, 1, 65)));
    report("coop_smem_49k", coop(dim3(1), dim3(32), 49 * 1024));
    report("ex_coop_too_many_blocks", ex(dim3((unsigned)(per * sms + 1)), dim3(256), 1, dim3(1), k_coop));
    report("ex_coop_ok", ex(dim3(4), dim3(64), 1, dim3(1), k_coop));
    report("coop_ok", coop(dim3(3), dim3(64)));

    // dynamic shared memory above 48 KiB needs the attribute
    report("coop_smem_64k_without_attribute", ex(dim3(1), dim3(32), 1, dim3(1), k_smem, 64 * 1024));
    report("attribute_too_large", cudaFuncSetAttribute(k_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 1));
    report("attribute_64k", cudaFuncSetAttribute(k_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    report("coop_smem_64k_with_attribute", ex(dim3(1), dim3(32), 1, dim3(1), k_smem, 64 * 1024));
    report("coop_smem_65k_with_attribute_64k", ex(dim3(1), dim3(32), 1, dim3(1), k_smem, 65 * 1024));

    // clusters
    report("cluster_ok", ex(dim3(4), dim3(32), 0, dim3(2)));
    report("cluster_not_dividing_x", ex(dim3(5), dim3(32), 0, dim3(2)));
    report("cluster_not_dividing_y", ex(dim3(4, 3), dim3(32), 0, dim3(1, 2)));
    report("cluster_16_portable", ex(dim3(16), dim3(32), 0, dim3(16)));
    report("cluster_9", ex(dim3(9), dim3(32), 0, dim3(9)));
    report("cluster_32", ex(dim3(32), dim3(32), 0, dim3(32)));
    k_static_cluster<<<3, 32>>>(g_out);
    report("static_cluster_not_dividing", cudaPeekAtLastError());
    report("static_cluster_other_attribute", ex(dim3(4), dim3(32), 0, dim3(4), k_static_cluster));
    report("static_cluster_same_attribute", ex(dim3(4), dim3(32), 0, dim3(2), k_static_cluster));

    CK(cudaFree(g_out));
    return finish();
}
