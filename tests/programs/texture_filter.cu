// SPDX-License-Identifier: Apache-2.0
//
// Texture objects over arrays, pitched and linear memory: rotation with linear filtering, address modes, normalised
// bytes. Filtering has eight bits of fraction on hardware, so that part is compared to two decimals.
#include "common.h"

#include <cstring>

__global__ void rotate(cudaTextureObject_t image, float *out, int width, int height, float angle)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
    const float tu = u * cosf(angle) - v * sinf(angle) + 0.5f, tv = v * cosf(angle) + u * sinf(angle) + 0.5f;
    out[y * width + x] = tex2D<float>(image, tu, tv);
}

__global__ void sample(cudaTextureObject_t image, float *out, int from, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = tex2D<float>(image, from + i + 0.5f, 1.5f);
}

__global__ void sample_normalised(cudaTextureObject_t image, float *out, int width, int from, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = tex2D<float>(image, (from + i + 0.5f) / width, 0.27f);
}

__global__ void luminance(cudaTextureObject_t bytes, cudaTextureObject_t weights, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const float4 pixel = tex1Dfetch<float4>(bytes, i);
    const float4 weight = tex1Dfetch<float4>(weights, 1);
    out[i] = pixel.x * weight.x + pixel.y * weight.y + pixel.z * weight.z + pixel.w * weight.w;
}

static cudaTextureDesc description(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised)
{
    cudaTextureDesc desc;
    memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = desc.addressMode[1] = mode;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = normalised;
    return desc;
}

static cudaTextureObject_t over_array(cudaArray_t array, const cudaTextureDesc &desc)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}

static std::vector<float> rotated(const std::vector<float> &image, int width, int height, double angle)
{
    std::vector<float> out(image.size());
    auto wrap = [](int i, int n) { return (i % n + n) % n; };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double u = (x + 0.5) / width - 0.5, v = (y + 0.5) / height - 0.5;
            const double px = (u * cos(angle) - v * sin(angle) + 0.5) * width - 0.5;
            const double py = (v * cos(angle) + u * sin(angle) + 0.5) * height - 0.5;
            const int ix = int(floor(px)), iy = int(floor(py));
            const double fx = px - ix, fy = py - iy;
            auto at = [&](int i, int j) { return image[wrap(j, height) * width + wrap(i, width)]; };
            out[y * width + x] = float((1 - fy) * ((1 - fx) * at(ix, iy) + fx * at(ix + 1, iy)) +
                                       fy * ((1 - fx) * at(ix, iy + 1) + fx * at(ix + 1, iy + 1)));
        }
    return out;
}

