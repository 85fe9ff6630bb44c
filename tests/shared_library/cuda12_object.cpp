// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's nvcc 12 makes of a program without kernels, with that toolkit's declarations as they differ from those
// of CUDA 13. The test links it with a stand-in for NVIDIA's libcudart.so.12 (WARPFIBER_STAND_IN), which has nothing
// but names and their version, and runs it with ours.
#include <cstddef>
#include <cstdio>
#include <cstring>

using Stream = struct CUstream_st*;

extern "C" {

#ifdef WARPFIBER_STAND_IN

int cudaMallocManaged() {
  return 999;
}
int cudaFree() {
  return 999;
}
int cudaRuntimeGetVersion() {
  return 999;
}
int cudaGetDeviceProperties_v2() {
  return 999;
}
int cudaPointerGetAttributes() {
  return 999;
}
int cudaMemPrefetchAsync() {
  return 999;
}
int cudaMemAdvise() {
  return 999;
}
int cudaStreamSynchronize() {
  return 999;
}
int cudaGraphAddNode_v2() {
  return 999;
}

#else

/// Of CUDA 12, as far as the test looks; the rest is room.
struct Properties {
  char name[256];
  char other[32];
  std::size_t total, shared;
  int registers, warp;
  std::size_t pitch;
  int threads, block[3], grid[3], clock;
  std::size_t constant;
  int major, minor;
  std::size_t texture[2];
  int overlap, processors, timeout, integrated, maps, mode;
  char rest[624];
  int guard[64];
};
static_assert(offsetof(Properties, guard) == 1032);
struct Attributes {
  int type, device;
  void *on_device, *on_host;
  int guard[64];
};

int cudaMallocManaged(void**, std::size_t, unsigned);
int cudaFree(void*);
int cudaRuntimeGetVersion(int*);
int cudaGetDeviceProperties_v2(Properties*, int);
int cudaPointerGetAttributes(Attributes*, const void*);
int cudaMemPrefetchAsync(const void*, std::size_t, int, Stream);
int cudaMemAdvise(const void*, std::size_t, int, int);
int cudaStreamSynchronize(Stream);
int cudaGraphAddNode_v2(void*, void*, const void*, const void*, std::size_t, void*);

#endif
}

#ifndef WARPFIBER_STAND_IN

namespace {

/// Whether nothing was written behind what CUDA 12 has.
template <class T>
bool is_whole(const T& of) {
  for (const int word : of.guard)
    if (word != -1) return false;
  return true;
}

}  // namespace

int main() {
  int version = 0;
  std::printf("version %d", cudaRuntimeGetVersion(&version));
  std::printf(" %d\n", version);

  static Properties device;
  std::memset(&device, -1, sizeof device);
  std::printf("properties %d", cudaGetDeviceProperties_v2(&device, 0));
  std::printf(" warp %d clock %s major %d mode %d %s\n", device.warp, device.clock > 0 ? "known" : "unknown",
              device.major, device.mode, is_whole(device) ? "whole" : "overrun");

  void* memory = nullptr;
  std::printf("managed %d", cudaMallocManaged(&memory, 4096, 1));
  static Attributes attributes;
  std::memset(&attributes, -1, sizeof attributes);
  std::printf(" attributes %d", cudaPointerGetAttributes(&attributes, memory));
  std::printf(" type %d %s %s\n", attributes.type, attributes.on_device == memory ? "there" : "elsewhere",
              is_whole(attributes) ? "whole" : "overrun");

  constexpr int kPreferredLocation = 3;
  constexpr int kHost = -1;
  std::printf("prefetch %d %d", cudaMemPrefetchAsync(memory, 4096, 0, nullptr),
              cudaMemPrefetchAsync(memory, 4096, kHost, nullptr));
  std::printf(" advise %d %d wait %d\n", cudaMemAdvise(memory, 4096, kPreferredLocation, 0),
              cudaMemAdvise(memory, 4096, kPreferredLocation, kHost), cudaStreamSynchronize(nullptr));

  std::printf("graph %d\n", cudaGraphAddNode_v2(nullptr, nullptr, nullptr, nullptr, 0, nullptr));
  return cudaFree(memory);
}

#endif
