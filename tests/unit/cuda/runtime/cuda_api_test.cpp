// SPDX-License-Identifier: Apache-2.0
// Launches, functions and streams through CUDA's own names.
#include <cuda_runtime.h>

#include <string>

#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// Memory that is there and must not be written to: a tool that looks at addresses has nothing to say about it.
int* unwritable() {
  static const int constant = 7;
  return const_cast<int*>(&constant);
}

struct Pair {
  char letter;
  double value;
};

void store_sum(double* out, Pair pair, short summand) {
  auto warpfiber_body = [](double* to, Pair given, short plus) -> void {
    double* mine = dynamic_shared<double>();
    if (threadIdx.x == 0) to[blockIdx.x] = given.value + plus + given.letter;
    mine[0] = 0;
  };
  ABOUT_KERNEL("store_sum", .launch(128), store_sum);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, out, pair, summand);
}

void sync_all(int* rounds) {
  auto warpfiber_body = [](int* count) -> void {
    for (int i = 0; i < 3; ++i) {
      if (blockIdx.x == 0 && threadIdx.x == 0) ++*count;
      sync_grid();
    }
  };
  ABOUT_KERNEL("sync_all", , sync_all);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, rounds);
}

void count_clusters(int* sizes) {
  auto warpfiber_body = [](int* to) -> void {
    if (cluster_block_rank() == 0) atomicAdd(to, static_cast<int>(cluster_size()));
  };
  ABOUT_KERNEL("count_clusters", , count_clusters);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, sizes);
}

void never_launched(int*) {}

void fail(int* where) {
  auto warpfiber_body = [](int* to) -> void { *to = 1; };
  ABOUT_KERNEL("fail", , fail);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, where);
}

}  // namespace

TEST_CASE("cudaLaunchKernel takes pointers to arguments") {
  double out[2] = {0, 0};
  double* to = out;
  Pair pair{1, 2.5};
  short summand = 3;
  void* arguments[] = {&to, &pair, &summand};
  CHECK(cudaLaunchKernel(store_sum, dim3(2), dim3(4), arguments, 8, nullptr) == cudaSuccess);
  pair.value = 100;
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 6.5);
  CHECK(out[1] == 6.5);
}

TEST_CASE("cudaLaunchKernelEx converts arguments and knows clusters") {
  int sizes = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim = {4, 1, 1};
  config.attrs = attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, count_clusters, &sizes) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(sizes == 2 * 32 * 4);
  int clusters = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, count_clusters, &config) == cudaSuccess);
  CHECK(clusters > 0);
}

TEST_CASE("a cooperative launch can wait for its whole grid and must fit") {
  int rounds = 0;
  int* to = &rounds;
  void* arguments[] = {&to};
  CHECK(cudaLaunchCooperativeKernel(sync_all, dim3(4), dim3(32), arguments) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(rounds == 3);
  CHECK(cudaLaunchCooperativeKernel(sync_all, dim3(100000), dim3(32), arguments) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("more than 48 KiB of shared memory have to be asked for") {
  double out = 0;
  const Pair pair{0, 1};
  const auto launch = [&] { (cuda::configure(1, 1, 60000), store_sum(&out, pair, 1)); };
  launch();
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(store_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000) == cudaSuccess);
  launch();
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out == 2);
  CHECK(cudaFuncSetAttribute(store_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a launch that repeats the last one is checked anew when something else was asked for meanwhile") {
  double out = 0;
  const Pair pair{0, 1};
  constexpr auto kMost = cudaFuncAttributeMaxDynamicSharedMemorySize;
  const auto launch = [&](unsigned blocks = 1, unsigned threads = 1) {
    (cuda::configure(blocks, threads, 50000), store_sum(&out, pair, 1));
    return cudaGetLastError();
  };
  REQUIRE(cudaFuncSetAttribute(store_sum, kMost, 50000) == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(launch(1, 2048) == cudaErrorInvalidValue);
  CHECK(launch() == cudaSuccess);
  CHECK(launch(0) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(store_sum, kMost, 49999) == cudaSuccess);
  CHECK(launch() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(store_sum, kMost, 60000) == cudaSuccess);
  CHECK(launch() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("functions return their attributes, names and parameters") {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, store_sum) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 128);
  CHECK(attributes.numRegs > 0);
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, store_sum) == cudaSuccess);
  CHECK(std::string(name).find("store_sum") != std::string::npos);
  std::size_t offset = 0;
  std::size_t bytes = 0;
  const void* function = reinterpret_cast<const void*>(&store_sum);
  CHECK(cudaFuncGetParamInfo(function, 1, &offset, &bytes) == cudaSuccess);
  CHECK(offset == 8);
  CHECK(bytes == sizeof(Pair));
  CHECK(cudaFuncGetParamInfo(function, 2, &offset, &bytes) == cudaSuccess);
  CHECK(offset == 24);
  CHECK(cudaFuncGetParamInfo(function, 3, &offset, &bytes) == cudaErrorInvalidValue);
  CHECK(cudaFuncGetAttributes(&attributes, never_launched) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(never_launched, dim3(1), dim3(1), nullptr) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("occupancy questions answer for the current device") {
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store_sum, 128, 0) == cudaSuccess);
  CHECK(blocks == 16);
  int grid = 0;
  int block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store_sum, 0, 0) == cudaSuccess);
  CHECK(block == 128);
  std::size_t bytes = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, store_sum, 2, 128) == cudaSuccess);
  CHECK(bytes > 0);
}

TEST_CASE("streams return what they were made with") {
  cudaStream_t stream = nullptr;
  int least = 1;
  int greatest = 1;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(greatest < least);
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 7) == cudaSuccess);
  int priority = 0;
  unsigned flags = 0;
  int device = -1;
  unsigned long long id = 0;
  unsigned long long legacy = 0;
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy) == cudaSuccess);
  CHECK(priority == greatest);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(device == 0);
  CHECK(id != legacy);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCreateWithFlags(&stream, 77) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("callbacks run in their turn and hear of errors") {
  struct Heard {
    cudaStream_t stream = nullptr;
    int calls = 0;
    cudaError_t status = cudaErrorUnknown;
  } heard;
  const auto hear = [](cudaStream_t stream, cudaError_t status, void* data) {
    auto& to = *static_cast<Heard*>(data);
    to.stream = stream;
    to.status = status;
    ++to.calls;
  };
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamAddCallback(stream, hear, &heard, 0) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(heard.calls == 1);
  CHECK(heard.status == cudaSuccess);
  CHECK(heard.stream == stream);
  (cuda::configure(1, 1, 0, stream), fail(unwritable()));
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  CHECK(cudaStreamAddCallback(stream, hear, &heard, 0) == cudaErrorIllegalAddress);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4) == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a copy waits for the kernels before it, and the host for the copy") {
  int* memory = nullptr;
  int* host = nullptr;
  REQUIRE(cudaMalloc(&memory, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocHost(&host, sizeof(int)) == cudaSuccess);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  for (int round = 0; round < 50; ++round) {
    CHECK(cudaMemsetAsync(memory, 0, sizeof(int), stream) == cudaSuccess);
    (cuda::configure(1, 1, 0, stream), fail(memory));
    CHECK(cudaMemcpyAsync(host, memory, sizeof(int), cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(*host == 1);
    int value = 0;
    (cuda::configure(1, 1, 0, stream), fail(memory));
    CHECK(cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(value == 1);
  }
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFreeHost(host) == cudaSuccess);
}
