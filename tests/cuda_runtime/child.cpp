// SPDX-License-Identifier: Apache-2.0
// Programs that make mistakes with CUDA's runtime; the first argument names one.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace {

int mistakes() {
  char* memory = nullptr;
  char host[128] = {};
  cudaMalloc(&memory, std::size_t{1} << 40);
  cudaMalloc(&memory, 100);
  cudaMemcpy(host, host + 1, 1, cudaMemcpyHostToDevice);
  cudaMemcpy(memory, host, 101, cudaMemcpyHostToDevice);
  cudaFree(memory + 4);
  cudaFree(memory);
  cudaFree(memory);
  cudaSetDevice(3);
  cudaFreeArray(reinterpret_cast<cudaArray_t>(host));
  return 0;
}

int direction() {
  char host[2] = {};
  cudaMemcpy(host, host + 1, 1, cudaMemcpyHostToDevice);
  return 0;
}

int nulls() {
  cudaStreamCreate(nullptr);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, 64);
  cudaEventCreate(nullptr);
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, 64);
  cudaEventElapsedTime(nullptr, event, event);
  cudaLaunchHostFunc(nullptr, nullptr, nullptr);
  cudaStreamAddCallback(nullptr, nullptr, nullptr, 0);
  return 0;
}

int asking() {
  char* memory = nullptr;
  std::printf("%s\n", cudaGetErrorString(cudaMalloc(&memory, std::size_t{1} << 40)));
  return 0;
}

int fine() {
  char* memory = nullptr;
  cudaMalloc(&memory, 100);
  cudaFree(memory);
  return 0;
}

/// What looks like mistakes and is allowed.
int oddities() {
  char* memory = nullptr;
  char host[64] = {};
  cudaMalloc(&memory, 64);
  const cudaError_t copied = cudaMemcpy(host, memory, 64, cudaMemcpyHostToHost);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 4, 4);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  const cudaError_t made = cudaCreateSurfaceObject(&surface, &resource);
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 128;
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  const cudaError_t read = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  std::printf("%d %d %d\n", copied, made, read);
  return 0;
}

int unmodelled() {
  cudaGraph_t graph = nullptr;
  const cudaError_t first = cudaGraphCreate(&graph, 0);
  const cudaError_t second = cudaGraphCreate(&graph, 0);
  std::printf("%d %d\n", first, second);
  return 0;
}

int peers() {
  int count = 0;
  int can = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(1, 0);
  const cudaError_t again = cudaDeviceEnablePeerAccess(1, 0);
  const cudaError_t disabled = cudaDeviceDisablePeerAccess(1);
  const cudaError_t no_more = cudaDeviceDisablePeerAccess(1);
  cudaGetErrorName(no_more);
  std::printf("%d %d %d %d %d %d\n", count, can, enabled, again, disabled, no_more);
  return 0;
}

/// The devices that the program sees: number of the machine by bus and by UUID, group of boards.
int devices() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("%d:", count);
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    char place[16];
    int found = -1;
    cudaGetDeviceProperties(&properties, device);
    cudaDeviceGetPCIBusId(place, sizeof place, device);
    cudaDeviceGetByPCIBusId(&found, place);
    std::printf(" %s %d %d %d", place, properties.uuid.bytes[15], properties.multiGpuBoardGroupID, found == device);
  }
  int hidden = -1;
  std::printf(" %d", cudaDeviceGetByPCIBusId(&hidden, "0000:03:00.0"));
  std::printf(" %d\n", cudaSetDevice(count));
  cudaGetLastError();
  return 0;
}

/// What a program meets that has no device.
int no_device() {
  int count = -7;
  int device = -7;
  char* memory = nullptr;
  cudaDeviceProp properties{};
  const cudaError_t answers[] = {cudaGetLastError(),
                                 cudaGetDeviceCount(&count),
                                 cudaGetDeviceCount(nullptr),
                                 cudaGetDevice(&device),
                                 cudaSetDevice(0),
                                 cudaSetDevice(5),
                                 cudaInitDevice(0, 0, 0),
                                 cudaChooseDevice(&device, &properties),
                                 cudaGetDeviceProperties(&properties, 0),
                                 cudaDeviceGetAttribute(&device, cudaDevAttrWarpSize, 0),
                                 cudaDeviceCanAccessPeer(&device, 0, 1),
                                 cudaDeviceGetByPCIBusId(&device, "0:1:0"),
                                 cudaSetValidDevices(&device, 0),
                                 cudaDeviceReset(),
                                 cudaMalloc(&memory, 4),
                                 cudaMalloc(static_cast<void**>(nullptr), 4),
                                 cudaMallocHost(&memory, 4),
                                 cudaFree(nullptr),
                                 cudaDeviceSynchronize(),
                                 cudaPeekAtLastError(),
                                 cudaGetLastError(),
                                 cudaGetLastError()};
  const auto is_first = [&](cudaError_t answer) { return answer == answers[0]; };
  std::printf("%d %d: %d %d,", answers[0], std::all_of(std::begin(answers), std::end(answers), is_first), count,
              device);
  std::printf(" versions %d %d,", cudaRuntimeGetVersion(&count), cudaDriverGetVersion(&count));
  std::printf(" driver %d %d\n", cuInit(0), cuDeviceGetCount(&count));
  return 0;
}

/// Frees memory when the process ends: a global object later than the devices do, one that was made after the first
/// call of CUDA before that.
struct StaticOwner {
  ~StaticOwner() {
    if (memory != nullptr) std::printf("%d\n", cudaFree(memory));
  }

  char* memory = nullptr;
};
StaticOwner static_owner;

int leaving() {
  cudaMalloc(&static_owner.memory, 100);
  return 0;
}

int leaving_with_local() {
  char* memory = nullptr;
  cudaMalloc(&memory, 100);
  static StaticOwner local;
  local.memory = memory;
  cudaMemsetAsync(memory, 0, 100);
  return 0;
}

int leaving_after_work() {
  cudaMalloc(&static_owner.memory, 100);
  cudaMemsetAsync(static_owner.memory, 0, 100);
  cudaDeviceSynchronize();
  return 0;
}

/// More managed memory than the device has, and as much device memory.
int oversubscription() {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  char* memory = nullptr;
  const cudaError_t managed = cudaMallocManaged(&memory, properties.totalGlobalMem + 1);
  memory[properties.totalGlobalMem] = 1;
  const cudaError_t device = cudaMalloc(&memory, properties.totalGlobalMem + 1);
  std::printf("%d %d\n", managed, device);
  cudaGetLastError();
  return 0;
}

struct Mode {
  const char* name;
  int (*run)();
};

constexpr Mode kModes[] = {
    {"mistakes", mistakes},
    {"nulls", nulls},
    {"asking", asking},
    {"fine", fine},
    {"direction", direction},
    {"oddities", oddities},
    {"unmodelled", unmodelled},
    {"peers", peers},
    {"devices", devices},
    {"no_device", no_device},
    {"leaving", leaving},
    {"leaving_with_local", leaving_with_local},
    {"oversubscription", oversubscription},
    {"leaving_after_work", leaving_after_work},
};

}  // namespace

int main(int count, char** arguments) {
  for (const Mode& mode : kModes) {
    if (count == 2 && std::strcmp(arguments[1], mode.name) == 0) return mode.run();
  }
  return 2;
}
