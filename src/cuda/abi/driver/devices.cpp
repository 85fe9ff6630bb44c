// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: its version, the names of errors, devices.
#include <warpfiber/cuda/driver/device.h>

#include <algorithm>
#include <cstring>

#include "abi/driver/driver_call.hpp"
#include "device_memory/pools.hpp"
#include "process/devices/properties.hpp"
#include "process/devices/settings.hpp"
#include "process/host/asked.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::process;
using namespace warpfiber::device_memory;
using warpfiber::Error;

namespace {

Error init(unsigned flags) {
  if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
  if (const Error none = check_devices(); none != Error::success) return none;
  initialise_driver();
  return Error::success;
}

Error put_text(const char** to, CUresult error, const char* text) {
  if (to == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  *to = text;
  if (text == nullptr) return Error::invalid_value;
  program_names_error(static_cast<Error>(error));
  return Error::success;
}

const char* text_of(CUresult error) {
  const auto same = static_cast<Error>(error);
  return warpfiber::report::driver_error_name(same) == nullptr ? nullptr : warpfiber::error_string(same);
}

Error device(CUdevice* to, int ordinal) {
  if (to == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(ordinal)) return no_such_device(ordinal);
  *to = ordinal;
  return Error::success;
}

/// Does `work` with the properties of a device.
template <class Work>
Error with_properties(int device, Work&& work) {
  cudaDeviceProp properties{};
  const Error error = device_properties(&properties, device);
  return error == Error::success ? work(properties) : error;
}

Error put_name(char* to, int room, const cudaDeviceProp& of) {
  if (to == nullptr || room <= 0) return fail(Error::invalid_value, ReasonKind::list_null_or_negative);
  const std::size_t length = std::min(std::strlen(of.name), static_cast<std::size_t>(room) - 1);
  std::memcpy(to, of.name, length);
  to[length] = '\0';
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
  return driver_call_always("cuInit", [&] { return init(flags); });
}
CUresult cuDriverGetVersion(int* version) {
  return driver_call_always("cuDriverGetVersion", [&] { return put(version, CUDART_VERSION); });
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  const char* const known = warpfiber::report::driver_error_name(static_cast<Error>(error));
  return driver_call_always("cuGetErrorName", [&] { return put_text(name, error, known); });
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  return driver_call_always("cuGetErrorString", [&] { return put_text(text, error, text_of(error)); });
}

CUresult cuDeviceGet(CUdevice* to, int ordinal) {
  return driver_call_without_context("cuDeviceGet", [&] { return device(to, ordinal); });
}
CUresult cuDeviceGetCount(int* count) {
  return driver_call_without_context("cuDeviceGetCount", [&] { return put(count, device_count()); });
}
CUresult cuDeviceGetName(char* name, int room, CUdevice device) {
  return driver_call_without_context("cuDeviceGetName", [&] {
    return with_properties(device, [&](const cudaDeviceProp& of) { return put_name(name, room, of); });
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driver_call_without_context("cuDeviceGetUuid", [&] {
    return with_properties(device, [&](const cudaDeviceProp& of) { return put(uuid, of.uuid); });
  });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return driver_call_without_context("cuDeviceTotalMem", [&] {
    return with_properties(device, [&](const cudaDeviceProp& of) { return put(bytes, of.totalGlobalMem); });
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driver_call_without_context(
      "cuDeviceGetAttribute", [&] { return device_attribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return driver_call_without_context("cuDeviceComputeCapability", [&] {
    const Error error = device_attribute(major, cudaDevAttrComputeCapabilityMajor, device);
    return error == Error::success ? device_attribute(minor, cudaDevAttrComputeCapabilityMinor, device) : error;
  });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver_call_without_context("cuDeviceCanAccessPeer", [&] { return can_access_peer(can, device, peer); });
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return driver_call_without_context("cuDeviceGetP2PAttribute", [&] {
    return peer_attribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
  });
}
CUresult cuDeviceGetPCIBusId(char* text, int room, CUdevice device) {
  return driver_call_without_context("cuDeviceGetPCIBusId", [&] { return pci_bus_id(text, room, device); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return driver_call_without_context("cuDeviceGetByPCIBusId", [&] { return device_by_pci_bus_id(device, text); });
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call_without_context("cuDeviceGetDefaultMemPool", [&] { return default_pool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return driver_call_without_context("cuDeviceGetMemPool", [&] { return current_pool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return driver_call_without_context("cuDeviceSetMemPool", [&] { return set_current_pool(device, pool); });
}

}  // extern "C"
