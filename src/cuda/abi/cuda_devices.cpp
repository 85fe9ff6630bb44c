// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: errors' names, devices, versions, the profiler's switch.
#include <warpfiber/cuda/api/runtime.h>

#include "process/current_device.hpp"
#include "process/devices/properties.hpp"
#include "process/devices/settings.hpp"
#include "process/explain.hpp"
#include "process/host/asked.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

constexpr int kVersion = CUDART_VERSION;

template <class T>
Error put(T* to, T value) {
  if (to == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  *to = value;
  return Error::success;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  program_names_error(static_cast<Error>(error));
  return warpfiber::error_name(static_cast<Error>(error));
}
const char* cudaGetErrorString(cudaError_t error) {
  program_names_error(static_cast<Error>(error));
  return warpfiber::error_string(static_cast<Error>(error));
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call_always(__func__, [&] { return put(count, device_count()); });
}
cudaError_t cudaGetDevice(int* device) {
  return call_always(__func__, [&] { return put(device, current_device()); });
}
cudaError_t cudaSetDevice(int device) {
  return call_always(__func__, [&] { return set_current_device(device); });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call_always(__func__, [&] { return is_device(device) ? Error::success : no_such_device(device); });
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_always(__func__, [&] { return set_valid_devices(devices, count); });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return call_always(__func__, [&] { return choose_device(device, wanted); });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call_always(__func__, [&] { return device_properties(properties, device); });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_always(__func__, [&] { return device_attribute(value, attribute, device); });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return call_always(__func__, [&] { return peer_attribute(value, attribute, from, to); });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call_always(__func__, [&] { return device_by_pci_bus_id(device, text); });
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int room, int device) {
  return call_always(__func__, [&] { return pci_bus_id(text, room, device); });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return call_without_device(__func__, [&] { return put(version, kVersion); });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return call_without_device(__func__, [&] { return put(version, kVersion); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call(__func__, [&] { return set_device_flags(flags); });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call(__func__, [&] { return get_device_flags(flags); });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call(__func__, [&] { return set_limit(limit, value); });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call(__func__, [&] { return get_limit(value, limit); });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call(__func__, [&] { return set_cache_config(config); });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call(__func__, [&] { return get_cache_config(config); });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call(__func__, [&] { return set_shared_config(config); });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call(__func__, [&] { return get_shared_config(config); });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return call(__func__, [] { return Error::success; });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(__func__, [&] { return can_access_peer(can, device, peer); });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call(__func__, [&] { return enable_peer(peer, flags); });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call(__func__, [&] { return disable_peer(peer); });
}

cudaError_t cudaProfilerStart() {
  return call(__func__, [] { return Error::success; });
}
cudaError_t cudaProfilerStop() {
  return call(__func__, [] { return Error::success; });
}

cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
// Devices without double precision are gone; on the others these did nothing.
cudaError_t cudaSetDoubleForDevice(double*) {
  return call(__func__, [] { return Error::success; });
}
cudaError_t cudaSetDoubleForHost(double*) {
  return call(__func__, [] { return Error::success; });
}

}  // extern "C"
