// SPDX-License-Identifier: Apache-2.0
//
// Volumes and layers as textures, and a surface that one kernel writes and the next samples.
#include "common.h"

#include <algorithm>
#include <cstring>

__global__ void slice(cudaTextureObject_t volume, float *out, int width, int height, float z)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex3D<float>(volume, x + 0.5f, y + 0.5f, z);
}

__global__ void layers(cudaTextureObject_t stack, float *out, int width, int height, int layer)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2DLayered<float>(stack, x + 0.5f, y + 0.5f, layer) - layer;
}

__global__ void paint(cudaSurfaceObject_t surface, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(make_uchar4(x, y, x ^ y, 255), surface, x * sizeof(uchar4), y);
}

__global__ void mirror(cudaSurfaceObject_t from, cudaTextureObject_t texture, uchar4 *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    uchar4 pixel;
    surf2Dread(&pixel, from, (width - 1 - x) * sizeof(uchar4), y, cudaBoundaryModeClamp);
    const uchar4 self = tex2D<uchar4>(texture, x, y);
    pixel.w = self.x;
    out[y * width + x] = pixel;
}

static float value_at(int x, int y, int z) { return float(x) + 0.5f * float(y) - float(z * z) / 8.0f; }

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc;
    memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}

static cudaArray_t array_of(std::vector<float> &data, cudaExtent extent, unsigned flags)
{
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channel, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data.data(), extent.width * sizeof(float), extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

static bool check_volume(int width, int height, int depth)
{
    std::vector<float> data;
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                data.push_back(value_at(x, y, z));
    const dim3 block(8, 8), grid((width + 7) / 8, (height + 7) / 8);
    const cudaExtent extent = make_cudaExtent(width, height, depth);
    float *out = device_zeros<float>(width * height);
    bool passed = true;

    cudaArray_t volume = array_of(data, extent, cudaArrayDefault);
    cudaTextureObject_t smooth = texture_of(volume, cudaFilterModeLinear);
    for (float z : {0.25f, 1.0f, 2.75f, float(depth)}) {
        slice<<<grid, block>>>(smooth, out, width, height, z);
        std::vector<float> want;
        const float at = std::min(std::max(z - 0.5f, 0.0f), float(depth - 1)), fraction = at - floorf(at);
        for (int i = 0; i < width * height; ++i)
            want.push_back((1 - fraction) * value_at(i % width, i / width, int(at)) +
                           fraction * value_at(i % width, i / width, std::min(int(at) + 1, depth - 1)));
        passed &= near("slice", host_copy(out, width * height), want, 0.01);
    }
    cudaArray_t stack = array_of(data, extent, cudaArrayLayered);
    cudaTextureObject_t sharp = texture_of(stack, cudaFilterModePoint);
    for (int layer = 0; layer < depth; ++layer) {
        layers<<<grid, block>>>(sharp, out, width, height, layer);
        std::vector<float> want;
        for (int i = 0; i < width * height; ++i)
            want.push_back(value_at(i % width, i / width, layer) - layer);
        passed &= near("layer", host_copy(out, width * height), want, 1e-6);
    }
    CHECK(cudaDestroyTextureObject(smooth));
    CHECK(cudaDestroyTextureObject(sharp));
    CHECK(cudaFreeArray(volume));
    CHECK(cudaFreeArray(stack));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_surface(int width, int height)
{
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channel, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureObject_t texture = texture_of(array, cudaFilterModePoint);
    uchar4 *out = device_zeros<uchar4>(width * height);
    const dim3 block(16, 4), grid((width + 15) / 16, (height + 3) / 4);
    paint<<<grid, block>>>(surface, width, height);
    mirror<<<grid, block>>>(surface, texture, out, width, height);

    const std::vector<uchar4> got = host_copy(out, width * height);
    std::vector<uchar4> painted(width * height);
    CHECK(cudaMemcpy2DFromArray(painted.data(), width * sizeof(uchar4), array, 0, 0, width * sizeof(uchar4), height,
                                cudaMemcpyDeviceToHost));
    bool passed = true;
    for (int i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width, m = width - 1 - x;
        passed &= got[i].x == m && got[i].y == y && got[i].z == (m ^ y) && got[i].w == x;
        passed &= painted[i].x == x && painted[i].y == y && painted[i].w == 255;
    }
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return expect(passed, "a surface keeps what a kernel writes");
}

int main()
{
    bool passed = check_volume(12, 10, 5);
    passed &= check_surface(40, 30);
    return verdict(passed);
}