static bool check_rotation(cudaArray_t array, const std::vector<float> &image, int width, int height)
{
    cudaTextureObject_t texture = over_array(array, description(cudaAddressModeWrap, cudaFilterModeLinear, true));
    float *out = device_zeros<float>(image.size());
    rotate<<<dim3((width + 7) / 8, (height + 7) / 8, 1), dim3(8, 8, 1), 0>>>(texture, out, width, height, 0.5f);
    const bool passed = near("rotation", host_copy(out, image.size()), rotated(image, width, height, 0.5), 0.012);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_modes(cudaArray_t array, const std::vector<float> &image, int width)
{
    const int from = -width, count = 3 * width;
    float *out = device_zeros<float>(count);
    bool passed = true;
    for (auto mode : {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
        const bool normalised = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
        cudaTextureObject_t texture = over_array(array, description(mode, cudaFilterModePoint, normalised));
        if (normalised)
            sample_normalised<<<(count + 63) / 64, 64>>>(texture, out, width, from, count);
        else
            sample<<<(count + 63) / 64, 64>>>(texture, out, from, count);
        std::vector<float> want(count);
        for (int i = 0; i < count; ++i) {
            const int x = from + i, period = (x % (2 * width) + 2 * width) % (2 * width);
            int column = x < 0 ? 0 : x >= width ? width - 1 : x;
            if (mode == cudaAddressModeWrap)
                column = (x + width) % width;
            if (mode == cudaAddressModeMirror)
                column = period < width ? period : 2 * width - 1 - period;
            const int row = normalised ? 6 : 1;
            want[i] = mode == cudaAddressModeBorder && column != x ? 0 : image[row * width + column];
        }
        passed &= same("address mode", host_copy(out, count), want);
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFree(out));
    return passed;
}

static bool check_linear_memory()
{
    const int count = 500;
    std::vector<unsigned char> bytes(4 * count);
    Random random(15);
    for (auto &byte : bytes)
        byte = (unsigned char)random.below(256);
    const std::vector<float4> weights = {{0, 0, 0, 0}, {0.25f, 0.5f, 0.125f, 1.0f}};
    unsigned char *dBytes = device_copy(bytes);
    float4 *dWeights = device_copy(weights);
    float *out = device_zeros<float>(count);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = dBytes;
    resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.linear.sizeInBytes = bytes.size();
    cudaTextureDesc desc = {};
    desc.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t pixels, table;
    CHECK(cudaCreateTextureObject(&pixels, &resource, &desc, NULL));
    resource.res.linear.devPtr = dWeights;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = weights.size() * sizeof(float4);
    desc.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&table, &resource, &desc, NULL));

    luminance<<<(count + 127) / 128, 128>>>(pixels, table, out, count);
    std::vector<float> want(count);
    for (int i = 0; i < count; ++i)
        want[i] = (0.25f * bytes[4 * i] + 0.5f * bytes[4 * i + 1] + 0.125f * bytes[4 * i + 2] + bytes[4 * i + 3]) / 255;
    const bool passed = near("linear memory", host_copy(out, count), want, 1e-5);
    CHECK(cudaDestroyTextureObject(pixels));
    CHECK(cudaDestroyTextureObject(table));
    CHECK(cudaFree(dBytes));
    CHECK(cudaFree(dWeights));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_pitched(const std::vector<float> &image, int width, int height)
{
    float *pitched, *out = device_zeros<float>(width);
    size_t pitch;
    CHECK(cudaMallocPitch((void **)&pitched, &pitch, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(pitched, pitch, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    const cudaTextureDesc desc = description(cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    sample<<<1, width>>>(texture, out, 0, width);
    const bool passed = same("pitched memory", host_copy(out, width), std::vector<float>(&image[width], &image[2 * width]));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(pitched));
    CHECK(cudaFree(out));
    return passed;
}

__global__ void compute(float *at, int rounds)
{
    float value = *at;
    for (int i = 0; i < rounds; ++i)
        value = value * 0.5f + 1.0f;
    *at = value;
}

// A texture that is destroyed while its kernel has yet to run: the call waits for it.
static bool check_destroyed_early(cudaArray_t array, const std::vector<float> &image, int width)
{
    float *out = device_zeros<float>(width), *other = device_zeros<float>(1);
    const cudaTextureDesc desc = description(cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t texture = over_array(array, desc);
    compute<<<1, 1>>>(other, 10000000);
    sample<<<1, width>>>(texture, out, 0, width);
    CHECK(cudaDestroyTextureObject(texture));
    cudaTextureObject_t next = over_array(array, description(cudaAddressModeBorder, cudaFilterModePoint, true));
    const bool passed =
        same("destroyed early", host_copy(out, width), std::vector<float>(&image[width], &image[2 * width]));
    CHECK(cudaDestroyTextureObject(next));
    CHECK(cudaFree(other));
    CHECK(cudaFree(out));
    return passed;
}

int main()
{
    const int width = 32, height = 24;
    std::vector<float> image(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image[y * width + x] = 0.5f + 0.25f * sinf(0.7f * x) + 0.25f * cosf(0.5f * y);
    cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channel, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    bool passed = check_rotation(array, image, width, height);
    passed &= check_modes(array, image, width);
    passed &= check_linear_memory();
    passed &= check_pitched(image, width, height);
    passed &= check_destroyed_early(array, image, width);
    CHECK(cudaFreeArray(array));
    return verdict(passed);
}
