// SPDX-License-Identifier: Apache-2.0
//
// Transforms that read and write through device functions of the program, and arrays that cuFFT describes.
#include <cufftXt.h>

#include <cstring>

#include "common.h"

const int kCount = 60, kBatch = 5;

struct Scale {
    float factor;
    int calls;
};

__device__ cufftReal load_scaled(void *data, size_t offset, void *info, void *)
{
    Scale *scale = static_cast<Scale *>(info);
    atomicAdd(&scale->calls, 1);
    return static_cast<cufftReal *>(data)[offset] * scale->factor;
}

__device__ void store_scaled(void *data, size_t offset, cufftReal value, void *info, void *shared)
{
    float *mine = static_cast<float *>(shared) + threadIdx.x;
    *mine = value * static_cast<Scale *>(info)->factor;
    static_cast<cufftReal *>(data)[offset] = *mine;
}

__device__ cufftDoubleComplex load_swapped(void *data, size_t offset, void *, void *)
{
    const cufftDoubleComplex value = static_cast<cufftDoubleComplex *>(data)[offset];
    return make_cuDoubleComplex(value.y, value.x);
}

__device__ cufftCallbackLoadR load_function = load_scaled;
__device__ cufftCallbackStoreR store_function = store_scaled;
__device__ cufftCallbackLoadZ swap_function = load_swapped;

template <class Function>
void *address_of(Function &symbol)
{
    Function function;
    CHECK(cudaMemcpyFromSymbol(&function, symbol, sizeof function));
    return reinterpret_cast<void *>(function);
}

bool forth_and_back()
{
    float *data;
    cufftComplex *spectrum;
    Scale *scale;
    CHECK(cudaMallocManaged(&data, kCount * kBatch * sizeof *data));
    CHECK(cudaMalloc(&spectrum, (kCount / 2 + 1) * kBatch * sizeof *spectrum));
    CHECK(cudaMallocManaged(&scale, 2 * sizeof *scale));
    for (int i = 0; i < kCount * kBatch; ++i)
        data[i] = float(i % 11);
    scale[0] = {3, 0};
    scale[1] = {1.0f / kCount, 0};
    cufftHandle forth, back;
    bool right = expect(cufftPlan1d(&forth, kCount, CUFFT_R2C, kBatch) == CUFFT_SUCCESS &&
                            cufftPlan1d(&back, kCount, CUFFT_C2R, kBatch) == CUFFT_SUCCESS, "plans");
    void *load = address_of(load_function), *store = address_of(store_function);
    void *load_info = &scale[0], *store_info = &scale[1];
    right &= expect(cufftXtSetCallback(forth, &load, CUFFT_CB_LD_COMPLEX, &load_info) == CUFFT_INVALID_TYPE, "type");
    right &= expect(cufftXtSetCallback(forth, &load, CUFFT_CB_LD_REAL, &load_info) == CUFFT_SUCCESS, "load");
    right &= expect(cufftXtSetCallback(back, &store, CUFFT_CB_ST_REAL, &store_info) == CUFFT_SUCCESS, "store");
    right &= expect(cufftXtSetCallbackSharedSize(back, CUFFT_CB_ST_REAL, 4096) == CUFFT_SUCCESS, "shared memory");
    right &= expect(cufftExecR2C(forth, data, spectrum) == CUFFT_SUCCESS, "forth");
    right &= expect(cufftExecC2R(back, spectrum, data) == CUFFT_SUCCESS, "back");
    CHECK(cudaDeviceSynchronize());
    right &= expect(scale[0].calls == kCount * kBatch, "a call for each element");
    for (int i = 0; i < kCount * kBatch; ++i)
        right &= fabs(data[i] - 3 * float(i % 11)) < 1e-4;
    right &= expect(cufftXtClearCallback(forth, CUFFT_CB_LD_REAL) == CUFFT_SUCCESS, "cleared");
    right &= expect(cufftExecR2C(forth, data, spectrum) == CUFFT_SUCCESS, "without");
    CHECK(cudaDeviceSynchronize());
    right &= expect(scale[0].calls == kCount * kBatch, "no further calls");
    cufftDestroy(forth);
    cufftDestroy(back);
    CHECK(cudaFree(data));
    CHECK(cudaFree(spectrum));
    CHECK(cudaFree(scale));
    return right;
}

bool described()
{
    std::vector<cufftDoubleComplex> host(kCount), swapped(kCount), got(kCount), want(kCount);
    for (int i = 0; i < kCount; ++i) {
        host[i] = make_cuDoubleComplex(i % 7, i % 5);
        swapped[i] = make_cuDoubleComplex(i % 5, i % 7);
    }
    cufftHandle plan;
    int device = 0;
    size_t size = 0;
    cudaLibXtDesc *in = nullptr, *out = nullptr;
    bool right = expect(cufftCreate(&plan) == CUFFT_SUCCESS, "created");
    right &= expect(cufftXtSetGPUs(plan, 1, &device) == CUFFT_SUCCESS, "one device");
    right &= expect(cufftMakePlan1d(plan, kCount, CUFFT_Z2Z, 1, &size) == CUFFT_SUCCESS, "made");
    right &= expect(cufftXtMalloc(plan, &in, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS, "allocated");
    right &= expect(cufftXtMalloc(plan, &out, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS, "allocated");
    right &= expect(in->descriptor->nGPUs == 1 && in->descriptor->size[0] == kCount * sizeof host[0], "described");
    right &= expect(cufftXtMemcpy(plan, in, host.data(), CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_SUCCESS, "copied");
    right &= expect(cufftXtMemcpy(plan, out, in, CUFFT_COPY_DEVICE_TO_DEVICE) == CUFFT_SUCCESS, "copied again");
    void *swap = address_of(swap_function);
    right &= expect(cufftXtSetCallback(plan, &swap, CUFFT_CB_LD_COMPLEX_DOUBLE, nullptr) == CUFFT_SUCCESS, "callback");
    right &= expect(cufftXtExecDescriptorZ2Z(plan, out, out, CUFFT_FORWARD) == CUFFT_SUCCESS, "executed");
    right &= expect(cufftXtMemcpy(plan, got.data(), out, CUFFT_COPY_DEVICE_TO_HOST) == CUFFT_SUCCESS, "copied back");
    right &= expect(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX_DOUBLE) == CUFFT_SUCCESS, "cleared");
    right &= expect(cufftXtMemcpy(plan, in, swapped.data(), CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_SUCCESS, "copied");
    right &= expect(cufftXtExecDescriptor(plan, in, in, CUFFT_FORWARD) == CUFFT_SUCCESS, "executed again");
    right &= expect(cufftXtMemcpy(plan, want.data(), in, CUFFT_COPY_DEVICE_TO_HOST) == CUFFT_SUCCESS, "copied back");
    right &= expect(memcmp(got.data(), want.data(), kCount * sizeof got[0]) == 0, "the same numbers");
    right &= expect(cufftXtFree(in) == CUFFT_SUCCESS && cufftXtFree(out) == CUFFT_SUCCESS, "freed");
    cufftDestroy(plan);
    return right;
}

int main()
{
    const bool right = forth_and_back();
    return verdict(described() && right);
}
