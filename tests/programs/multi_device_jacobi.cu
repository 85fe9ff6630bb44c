// SPDX-License-Identifier: Apache-2.0
// Jacobi iterations of a rod that is cut over all devices: one grid a device, launched together, whose edges read their
// neighbours' memory and which meet after every step. In the style of CUDA 12's conjugateGradientMultiDeviceCG: CUDA 13
// has no launch on several devices any more.
#include <cooperative_groups.h>

#include <vector>

#include "common.h"

namespace cg = cooperative_groups;

constexpr int kCells = 700;  // of one device
constexpr int kSteps = 60;

struct Parts {
    float *now[16];
    float *next[16];
    int *meetings[16];
};

__global__ void relax(Parts parts, int steps) {
    cg::multi_grid_group all = cg::this_multi_grid();
    cg::grid_group grid = cg::this_grid();
    const int part = static_cast<int>(all.grid_rank());
    const int parts_in_all = static_cast<int>(all.num_grids());
    for (int step = 0; step < steps; ++step) {
        float **from = step % 2 == 0 ? parts.now : parts.next;
        float *to = (step % 2 == 0 ? parts.next : parts.now)[part];
        for (unsigned long long i = grid.thread_rank(); i < kCells; i += grid.size()) {
            const float left = i > 0 ? from[part][i - 1] : part > 0 ? from[part - 1][kCells - 1] : 1.0f;
            const float right = i + 1 < kCells ? from[part][i + 1] : part + 1 < parts_in_all ? from[part + 1][0] : 0.0f;
            to[i] = 0.5f * (left + right);
        }
        if (grid.thread_rank() == 0) ++*parts.meetings[part];
        cg::sync(all);
    }
}

static std::vector<float> expected(int cells) {
    std::vector<float> now(cells, 0.0f), next(cells);
    for (int step = 0; step < kSteps; ++step) {
        for (int i = 0; i < cells; ++i) {
            const float left = i > 0 ? now[i - 1] : 1.0f;
            const float right = i + 1 < cells ? now[i + 1] : 0.0f;
            next[i] = 0.5f * (left + right);
        }
        now.swap(next);
    }
    return now;
}

// One device's part of the rod, and its entry in the list of launches.
static cudaLaunchParams prepare(int device, int devices, Parts &parts, void **arguments) {
    CHECK(cudaSetDevice(device));
    for (int peer = 0; peer < devices; ++peer) {
        if (peer != device) CHECK(cudaDeviceEnablePeerAccess(peer, 0));
    }
    parts.now[device] = device_zeros<float>(kCells);
    parts.next[device] = device_zeros<float>(kCells);
    parts.meetings[device] = device_zeros<int>(1);
    cudaLaunchParams launch;
    launch.func = reinterpret_cast<void *>(relax);
    launch.gridDim = dim3(3);
    launch.blockDim = dim3(64);
    launch.args = arguments;
    launch.sharedMem = 0;
    CHECK(cudaStreamCreateWithFlags(&launch.stream, cudaStreamNonBlocking));
    return launch;
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    devices = devices > 16 ? 16 : devices;
    Parts parts{};
    int steps = kSteps;
    void *arguments[] = {&parts, &steps};
    std::vector<cudaLaunchParams> launches;
    bool passed = true;
    for (int device = 0; device < devices; ++device) {
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        passed &= expect(properties.cooperativeMultiDeviceLaunch == 1, "the device takes part in such launches");
        launches.push_back(prepare(device, devices, parts, arguments));
    }
    CHECK(cudaLaunchCooperativeKernelMultiDevice(launches.data(), static_cast<unsigned>(devices)));
    const std::vector<float> want = expected(devices * kCells);
    for (int device = 0; device < devices; ++device) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamSynchronize(launches[device].stream));
        const auto first = want.begin() + device * kCells;
        passed &= same("cells", host_copy(parts.now[device], kCells), std::vector<float>(first, first + kCells));
        passed &= expect(host_copy(parts.meetings[device], 1)[0] == kSteps, "every grid came to every step");
    }
    return verdict(passed);
}
