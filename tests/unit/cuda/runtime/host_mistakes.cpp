// SPDX-License-Identifier: Apache-2.0
// Host programs with a mistake each. The tests of host findings start this program again for the hidden case, with the
// mistake in HOST_MISTAKE. Each prints the line of its mistake. With HOST_IS_CHECKED accesses are watched, as the
// checker does.
#include <cuda_runtime.h>
#include <warpfiber/translated/kernels.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "device_memory/accesses.hpp"
#include "process/errors.hpp"
#include "support/catch.hpp"
#include "support/translated_kernels.hpp"

namespace cuda = warpfiber::cuda;

namespace {

class Watcher final : public warpfiber::device_memory::AccessWatcher {
 public:
  void transfer(const warpfiber::device_memory::Transfer&, const warpfiber::record::LaunchOrder&) override {}
  void allocation(const void*, std::size_t) override {}
  void allocation_in_stream(const void*, std::size_t, const warpfiber::record::LaunchOrder&) override {}
  void registration(const void*, std::size_t) override {}
  void unregistration(const void*, std::size_t) override {}
  void release(const void*, std::size_t, const warpfiber::record::LaunchOrder&) override {}
};

void store_one(int* where) {
  auto warpfiber_body = [](int* to) -> void { *to = 1; };
  ABOUT_KERNEL("store_one", , store_one);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, where);
}

/// The mistake is on the next line.
#define MISTAKE_FOLLOWS() std::printf("line %d\n", __LINE__ + 1)

void too_many_threads() {
  MISTAKE_FOLLOWS();
  (cuda::configure(1, 2048), store_one(nullptr));
}

void too_many_threads_and_a_look() {
  too_many_threads();
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

void launch_after_failure() {
  (cuda::configure(1, 1), store_one(nullptr));
  while (warpfiber::process::device_error(0) == warpfiber::Error::success) std::this_thread::yield();
  MISTAKE_FOLLOWS();
  (cuda::configure(1, 1), store_one(nullptr));
}

void native_launch() {
  const warpfiber::LaunchResult result = warpfiber::launch({.block = 2048}, [] {});
  std::printf("%d\n", result.ok() ? 0 : 1);
}

void free_twice() {
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  cudaFree(memory);
  MISTAKE_FOLLOWS();
  cudaFree(memory);
}

void free_twice_in_stream() {
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  cudaFreeAsync(memory, nullptr);
  MISTAKE_FOLLOWS();
  cudaFreeAsync(memory, nullptr);
  cudaDeviceSynchronize();
}

void free_inside() {
  char* memory = nullptr;
  cudaMalloc(&memory, 64);
  MISTAKE_FOLLOWS();
  cudaFree(memory + 4);
}

struct Holder {
  ~Holder() { cudaFree(memory); }
  void* memory = nullptr;
};

void allocate_and_keep(bool resets) {
  static Holder freed_at_the_end;
  void* pinned = nullptr;
  cudaMalloc(&freed_at_the_end.memory, 8);
  cudaMallocHost(&pinned, 12);
  cudaFreeHost(pinned);
  void* kept[2];
  for (void*& one : kept) {
    if (&one == kept) MISTAKE_FOLLOWS();
    cudaMalloc(&one, 64);
  }
  if (resets) cudaDeviceReset();
}

void leak() {
  allocate_and_keep(false);
}

void leak_and_reset() {
  allocate_and_keep(true);
}

void copy_from_freed() {
  char host[64];
  void* memory = nullptr;
  cudaMalloc(&memory, sizeof host);
  cudaFree(memory);
  MISTAKE_FOLLOWS();
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDefault);
}

void copy_beyond() {
  char host[65] = {};
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  MISTAKE_FOLLOWS();
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
}

void use_destroyed_stream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  MISTAKE_FOLLOWS();
  cudaStreamSynchronize(stream);
}

void use_destroyed_event() {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaEventDestroy(event);
  MISTAKE_FOLLOWS();
  cudaEventRecord(event);
}

void time_without_recording() {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  float milliseconds = 0;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  MISTAKE_FOLLOWS();
  cudaEventElapsedTime(&milliseconds, start, end);
}

void allocate_too_much() {
  int* memory = nullptr;
  MISTAKE_FOLLOWS();
  cudaMalloc(&memory, ~std::size_t{0});
}

void register_too_much() {
  char host[64];
  MISTAKE_FOLLOWS();
  cudaHostRegister(host, ~std::size_t{0} >> 1, cudaHostRegisterDefault);
}

void copy_in_wrong_direction() {
  char host[64] = {};
  void* memory = nullptr;
  cudaMalloc(&memory, sizeof host);
  MISTAKE_FOLLOWS();
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyDeviceToHost);
}

void capture() {
  MISTAKE_FOLLOWS();
  cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(nullptr, &graph);
}

void set_device(int device) {
  std::printf("line %d\n", __LINE__ + 1);
  const cudaError_t error = cudaSetDevice(device);
  std::printf("%s\n", cudaGetErrorName(error));
}

void name_no_device() {
  set_device(99);
}

void handle_errors() {
  if (cudaSetDevice(99) != cudaSuccess) cudaSetDevice(0);
  void* memory = nullptr;
  std::size_t bytes = ~std::size_t{0};
  while (cudaMalloc(&memory, bytes) != cudaSuccess) bytes >>= 60;
  int blocks = 0;
  // What a block of this size has is seen from the number.
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(store_one), 2048, 0);
  if (cudaHostRegister(memory, 0, 0) != cudaSuccess) cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

void fine() {
  void* memory = nullptr;
  cudaMallocAsync(&memory, 64, nullptr);
  cudaMemset(memory, 1, 64);
  cudaFreeAsync(memory, nullptr);
  cudaFree(nullptr);
  cudaDeviceSynchronize();
}

struct Mode {
  const char* name;
  void (*run)();
};

constexpr Mode kModes[] = {
    {"too_many_threads", too_many_threads},
    {"too_many_threads_and_a_look", too_many_threads_and_a_look},
    {"launch_after_failure", launch_after_failure},
    {"native_launch", native_launch},
    {"free_twice", free_twice},
    {"free_twice_in_stream", free_twice_in_stream},
    {"free_inside", free_inside},
    {"copy_from_freed", copy_from_freed},
    {"copy_beyond", copy_beyond},
    {"use_destroyed_stream", use_destroyed_stream},
    {"use_destroyed_event", use_destroyed_event},
    {"time_without_recording", time_without_recording},
    {"allocate_too_much", allocate_too_much},
    {"register_too_much", register_too_much},
    {"copy_in_wrong_direction", copy_in_wrong_direction},
    {"capture", capture},
    {"leak", leak},
    {"leak_and_reset", leak_and_reset},
    {"name_no_device", name_no_device},
    {"handle_errors", handle_errors},
    {"fine", fine},
};

}  // namespace

TEST_CASE("a host program makes its mistake", "[.][mistake]") {
  static Watcher watcher;
  if (std::getenv("HOST_IS_CHECKED") != nullptr) warpfiber::device_memory::watch_accesses(&watcher);
  const char* const name = std::getenv("HOST_MISTAKE");
  REQUIRE(name != nullptr);
  for (const Mode& mode : kModes) {
    if (name == std::string(mode.name)) mode.run();
  }
}
