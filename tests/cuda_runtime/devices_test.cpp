// SPDX-License-Identifier: Apache-2.0
// Devices, their properties and attributes, and what may be set about them.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstring>
#include <string>

#include <warpfiber/device.hpp>

#include "support/catch.hpp"

TEST_CASE("there is one device unless the environment says otherwise") {
  int count = 0;
  int device = -1;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("properties are the model's numbers") {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  const warpfiber::DeviceModel& model = warpfiber::default_device();
  CHECK(std::string(properties.name) == model.full_name);
  CHECK(properties.major == 9);
  CHECK(properties.minor == 0);
  CHECK(properties.multiProcessorCount == 132);
  CHECK(properties.totalGlobalMem == model.global_bytes);
  CHECK(properties.sharedMemPerBlockOptin == 227 * 1024);
  CHECK(properties.regsPerBlock == 65536);
  CHECK(properties.warpSize == 32);
  CHECK(properties.maxThreadsDim[2] == 64);
  CHECK(properties.maxGridSize[0] == 2147483647);
  CHECK(properties.clockRate == 1980000);
  CHECK(properties.persistingL2CacheMaxSize == 39321600);
  CHECK(properties.accessPolicyMaxWindowSize == 134217728);
  CHECK(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
}

TEST_CASE("an attribute is the property of the same name") {
  const auto [attribute, value] = GENERATE(table<cudaDeviceAttr, int>({
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrMultiProcessorCount, 132},
      {cudaDevAttrMemoryClockRate, 3201000},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrClusterLaunch, 1},
      {cudaDevAttrL2CacheSize, 60 * 1024 * 1024},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
  }));
  int found = 0;
  CHECK(cudaDeviceGetAttribute(&found, attribute, 0) == cudaSuccess);
  CHECK(found == value);
}

TEST_CASE("every attribute that CUDA names has a value, and no other") {
  int known = 0;
  for (int attribute = 0; attribute < 200; ++attribute) {
    int value = 0;
    const cudaError_t error = cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(attribute), 0);
    CHECK((error == cudaSuccess || error == cudaErrorInvalidValue));
    known += error == cudaSuccess ? 1 : 0;
  }
  CHECK(known == 147);
}

TEST_CASE("a device is found by its PCI bus id") {
  char text[32] = "";
  REQUIRE(cudaDeviceGetPCIBusId(text, sizeof text, 0) == cudaSuccess);
  CHECK(std::string(text) == "0000:01:00.0");
  int device = -1;
  CHECK(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetByPCIBusId(&device, "01:00") == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:7f:00.0") == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "nonsense") == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(text, 5, 0) == cudaErrorInvalidValue);
}

TEST_CASE("limits can be set and asked for") {
  std::size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 1024);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(value == 64 << 20);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1) == cudaErrorUnsupportedLimit);
}

TEST_CASE("limits begin with what an H200 begins with") {
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  const auto [limit, expected] = GENERATE(table<cudaLimit, std::size_t>({
      {cudaLimitStackSize, 1024},
      {cudaLimitPrintfFifoSize, 8650752},
      {cudaLimitMallocHeapSize, 8388608},
      {cudaLimitDevRuntimePendingLaunchCount, 2048},
      {cudaLimitMaxL2FetchGranularity, 64},
      {cudaLimitPersistingL2CacheSize, 11796480},
      {static_cast<cudaLimit>(7), 232448},
  }));
  std::size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, limit) == cudaSuccess);
  CHECK(value == expected);
}

TEST_CASE("a stack is a multiple of 16 bytes and not absurd, and the shared memory's limit is not set") {
  std::size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 5000) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 5008);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t{1} << 40) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 5008);
  CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1) == cudaErrorNotPermitted);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
}

TEST_CASE("preferences are accepted and can be asked for") {
  cudaFuncCache cache{};
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared) == cudaSuccess);
  CHECK(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
  CHECK(cache == cudaFuncCachePreferShared);
  unsigned flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == (cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  CHECK(cudaSetDeviceFlags(3) == cudaErrorInvalidValue);
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
}

TEST_CASE("a device is not a peer of itself") {
  int can = -1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
}

TEST_CASE("versions are those of CUDA 13.0") {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version == CUDART_VERSION);
}
