// SPDX-License-Identifier: Apache-2.0
//
// Names by which programs ask which of CUDA's headers are there, which version they are of and what the architecture
// has. Built for CUDA 13 and, with -DCUDART_VERSION, for CUDA 12.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cudaTypedefs.h>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <math_constants.h>
#include <vector_types.h>

#include "common.h"

#if !defined(__cuda_cuda_h__) || !defined(CUDATYPEDEFS_H) || !defined(cuda_profiler_H)
#error "a header of the driver is not known by its name"
#endif
#if !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__) ||  \
    !defined(__DRIVER_FUNCTIONS_H__) || !defined(__DEVICE_TYPES_H__) || !defined(__HOST_DEFINES_H__) ||   \
    !defined(__HOST_CONFIG_H__) || !defined(__LIBRARY_TYPES_H__) || !defined(__CHANNEL_DESCRIPTOR_H__) || \
    !defined(__CUDA_DEVICE_RUNTIME_API_H__) || !defined(__CUDA_PROFILER_API_H__)
#error "a header of the runtime is not known by its name"
#endif
#if !defined(__VECTOR_TYPES_H__) || !defined(__VECTOR_FUNCTIONS_H__) || !defined(__TEXTURE_TYPES_H__) || \
    !defined(__SURFACE_TYPES_H__) || !defined(CU_COMPLEX_H_) || !defined(__MATH_CONSTANTS_H__)
#error "a header of types is not known by its name"
#endif
#if !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || !defined(__DEVICE_FUNCTIONS_H__) ||                     \
    !defined(__COMMON_FUNCTIONS_H__) || !defined(__MATH_FUNCTIONS_H__) ||                               \
    !defined(__DEVICE_DOUBLE_FUNCTIONS_H__) || !defined(__DEVICE_ATOMIC_FUNCTIONS_H__) ||               \
    !defined(__SM_20_ATOMIC_FUNCTIONS_H__) || !defined(__SM_20_INTRINSICS_H__) ||                       \
    !defined(__SM_30_INTRINSICS_H__) || !defined(__SM_32_ATOMIC_FUNCTIONS_H__) ||                       \
    !defined(__SM_32_INTRINSICS_H__) || !defined(__SM_35_INTRINSICS_H__) ||                             \
    !defined(__SM_60_ATOMIC_FUNCTIONS_H__) || !defined(__SM_61_INTRINSICS_H__) || !defined(__SM_70_RT_H__) || \
    !defined(__TEXTURE_INDIRECT_FUNCTIONS_H__) || !defined(__SURFACE_INDIRECT_FUNCTIONS_H__)
#error "a header of device functions, which cuda_runtime.h includes, is not known by its name"
#endif
#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_FP16_TYPES_EXIST__) || !defined(__CUDA_BF16_H__) || \
    !defined(__CUDA_BF16_TYPES_EXIST__) || !defined(__CUDA_FP8_H__) || !defined(__CUDA_FP8_TYPES_EXIST__) || \
    !defined(__CUDA_FP4_H__)
#error "a header of narrow numbers is not known by its name"
#endif
#if !defined(_COOPERATIVE_GROUPS_H_) || !defined(_COOPERATIVE_GROUPS_REDUCE_H) ||   \
    !defined(_COOPERATIVE_GROUPS_SCAN_H) || !defined(_COOPERATIVE_GROUPS_MEMCPY_ASYNC) || \
    !defined(_CUDA_PIPELINE_H_) || !defined(_CUDA_AWBARRIER_H_)
#error "a header of groups, pipelines or barriers is not known by its name"
#endif
#if !defined(CURAND_H_) || !defined(CURAND_KERNEL_H_) || !defined(CURAND_UNIFORM_H_) || !defined(CURAND_NORMAL_H_) || \
    !defined(CURAND_POISSON_H_) || !defined(CURAND_GLOBALS_H)
#error "a header of cuRAND is not known by its name"
#endif

#if !defined(__NVCC__) || !defined(__CUDACC__) || defined(__CUDACC_RTC__) || !defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#error "the compiler is not known as nvcc"
#endif
#if __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDART_VERSION || CUDART_VERSION != CUDA_VERSION
#error "the versions of compiler, runtime and driver are not one"
#endif
#if CUDART_VERSION != WANTED
#error "the version is not the one that was asked for"
#endif

__global__ void features(int *out)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && __CUDA_ARCH_SPECIFIC__ == 900
    out[0] = 1;
#else
    out[0] = 0;
#endif
    out[1] = __CUDA_HAS_ARCH_SPECIFIC(90);
    out[2] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(90);
    out[3] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(100);
}

// Functions of the driver are those of the version.
bool context_and_advice(CUdeviceptr address)
{
    CUcontext context = nullptr;
#if CUDA_VERSION < 13000
    const bool created = cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS;
    const bool advised = cuMemAdvise(address, 64, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0) == CUDA_SUCCESS;
    const bool fetched = cuMemPrefetchAsync(address, 64, CU_DEVICE_CPU, nullptr) == CUDA_SUCCESS;
#else
    const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    const bool created = cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS;
    const bool advised = cuMemAdvise(address, 64, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device) == CUDA_SUCCESS;
    const bool fetched = cuMemPrefetchAsync(address, 64, host, 0, nullptr) == CUDA_SUCCESS;
#endif
    return created && advised && fetched && cuCtxDestroy(context) == CUDA_SUCCESS;
}

// Forms of CUDA 12 of the runtime.
bool older_forms()
{
    int *managed = nullptr;
    CHECK(cudaMallocManaged(&managed, 64));
    CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0));
    CHECK(cudaMemPrefetchAsync(managed, 64, 0, nullptr));
    const bool done = context_and_advice(reinterpret_cast<CUdeviceptr>(managed));
    CHECK(cudaFree(managed));
    return done;
}

// Never called: what matters is that it compiles.
void older_graphs(cudaGraph_t graph, cudaGraphNode_t *nodes, cudaStream_t stream)
{
    size_t count = 1;
    cudaStreamCaptureStatus status;
    CHECK(cudaGraphAddDependencies(graph, nodes, nodes + 1, count));
    CHECK(cudaGraphRemoveDependencies(graph, nodes, nodes + 1, count));
    CHECK(cudaGraphGetEdges(graph, nodes, nodes + 1, &count));
    CHECK(cudaGraphNodeGetDependencies(nodes[0], nodes, &count));
    CHECK(cudaGraphNodeGetDependentNodes(nodes[0], nodes, &count));
    CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph));
#if CUDART_VERSION < 13000
    CHECK(cudaStreamUpdateCaptureDependencies(stream, nodes, count, cudaStreamSetCaptureDependencies));
#else
    CHECK(cudaStreamUpdateCaptureDependencies(stream, nodes, NULL, count, cudaStreamSetCaptureDependencies));
#endif
}

int main()
{
    std::vector<int> in(4, -1);
    int *out = device_copy(in);
    features<<<1, 1>>>(out);
    const bool named = same("features", host_copy(out, 4), std::vector<int>{SPECIFIC, SPECIFIC, SPECIFIC, 0});
    CHECK(cudaFree(out));
    return verdict(older_forms() && named);
}
