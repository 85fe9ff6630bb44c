// SPDX-License-Identifier: Apache-2.0
//
// The driver interface without cuInit, behind a call of the runtime: attributes of features, and functions by name.
#include <cuda.h>
#include <cudaTypedefs.h>

#include "common.h"

#include <cstring>

#define EXPECT(condition) \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), passed = false

__forceinline__ __device__ int halves(int n, int sum);
__forceinline__ __device__ int thirds(int n, int sum)
{
    if (n < 2) return sum;
    return halves(n - 1, sum + n) + (n % 3 != 0 ? thirds(n / 3, sum) : 0);
}
__forceinline__ __device__ int halves(int n, int sum)
{
    if (n < 2) return sum;
    return thirds(n / 2, sum * 2 + n) + thirds(n - 2, sum);
}
__global__ void say(const char **where)
{
    *where = "a literal of the device";
}

__global__ void recursive(int n, int *out)
{
    *out = thirds(n, 1);
}

int main()
{
    bool passed = true;
    CUdevice device = -1;
    EXPECT(cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
    const CUdevice_attribute features[] = {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                           CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                                           CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED,
                                           CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED,
                                           CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED,
                                           CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER};
    for (const CUdevice_attribute feature : features) {
        int value = -1;
        EXPECT(cuDeviceGetAttribute(&value, feature, device) == CUDA_SUCCESS && (value == 0 || value == 1));
    }
    int value = -1;
    EXPECT(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), device) == CUDA_ERROR_INVALID_VALUE);

    void *found = nullptr;
    cudaDriverEntryPointQueryResult how;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &found, 12000, cudaEnableDefault, &how));
    const PFN_cuTensorMapEncodeIm2col_v12000 encode = reinterpret_cast<PFN_cuTensorMapEncodeIm2col_v12000>(found);
    EXPECT(encode != nullptr && how == cudaDriverEntryPointSuccess);
    CUdevResource resource = {};
    EXPECT(resource.type == CU_DEV_RESOURCE_TYPE_INVALID && sizeof resource == 144);

    const char **where = nullptr;
    CHECK(cudaMalloc(&where, sizeof *where));
    say<<<1, 1>>>(where);
    const char *literal = nullptr;
    CHECK(cudaMemcpy(&literal, where, sizeof literal, cudaMemcpyDeviceToHost));
    CUdeviceptr begin = 0;
    size_t bytes = 0;
    EXPECT(cuMemGetAddressRange(&begin, &bytes, reinterpret_cast<CUdeviceptr>(literal)) == CUDA_SUCCESS);
    EXPECT(bytes >= sizeof "a literal of the device");
    char text[sizeof "a literal of the device"] = "";
    CHECK(cudaMemcpy(text, literal, sizeof text, cudaMemcpyDeviceToHost));
    EXPECT(std::strcmp(text, "a literal of the device") == 0);
    CHECK(cudaFree(where));

    int *out = device_copy(std::vector<int>(1));
    recursive<<<1, 1>>>(12, out);
    passed = same("recursion", host_copy(out, 1), std::vector<int>{743}) && passed;
    CHECK(cudaFree(out));
    return verdict(passed);
}
