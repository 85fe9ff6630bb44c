// SPDX-License-Identifier: Apache-2.0
//
// Rectangles and boxes: pitched allocations, copies with different pitches and offsets in every direction, fills, and
// the errors of copies that cannot be.
#include "common.h"

#include <cstring>

__global__ void number_rows(int *data, size_t pitch, int width, int height)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += blockDim.y * gridDim.y) {
        int *row = (int *)((char *)data + y * pitch);
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += blockDim.x * gridDim.x)
            row[x] += 1000 * y + x;
    }
}

__global__ void add_depth(cudaPitchedPtr box, cudaExtent extent)
{
    char *slice = (char *)box.ptr + blockIdx.z * box.pitch * extent.height;
    char *row = slice + blockIdx.y * box.pitch;
    row[threadIdx.x] = char(row[threadIdx.x] + blockIdx.z);
}

static bool rectangles()
{
    const int width = 37, height = 11;
    int *a, *b;
    size_t pitchA, pitchB;
    CHECK(cudaMallocPitch(&a, &pitchA, width * sizeof(int), height));
    CHECK(cudaMallocPitch((void **)&b, &pitchB, 2 * width * sizeof(int), height));
    bool passed = expect(pitchA >= width * sizeof(int) && pitchA % 32 == 0, "a pitch is wide enough and aligned");
    CHECK(cudaMemset2D(a, pitchA, 0, width * sizeof(int), height));
    number_rows<<<dim3(2, 2), dim3(8, 2)>>>(a, pitchA, width, height);

    // Device to device, beside the middle of wider rows; then back in two steps.
    CHECK(cudaMemset2DAsync(b, pitchB, 0xff, 2 * width * sizeof(int), height, 0));
    CHECK(cudaMemcpy2D(b + 10, pitchB, a, pitchA, width * sizeof(int), height, cudaMemcpyDeviceToDevice));
    std::vector<int> wide(2 * width * height), narrow(width * height), host(width * height);
    CHECK(cudaMemcpy2D(wide.data(), 2 * width * sizeof(int), b, pitchB, 2 * width * sizeof(int), height, cudaMemcpyDefault));
    CHECK(cudaMemcpy2D(narrow.data(), width * sizeof(int), wide.data() + 10, 2 * width * sizeof(int), width * sizeof(int),
                       height, cudaMemcpyHostToHost));
    std::vector<int> wantWide(2 * width * height, -1), want(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            wantWide[2 * width * y + 10 + x] = want[width * y + x] = 1000 * y + x;
    passed &= same("wide rows", wide, wantWide) && same("narrow rows", narrow, want);

    // A rectangle of 5 by 3 from the host to (4, 6).
    const int patch[] = {-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15};
    CHECK(cudaMemcpy2DAsync((char *)a + 6 * pitchA + 4 * sizeof(int), pitchA, patch, 5 * sizeof(int), 5 * sizeof(int), 3,
                            cudaMemcpyHostToDevice, 0));
    CHECK(cudaMemcpy2D(host.data(), width * sizeof(int), a, pitchA, width * sizeof(int), height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 15; ++i)
        want[width * (6 + i / 5) + 4 + i % 5] = -1 - i;
    passed &= same("patch", host, want);

    passed &= expect(cudaMemcpy2D(a, pitchA, patch, 4, 5 * sizeof(int), 3, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue,
                     "a pitch below the width is refused");
    passed &= expect(cudaGetLastError() == cudaErrorInvalidPitchValue, "the refusal is the last error");
    passed &= expect(cudaGetLastError() == cudaSuccess, "asking clears it");
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return passed;
}

static bool boxes()
{
    const cudaExtent extent = make_cudaExtent(20, 6, 4);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, extent));
    bool passed = expect(box.xsize == 20 && box.ysize == 6 && box.pitch >= 20, "a pitched pointer knows its extent");
    CHECK(cudaMemset3D(box, 3, extent));
    add_depth<<<dim3(1, 6, 4), 20>>>(box, extent);

    // The 5 x 2 x 2 box at (8, 1, 1) goes to (1, 0, 2) of a volume of 7 x 3 x 4 on the host.
    std::vector<char> host(7 * 3 * 4, 9), want = host, all(20 * 6 * 4), wantAll(20 * 6 * 4);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.srcPos = make_cudaPos(8, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(host.data(), 7, 7, 3);
    copy.dstPos = make_cudaPos(1, 0, 2);
    copy.extent = make_cudaExtent(5, 2, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 5; ++x)
                want[((z + 2) * 3 + y) * 7 + x + 1] = char(3 + z + 1);
    passed &= same("box", host, want);

    cudaMemcpy3DParms whole;
    memset(&whole, 0, sizeof(whole));
    whole.srcPtr = box;
    whole.dstPtr = make_cudaPitchedPtr(all.data(), 20, 20, 6);
    whole.extent = extent;
    whole.kind = cudaMemcpyDefault;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpy3DAsync(&whole, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 20 * 6 * 4; ++i)
        wantAll[i] = char(3 + i / 120);
    passed &= same("volume", all, wantAll);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(box.ptr));
    return passed;
}

static bool lines()
{
    const int n = 256;
    char *a, *b;
    CHECK(cudaMalloc(&a, n));
    CHECK(cudaMalloc(&b, n));
    std::vector<char> host(n), back(n);
    for (int i = 0; i < n; ++i)
        host[i] = char(i);
    CHECK(cudaMemcpy(a, host.data(), n, cudaMemcpyDefault));
    CHECK(cudaMemcpy(b, a, n / 2, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(b + n / 2, 7, n / 2));
    CHECK(cudaMemcpyAsync(back.data(), b, n, cudaMemcpyDefault));
    CHECK(cudaDeviceSynchronize());
    for (int i = n / 2; i < n; ++i)
        host[i] = 7;
    bool passed = same("lines", back, host);
    CHECK(cudaMemcpy(a, host.data(), 0, cudaMemcpyHostToDevice));
    void *none;
    passed &= expect(cudaMalloc(&none, size_t(1) << 60) == cudaErrorMemoryAllocation, "an exabyte is refused");
    cudaGetLastError();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(NULL));
    return passed;
}

int main()
{
    bool passed = rectangles();
    passed &= boxes();
    passed &= lines();
    return verdict(passed);
}
