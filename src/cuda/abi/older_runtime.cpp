// SPDX-License-Identifier: Apache-2.0
//
// CUDA 12's runtime, as far as it differs from CUDA 13's: programs that were linked with libcudart.so.12 ask for
// functions of that version (cmake/export_map.sh), and those with other parameters, or with smaller structures, are
// here. Their names are those of CUDA 12 behind a prefix, which the library's symbols have not.
#include <warpfiber/cuda/api/runtime.h>

#include <cstddef>
#include <cstring>

namespace warpfiber::abi {
namespace {

constexpr int kLastOfCuda12 = 12090;

// In CUDA 12's order, in which clocks and modes stand between the others.
#define WARPFIBER_PROPERTIES_OF_CUDA_12(FIELD)       \
  FIELD(char, name, [256])                           \
  FIELD(cudaUUID_t, uuid)                            \
  FIELD(char, luid, [8])                             \
  FIELD(unsigned, luidDeviceNodeMask)                \
  FIELD(std::size_t, totalGlobalMem)                 \
  FIELD(std::size_t, sharedMemPerBlock)              \
  FIELD(int, regsPerBlock)                           \
  FIELD(int, warpSize)                               \
  FIELD(std::size_t, memPitch)                       \
  FIELD(int, maxThreadsPerBlock)                     \
  FIELD(int, maxThreadsDim, [3])                     \
  FIELD(int, maxGridSize, [3])                       \
  FIELD(int, clockRate)                              \
  FIELD(std::size_t, totalConstMem)                  \
  FIELD(int, major)                                  \
  FIELD(int, minor)                                  \
  FIELD(std::size_t, textureAlignment)               \
  FIELD(std::size_t, texturePitchAlignment)          \
  FIELD(int, deviceOverlap)                          \
  FIELD(int, multiProcessorCount)                    \
  FIELD(int, kernelExecTimeoutEnabled)               \
  FIELD(int, integrated)                             \
  FIELD(int, canMapHostMemory)                       \
  FIELD(int, computeMode)                            \
  FIELD(int, maxTexture1D)                           \
  FIELD(int, maxTexture1DMipmap)                     \
  FIELD(int, maxTexture1DLinear)                     \
  FIELD(int, maxTexture2D, [2])                      \
  FIELD(int, maxTexture2DMipmap, [2])                \
  FIELD(int, maxTexture2DLinear, [3])                \
  FIELD(int, maxTexture2DGather, [2])                \
  FIELD(int, maxTexture3D, [3])                      \
  FIELD(int, maxTexture3DAlt, [3])                   \
  FIELD(int, maxTextureCubemap)                      \
  FIELD(int, maxTexture1DLayered, [2])               \
  FIELD(int, maxTexture2DLayered, [3])               \
  FIELD(int, maxTextureCubemapLayered, [2])          \
  FIELD(int, maxSurface1D)                           \
  FIELD(int, maxSurface2D, [2])                      \
  FIELD(int, maxSurface3D, [3])                      \
  FIELD(int, maxSurface1DLayered, [2])               \
  FIELD(int, maxSurface2DLayered, [3])               \
  FIELD(int, maxSurfaceCubemap)                      \
  FIELD(int, maxSurfaceCubemapLayered, [2])          \
  FIELD(std::size_t, surfaceAlignment)               \
  FIELD(int, concurrentKernels)                      \
  FIELD(int, ECCEnabled)                             \
  FIELD(int, pciBusID)                               \
  FIELD(int, pciDeviceID)                            \
  FIELD(int, pciDomainID)                            \
  FIELD(int, tccDriver)                              \
  FIELD(int, asyncEngineCount)                       \
  FIELD(int, unifiedAddressing)                      \
  FIELD(int, memoryClockRate)                        \
  FIELD(int, memoryBusWidth)                         \
  FIELD(int, l2CacheSize)                            \
  FIELD(int, persistingL2CacheMaxSize)               \
  FIELD(int, maxThreadsPerMultiProcessor)            \
  FIELD(int, streamPrioritiesSupported)              \
  FIELD(int, globalL1CacheSupported)                 \
  FIELD(int, localL1CacheSupported)                  \
  FIELD(std::size_t, sharedMemPerMultiprocessor)     \
  FIELD(int, regsPerMultiprocessor)                  \
  FIELD(int, managedMemory)                          \
  FIELD(int, isMultiGpuBoard)                        \
  FIELD(int, multiGpuBoardGroupID)                   \
  FIELD(int, hostNativeAtomicSupported)              \
  FIELD(int, singleToDoublePrecisionPerfRatio)       \
  FIELD(int, pageableMemoryAccess)                   \
  FIELD(int, concurrentManagedAccess)                \
  FIELD(int, computePreemptionSupported)             \
  FIELD(int, canUseHostPointerForRegisteredMem)      \
  FIELD(int, cooperativeLaunch)                      \
  FIELD(int, cooperativeMultiDeviceLaunch)           \
  FIELD(std::size_t, sharedMemPerBlockOptin)         \
  FIELD(int, pageableMemoryAccessUsesHostPageTables) \
  FIELD(int, directManagedMemAccessFromHost)         \
  FIELD(int, maxBlocksPerMultiProcessor)             \
  FIELD(int, accessPolicyMaxWindowSize)              \
  FIELD(std::size_t, reservedSharedMemPerBlock)      \
  FIELD(int, hostRegisterSupported)                  \
  FIELD(int, sparseCudaArraySupported)               \
  FIELD(int, hostRegisterReadOnlySupported)          \
  FIELD(int, timelineSemaphoreInteropSupported)      \
  FIELD(int, memoryPoolsSupported)                   \
  FIELD(int, gpuDirectRDMASupported)                 \
  FIELD(unsigned, gpuDirectRDMAFlushWritesOptions)   \
  FIELD(int, gpuDirectRDMAWritesOrdering)            \
  FIELD(unsigned, memoryPoolSupportedHandleTypes)    \
  FIELD(int, deferredMappingCudaArraySupported)      \
  FIELD(int, ipcEventSupported)                      \
  FIELD(int, clusterLaunch)                          \
  FIELD(int, unifiedFunctionPointers)

struct PropertiesOfCuda12 {
#define WARPFIBER_FIELD(type, name, ...) type name __VA_ARGS__;
  WARPFIBER_PROPERTIES_OF_CUDA_12(WARPFIBER_FIELD)
#undef WARPFIBER_FIELD
  int reserved[63];
};
static_assert(sizeof(PropertiesOfCuda12) == 1032);

PropertiesOfCuda12 of_cuda_12(const cudaDeviceProp& from) {
  PropertiesOfCuda12 to{};
#define WARPFIBER_FIELD(type, name, ...) std::memcpy(&to.name, &from.name, sizeof to.name);
  WARPFIBER_PROPERTIES_OF_CUDA_12(WARPFIBER_FIELD)
#undef WARPFIBER_FIELD
  return to;
}

struct PointerAttributesOfCuda12 {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

/// What CUDA 12 names by a device's number, of which a negative one is the host.
cudaMemLocation location_of(int device) {
  cudaMemLocation location{};
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

#define WARPFIBER_OF_CUDA_12(name) warpfiber_cuda12_##name

extern "C" {

cudaError_t WARPFIBER_OF_CUDA_12(cudaRuntimeGetVersion)(int* version) {
  const cudaError_t result = cudaRuntimeGetVersion(version);
  if (result == cudaSuccess) *version = kLastOfCuda12;
  return result;
}
cudaError_t WARPFIBER_OF_CUDA_12(cudaGetDeviceProperties_v2)(PropertiesOfCuda12* properties, int device) {
  cudaDeviceProp known{};
  const cudaError_t result = cudaGetDeviceProperties(properties == nullptr ? nullptr : &known, device);
  if (result == cudaSuccess) *properties = of_cuda_12(known);
  return result;
}
cudaError_t WARPFIBER_OF_CUDA_12(cudaPointerGetAttributes)(PointerAttributesOfCuda12* attributes, const void* pointer) {
  cudaPointerAttributes known{};
  const cudaError_t result = cudaPointerGetAttributes(attributes == nullptr ? nullptr : &known, pointer);
  if (result == cudaSuccess) *attributes = {known.type, known.device, known.devicePointer, known.hostPointer};
  return result;
}

cudaError_t WARPFIBER_OF_CUDA_12(cudaMemPrefetchAsync)(const void* pointer, std::size_t bytes, int device,
                                                       cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0U, stream);
}
cudaError_t WARPFIBER_OF_CUDA_12(cudaMemAdvise)(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                                int device) {
  return cudaMemAdvise(pointer, bytes, advice, location_of(device));
}
}
