// SPDX-License-Identifier: Apache-2.0
// Sources of what the model does not hold: CUDA C++ Programming Guide, "Compute Capabilities" (texture and surface
// limits), and the answers of H100 and H200 boards under Linux.
#include "process/devices/properties.hpp"

#include <algorithm>
#include <cstring>

#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/settings/visible_devices.hpp"

namespace warpfiber::process {
namespace {

int as_int(std::uint64_t number) {
  return static_cast<int>(std::min<std::uint64_t>(number, 0x7fffffff));
}

void describe_launches(cudaDeviceProp& to, const DeviceModel& model) {
  to.sharedMemPerBlock = model.shared_per_block;
  to.regsPerBlock = as_int(model.registers_per_block);
  to.warpSize = as_int(model.warp_size);
  to.maxThreadsPerBlock = as_int(model.max_threads_per_block);
  to.maxThreadsDim[0] = as_int(model.max_block_x);
  to.maxThreadsDim[1] = as_int(model.max_block_y);
  to.maxThreadsDim[2] = as_int(model.max_block_z);
  to.maxGridSize[0] = as_int(model.max_grid_x);
  to.maxGridSize[1] = as_int(model.max_grid_y);
  to.maxGridSize[2] = as_int(model.max_grid_z);
  to.multiProcessorCount = as_int(model.sm_count);
  to.maxThreadsPerMultiProcessor = as_int(model.max_threads_per_sm);
  to.sharedMemPerMultiprocessor = model.shared_per_sm;
  to.regsPerMultiprocessor = as_int(model.registers_per_sm);
  to.sharedMemPerBlockOptin = model.shared_per_block_optin;
  to.maxBlocksPerMultiProcessor = as_int(model.max_blocks_per_sm);
  to.reservedSharedMemPerBlock = model.shared_reserved_per_block;
  to.cooperativeLaunch = model.cooperative_launch ? 1 : 0;
  to.clusterLaunch = model.has_clusters() ? 1 : 0;
  to.concurrentKernels = 1;
  to.computePreemptionSupported = 1;
  to.streamPrioritiesSupported = 1;
}

void describe_memory(cudaDeviceProp& to, const DeviceModel& model) {
  to.totalGlobalMem = model.global_bytes;
  to.totalConstMem = model.constant_bytes;
  to.memPitch = model.max_pitch_bytes;
  to.memoryBusWidth = as_int(model.memory_bus_bits);
  to.l2CacheSize = as_int(model.l2_bytes);
  // The share of the L2 cache that may be set aside: three quarters on 8.x, five eighths from 9.0 on.
  if (model.compute_major == 8) to.persistingL2CacheMaxSize = as_int(std::uint64_t{model.l2_bytes} * 3 / 4);
  if (model.compute_major >= 9) to.persistingL2CacheMaxSize = as_int(std::uint64_t{model.l2_bytes} * 5 / 8);
  if (model.compute_major == 8) to.accessPolicyMaxWindowSize = 134213632;
  if (model.compute_major >= 9) to.accessPolicyMaxWindowSize = 134217728;
  to.globalL1CacheSupported = 1;
  to.localL1CacheSupported = 1;
  to.ECCEnabled = model.ecc ? 1 : 0;
  to.asyncEngineCount = 3;
  to.canMapHostMemory = 1;
  to.unifiedAddressing = 1;
  to.managedMemory = 1;
  to.concurrentManagedAccess = 1;
  to.hostRegisterSupported = 1;
  to.hostRegisterReadOnlySupported = 1;
  to.canUseHostPointerForRegisteredMem = 1;
  to.memoryPoolsSupported = 1;
}

void describe_textures(cudaDeviceProp& to, const DeviceModel& model) {
  const auto set = [](auto& array, std::initializer_list<int> values) {
    std::copy(values.begin(), values.end(), array);
  };
  to.textureAlignment = model.texture_alignment;
  to.texturePitchAlignment = model.texture_pitch_alignment;
  to.surfaceAlignment = model.surface_alignment;
  to.maxTexture1D = 131072;
  to.maxTexture1DMipmap = 32768;
  to.maxTexture1DLinear = 268435456;
  set(to.maxTexture2D, {131072, 65536});
  set(to.maxTexture2DMipmap, {32768, 32768});
  set(to.maxTexture2DLinear, {131072, 65000, 2097120});
  set(to.maxTexture2DGather, {32768, 32768});
  set(to.maxTexture3D, {16384, 16384, 16384});
  set(to.maxTexture3DAlt, {8192, 8192, 32768});
  to.maxTextureCubemap = 32768;
  set(to.maxTexture1DLayered, {32768, 2048});
  set(to.maxTexture2DLayered, {32768, 32768, 2048});
  set(to.maxTextureCubemapLayered, {32768, 2046});
  to.maxSurface1D = 32768;
  set(to.maxSurface2D, {131072, 65536});
  set(to.maxSurface3D, {16384, 16384, 16384});
  set(to.maxSurface1DLayered, {32768, 2048});
  set(to.maxSurface2DLayered, {32768, 32768, 2048});
  to.maxSurfaceCubemap = 32768;
  set(to.maxSurfaceCubemapLayered, {32768, 2046});
}

/// What depends on the machine rather than the model. The group of boards is of those that the program sees (measured
/// on two H200s).
void describe_place(cudaDeviceProp& to, int device) {
  const int number = machine_number(device);
  const DeviceUuid uuid = uuid_of(number);
  to.pciBusID = number + 1;
  static_assert(sizeof to.uuid.bytes == sizeof uuid);
  std::memcpy(to.uuid.bytes, uuid.data(), sizeof uuid);
  to.multiGpuBoardGroupID = device;
  to.deviceNumaId = -1;
  to.hostNumaId = 0;
}

/// What only CUDA 12 and before had.
void describe_past(cudaDeviceProp& to, const DeviceModel& model) {
  to.clockRate = as_int(model.clock_khz);
  to.memoryClockRate = as_int(model.memory_clock_khz);
  to.deviceOverlap = 1;
  to.cooperativeMultiDeviceLaunch = model.cooperative_launch ? 1 : 0;
  to.computeMode = cudaComputeModeDefault;
  to.singleToDoublePrecisionPerfRatio = as_int(model.single_to_double_ratio);
}

}  // namespace

Error device_properties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(device)) return no_such_device(device);
  const DeviceModel& model = model_of(device);
  cudaDeviceProp& to = *properties;
  std::memset(&to, 0, sizeof to);
  std::memcpy(to.name, model.full_name, sizeof model.full_name);
  to.major = as_int(model.compute_major);
  to.minor = as_int(model.compute_minor);
  describe_launches(to, model);
  describe_memory(to, model);
  describe_textures(to, model);
  describe_place(to, device);
  describe_past(to, model);
  return Error::success;
}

Error choose_device(int* device, const cudaDeviceProp* wanted) {
  if (device == nullptr || wanted == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  *device = 0;
  return Error::success;
}

}  // namespace warpfiber::process
