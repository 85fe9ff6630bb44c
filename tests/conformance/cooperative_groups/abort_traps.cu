// SPDX-License-Identifier: Apache-2.0
// Calls that the headers answer with __trap(): every case runs in a child process of its own, which
// reports the error that the host sees.  (Compiled without -G; with -G and CG_DEBUG they assert.)
#include "cgtest.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void k_grid_sync() { cg::this_grid().sync(); }
__global__ void k_grid_arrive() {
    auto g = cg::this_grid();
    auto t = g.barrier_arrive();
    g.barrier_wait(std::move(t));
}
__global__ void k_grid_query(unsigned long long *o) {
    auto g = cg::this_grid();
    if (!g.is_valid()) o[g.thread_rank()] = g.size();
}
__global__ void k_block(unsigned n) {
    auto t = cg::tiled_partition(cg::this_thread_block(), n);
    t.sync();
}
__global__ void k_thread_group(unsigned n) {
    cg::thread_group g = cg::tiled_partition(cg::this_thread_block(), 32);
    cg::tiled_partition(g, n).sync();
}
__global__ void k_coalesced(unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group g = cg::binary_partition(w, w.thread_rank() < 16);
    cg::tiled_partition(g, n).sync();
}
__global__ void k_fine() { cg::this_thread_block().sync(); }

static const char *kNames[] = {"none",          "grid_sync_plain_launch", "grid_arrive_plain_launch", "grid_query_plain_launch", "tile_of_block_3",
                               "tile_of_block_0", "tile_of_block_64",     "tile_of_group_5",          "tile_of_group_48",        "tile_of_coalesced_6",
                               "tile_of_coalesced_33"};

static std::string child(int c) {
    unsigned long long *p = nullptr;
    cudaError_t e = cudaMalloc((void **)&p, 4096);
    if (e != cudaSuccess) return std::string("setup ") + cudaGetErrorName(e);
    switch (c) {
        case 0: k_fine<<<2, 64>>>(); break;
        case 1: k_grid_sync<<<2, 64>>>(); break;
        case 2: k_grid_arrive<<<2, 64>>>(); break;
        case 3: k_grid_query<<<2, 64>>>(p); break;
        case 4: k_block<<<1, 64>>>(3); break;
        case 5: k_block<<<1, 64>>>(0); break;
        case 6: k_block<<<1, 64>>>(64); break;
        case 7: k_thread_group<<<1, 64>>>(5); break;
        case 8: k_thread_group<<<1, 64>>>(48); break;
        case 9: k_coalesced<<<1, 64>>>(6); break;
        case 10: k_coalesced<<<1, 64>>>(33); break;
    }
    std::string s = std::string("launch ") + cudaGetErrorName(cudaPeekAtLastError());
    s += std::string(" sync ") + cudaGetErrorName(cudaDeviceSynchronize());
    char tmp[8];
    s += std::string(" later ") + cudaGetErrorName(cudaMemcpy(tmp, p, 8, cudaMemcpyDeviceToHost));
    return s;
}

int main() {
    int n = (int)(sizeof kNames / sizeof kNames[0]);
    for (int c = 0; c < n; c++) {
        fflush(stdout);
        int fd[2];
        if (pipe(fd) != 0) return 3;
        pid_t pid = fork();  // before any CUDA call of this process
        if (pid < 0) return 3;
        if (pid == 0) {
            std::string s = child(c);
            ssize_t w = write(fd[1], s.data(), s.size());
            _exit(w == (ssize_t)s.size() ? 0 : 1);
        }
        close(fd[1]);
        std::string s;
        char buf[256];
        ssize_t r;
        while ((r = read(fd[0], buf, sizeof buf)) > 0) s.append(buf, (size_t)r);
        close(fd[0]);
        int status = 0;
        waitpid(pid, &status, 0);
        require(WIFEXITED(status) && WEXITSTATUS(status) == 0, std::string("child ") + kNames[c]);
        emit_text(std::string("abort/") + kNames[c], s);
    }
    return finish();
}
