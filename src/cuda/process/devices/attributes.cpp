// SPDX-License-Identifier: Apache-2.0
// Attributes of a device: nearly every one is a property under another name.
#include <warpfiber/cuda/driver/device_attributes.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "process/current_device.hpp"
#include "process/devices/properties.hpp"
#include "process/explain.hpp"

namespace warpfiber::process {
namespace {

using Properties = cudaDeviceProp;

struct Attribute {
  cudaDeviceAttr attribute;
  int (*value)(const Properties&);
};

// clang-format off
constexpr Attribute kAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, [](const Properties& of) { return static_cast<int>(of.maxThreadsPerBlock); }},
    {cudaDevAttrMaxBlockDimX, [](const Properties& of) { return static_cast<int>(of.maxThreadsDim[0]); }},
    {cudaDevAttrMaxBlockDimY, [](const Properties& of) { return static_cast<int>(of.maxThreadsDim[1]); }},
    {cudaDevAttrMaxBlockDimZ, [](const Properties& of) { return static_cast<int>(of.maxThreadsDim[2]); }},
    {cudaDevAttrMaxGridDimX, [](const Properties& of) { return static_cast<int>(of.maxGridSize[0]); }},
    {cudaDevAttrMaxGridDimY, [](const Properties& of) { return static_cast<int>(of.maxGridSize[1]); }},
    {cudaDevAttrMaxGridDimZ, [](const Properties& of) { return static_cast<int>(of.maxGridSize[2]); }},
    {cudaDevAttrMaxSharedMemoryPerBlock, [](const Properties& of) { return static_cast<int>(of.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory, [](const Properties& of) { return static_cast<int>(of.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const Properties& of) { return static_cast<int>(of.warpSize); }},
    {cudaDevAttrMaxPitch, [](const Properties& of) { return static_cast<int>(of.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock, [](const Properties& of) { return static_cast<int>(of.regsPerBlock); }},
    {cudaDevAttrClockRate, [](const Properties& of) { return static_cast<int>(of.clockRate); }},
    {cudaDevAttrTextureAlignment, [](const Properties& of) { return static_cast<int>(of.textureAlignment); }},
    {cudaDevAttrGpuOverlap, [](const Properties& of) { return static_cast<int>(of.deviceOverlap); }},
    {cudaDevAttrMultiProcessorCount, [](const Properties& of) { return static_cast<int>(of.multiProcessorCount); }},
    {cudaDevAttrKernelExecTimeout, [](const Properties& of) { return static_cast<int>(of.kernelExecTimeoutEnabled); }},
    {cudaDevAttrIntegrated, [](const Properties& of) { return static_cast<int>(of.integrated); }},
    {cudaDevAttrCanMapHostMemory, [](const Properties& of) { return static_cast<int>(of.canMapHostMemory); }},
    {cudaDevAttrComputeMode, [](const Properties& of) { return static_cast<int>(of.computeMode); }},
    {cudaDevAttrMaxTexture1DWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture1D); }},
    {cudaDevAttrMaxTexture2DWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture2D[0]); }},
    {cudaDevAttrMaxTexture2DHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture2D[1]); }},
    {cudaDevAttrMaxTexture3DWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture3D[0]); }},
    {cudaDevAttrMaxTexture3DHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture3D[1]); }},
    {cudaDevAttrMaxTexture3DDepth, [](const Properties& of) { return static_cast<int>(of.maxTexture3D[2]); }},
    {cudaDevAttrMaxTexture2DLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLayered[0]); }},
    {cudaDevAttrMaxTexture2DLayeredHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLayered[1]); }},
    {cudaDevAttrMaxTexture2DLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLayered[2]); }},
    {cudaDevAttrSurfaceAlignment, [](const Properties& of) { return static_cast<int>(of.surfaceAlignment); }},
    {cudaDevAttrConcurrentKernels, [](const Properties& of) { return static_cast<int>(of.concurrentKernels); }},
    {cudaDevAttrEccEnabled, [](const Properties& of) { return static_cast<int>(of.ECCEnabled); }},
    {cudaDevAttrPciBusId, [](const Properties& of) { return static_cast<int>(of.pciBusID); }},
    {cudaDevAttrPciDeviceId, [](const Properties& of) { return static_cast<int>(of.pciDeviceID); }},
    {cudaDevAttrTccDriver, [](const Properties& of) { return static_cast<int>(of.tccDriver); }},
    {cudaDevAttrMemoryClockRate, [](const Properties& of) { return static_cast<int>(of.memoryClockRate); }},
    {cudaDevAttrGlobalMemoryBusWidth, [](const Properties& of) { return static_cast<int>(of.memoryBusWidth); }},
    {cudaDevAttrL2CacheSize, [](const Properties& of) { return static_cast<int>(of.l2CacheSize); }},
    {cudaDevAttrMaxThreadsPerMultiProcessor, [](const Properties& of) { return static_cast<int>(of.maxThreadsPerMultiProcessor); }},
    {cudaDevAttrAsyncEngineCount, [](const Properties& of) { return static_cast<int>(of.asyncEngineCount); }},
    {cudaDevAttrUnifiedAddressing, [](const Properties& of) { return static_cast<int>(of.unifiedAddressing); }},
    {cudaDevAttrMaxTexture1DLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture1DLayered[0]); }},
    {cudaDevAttrMaxTexture1DLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxTexture1DLayered[1]); }},
    {cudaDevAttrMaxTexture2DGatherWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture2DGather[0]); }},
    {cudaDevAttrMaxTexture2DGatherHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture2DGather[1]); }},
    {cudaDevAttrMaxTexture3DWidthAlt, [](const Properties& of) { return static_cast<int>(of.maxTexture3DAlt[0]); }},
    {cudaDevAttrMaxTexture3DHeightAlt, [](const Properties& of) { return static_cast<int>(of.maxTexture3DAlt[1]); }},
    {cudaDevAttrMaxTexture3DDepthAlt, [](const Properties& of) { return static_cast<int>(of.maxTexture3DAlt[2]); }},
    {cudaDevAttrPciDomainId, [](const Properties& of) { return static_cast<int>(of.pciDomainID); }},
    {cudaDevAttrTexturePitchAlignment, [](const Properties& of) { return static_cast<int>(of.texturePitchAlignment); }},
    {cudaDevAttrMaxTextureCubemapWidth, [](const Properties& of) { return static_cast<int>(of.maxTextureCubemap); }},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxTextureCubemapLayered[0]); }},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxTextureCubemapLayered[1]); }},
    {cudaDevAttrMaxSurface1DWidth, [](const Properties& of) { return static_cast<int>(of.maxSurface1D); }},
    {cudaDevAttrMaxSurface2DWidth, [](const Properties& of) { return static_cast<int>(of.maxSurface2D[0]); }},
    {cudaDevAttrMaxSurface2DHeight, [](const Properties& of) { return static_cast<int>(of.maxSurface2D[1]); }},
    {cudaDevAttrMaxSurface3DWidth, [](const Properties& of) { return static_cast<int>(of.maxSurface3D[0]); }},
    {cudaDevAttrMaxSurface3DHeight, [](const Properties& of) { return static_cast<int>(of.maxSurface3D[1]); }},
    {cudaDevAttrMaxSurface3DDepth, [](const Properties& of) { return static_cast<int>(of.maxSurface3D[2]); }},
    {cudaDevAttrMaxSurface1DLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxSurface1DLayered[0]); }},
    {cudaDevAttrMaxSurface1DLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxSurface1DLayered[1]); }},
    {cudaDevAttrMaxSurface2DLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxSurface2DLayered[0]); }},
    {cudaDevAttrMaxSurface2DLayeredHeight, [](const Properties& of) { return static_cast<int>(of.maxSurface2DLayered[1]); }},
    {cudaDevAttrMaxSurface2DLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxSurface2DLayered[2]); }},
    {cudaDevAttrMaxSurfaceCubemapWidth, [](const Properties& of) { return static_cast<int>(of.maxSurfaceCubemap); }},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, [](const Properties& of) { return static_cast<int>(of.maxSurfaceCubemapLayered[0]); }},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, [](const Properties& of) { return static_cast<int>(of.maxSurfaceCubemapLayered[1]); }},
    {cudaDevAttrMaxTexture1DLinearWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture1DLinear); }},
    {cudaDevAttrMaxTexture2DLinearWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLinear[0]); }},
    {cudaDevAttrMaxTexture2DLinearHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLinear[1]); }},
    {cudaDevAttrMaxTexture2DLinearPitch, [](const Properties& of) { return static_cast<int>(of.maxTexture2DLinear[2]); }},
    {cudaDevAttrMaxTexture2DMipmappedWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture2DMipmap[0]); }},
    {cudaDevAttrMaxTexture2DMipmappedHeight, [](const Properties& of) { return static_cast<int>(of.maxTexture2DMipmap[1]); }},
    {cudaDevAttrComputeCapabilityMajor, [](const Properties& of) { return static_cast<int>(of.major); }},
    {cudaDevAttrComputeCapabilityMinor, [](const Properties& of) { return static_cast<int>(of.minor); }},
    {cudaDevAttrMaxTexture1DMipmappedWidth, [](const Properties& of) { return static_cast<int>(of.maxTexture1DMipmap); }},
    {cudaDevAttrStreamPrioritiesSupported, [](const Properties& of) { return static_cast<int>(of.streamPrioritiesSupported); }},
    {cudaDevAttrGlobalL1CacheSupported, [](const Properties& of) { return static_cast<int>(of.globalL1CacheSupported); }},
    {cudaDevAttrLocalL1CacheSupported, [](const Properties& of) { return static_cast<int>(of.localL1CacheSupported); }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, [](const Properties& of) { return static_cast<int>(of.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor, [](const Properties& of) { return static_cast<int>(of.regsPerMultiprocessor); }},
    {cudaDevAttrManagedMemory, [](const Properties& of) { return static_cast<int>(of.managedMemory); }},
    {cudaDevAttrIsMultiGpuBoard, [](const Properties& of) { return static_cast<int>(of.isMultiGpuBoard); }},
    {cudaDevAttrMultiGpuBoardGroupID, [](const Properties& of) { return static_cast<int>(of.multiGpuBoardGroupID); }},
    {cudaDevAttrHostNativeAtomicSupported, [](const Properties& of) { return static_cast<int>(of.hostNativeAtomicSupported); }},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, [](const Properties& of) { return static_cast<int>(of.singleToDoublePrecisionPerfRatio); }},
    {cudaDevAttrPageableMemoryAccess, [](const Properties& of) { return static_cast<int>(of.pageableMemoryAccess); }},
    {cudaDevAttrConcurrentManagedAccess, [](const Properties& of) { return static_cast<int>(of.concurrentManagedAccess); }},
    {cudaDevAttrComputePreemptionSupported, [](const Properties& of) { return static_cast<int>(of.computePreemptionSupported); }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, [](const Properties& of) { return static_cast<int>(of.canUseHostPointerForRegisteredMem); }},
    {cudaDevAttrCooperativeLaunch, [](const Properties& of) { return static_cast<int>(of.cooperativeLaunch); }},
    {cudaDevAttrCooperativeMultiDeviceLaunch, [](const Properties& of) { return static_cast<int>(of.cooperativeMultiDeviceLaunch); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, [](const Properties& of) { return static_cast<int>(of.sharedMemPerBlockOptin); }},
    {cudaDevAttrHostRegisterSupported, [](const Properties& of) { return static_cast<int>(of.hostRegisterSupported); }},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, [](const Properties& of) { return static_cast<int>(of.pageableMemoryAccessUsesHostPageTables); }},
    {cudaDevAttrDirectManagedMemAccessFromHost, [](const Properties& of) { return static_cast<int>(of.directManagedMemAccessFromHost); }},
    {cudaDevAttrMaxBlocksPerMultiprocessor, [](const Properties& of) { return static_cast<int>(of.maxBlocksPerMultiProcessor); }},
    {cudaDevAttrMaxPersistingL2CacheSize, [](const Properties& of) { return static_cast<int>(of.persistingL2CacheMaxSize); }},
    {cudaDevAttrMaxAccessPolicyWindowSize, [](const Properties& of) { return static_cast<int>(of.accessPolicyMaxWindowSize); }},
    {cudaDevAttrReservedSharedMemoryPerBlock, [](const Properties& of) { return static_cast<int>(of.reservedSharedMemPerBlock); }},
    {cudaDevAttrSparseCudaArraySupported, [](const Properties& of) { return static_cast<int>(of.sparseCudaArraySupported); }},
    {cudaDevAttrHostRegisterReadOnlySupported, [](const Properties& of) { return static_cast<int>(of.hostRegisterReadOnlySupported); }},
    {cudaDevAttrTimelineSemaphoreInteropSupported, [](const Properties& of) { return static_cast<int>(of.timelineSemaphoreInteropSupported); }},
    {cudaDevAttrMemoryPoolsSupported, [](const Properties& of) { return static_cast<int>(of.memoryPoolsSupported); }},
    {cudaDevAttrGPUDirectRDMASupported, [](const Properties& of) { return static_cast<int>(of.gpuDirectRDMASupported); }},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, [](const Properties& of) { return static_cast<int>(of.gpuDirectRDMAFlushWritesOptions); }},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, [](const Properties& of) { return static_cast<int>(of.gpuDirectRDMAWritesOrdering); }},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, [](const Properties& of) { return static_cast<int>(of.memoryPoolSupportedHandleTypes); }},
    {cudaDevAttrClusterLaunch, [](const Properties& of) { return static_cast<int>(of.clusterLaunch); }},
    {cudaDevAttrDeferredMappingCudaArraySupported, [](const Properties& of) { return static_cast<int>(of.deferredMappingCudaArraySupported); }},
    {cudaDevAttrIpcEventSupport, [](const Properties& of) { return static_cast<int>(of.ipcEventSupported); }},
    {cudaDevAttrNumaConfig, [](const Properties& of) { return static_cast<int>(of.deviceNumaConfig); }},
    {cudaDevAttrNumaId, [](const Properties& of) { return static_cast<int>(of.deviceNumaId); }},
    {cudaDevAttrMpsEnabled, [](const Properties& of) { return static_cast<int>(of.mpsEnabled); }},
    {cudaDevAttrHostNumaId, [](const Properties& of) { return static_cast<int>(of.hostNumaId); }},
    {cudaDevAttrGpuPciDeviceId, [](const Properties& of) { return static_cast<int>(of.gpuPciDeviceID); }},
    {cudaDevAttrGpuPciSubsystemId, [](const Properties& of) { return static_cast<int>(of.gpuPciSubsystemID); }},
    {cudaDevAttrHostNumaMultinodeIpcSupported, [](const Properties& of) { return static_cast<int>(of.hostNumaMultinodeIpcSupported); }},
    {cudaDevAttrMemSyncDomainCount, [](const Properties& of) { return of.major >= 9 ? 4 : 1; }},
    {cudaDevAttrCanFlushRemoteWrites, [](const Properties&) { return 0; }},
    {cudaDevAttrD3D12CigSupported, [](const Properties&) { return 0; }},
    {cudaDevAttrVulkanCigSupported, [](const Properties&) { return 0; }},
    {cudaDevAttrHostNumaMemoryPoolsSupported, [](const Properties&) { return 0; }},
    {cudaDevAttrHostMemoryPoolsSupported, [](const Properties&) { return 0; }},
    {cudaDevAttrOnlyPartialHostNativeAtomicSupported, [](const Properties&) { return 0; }},
};
// clang-format on

/// What only the driver names. Programs ask for a feature before they use it, and take another way without it.
constexpr CUdevice_attribute kLacking[] = {
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED,
};

/// The value of an attribute of the driver that is no property, or nothing.
std::optional<int> drivers_attribute(int attribute) {
  if (attribute == CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER) return 1;
  const bool lacks = std::ranges::find(kLacking, attribute) != std::end(kLacking);
  return lacks ? std::optional(0) : std::nullopt;
}

}  // namespace

Error device_attribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(device)) return no_such_device(device);
  const auto* found = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                   [attribute](const Attribute& row) { return row.attribute == attribute; });
  if (found == std::end(kAttributes)) {
    if (const auto known = drivers_attribute(static_cast<int>(attribute)); known.has_value()) {
      *value = *known;
      return Error::success;
    }
    return fail(Error::invalid_value, {ReasonKind::attribute_unknown, static_cast<int>(attribute)});
  }
  Properties properties;
  const Error error = device_properties(&properties, device);
  if (error == Error::success) *value = found->value(properties);
  return error;
}

}  // namespace warpfiber::process
