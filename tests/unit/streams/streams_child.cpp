// SPDX-License-Identifier: Apache-2.0
// A program that the tests of streams start with other environments and watch to its end: streams_child MODE.
#include <cuda_runtime.h>
#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/translated/kernels.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "support/translated_kernels.hpp"

namespace cuda = warpfiber::cuda;

namespace {

int counter = 7;
[[maybe_unused]] const cuda::Variable warpfiber_variable_counter_1{counter, "counter", cuda::VariableKind::device};

void store_one(int* where) {
  auto warpfiber_body = [](int* to) -> void { atomicExch(to, 1); };
  ABOUT_KERNEL("store_one", , store_one);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, where);
}

void count(int* told) {
  auto warpfiber_body = [](int* to) -> void {
    auto& mine = cuda::here(counter);
    *to = ++mine;
  };
  ABOUT_KERNEL("count", , count);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, told);
}

void poll(int* flag) {
  auto warpfiber_body = [](int* asked) -> void {
    while (atomicAdd(asked, 0) == 0) {
    }
  };
  ABOUT_KERNEL("poll", , poll);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, flag);
}

void compute(int* flag) {
  auto warpfiber_body = [](int* asked) -> void {
    for (unsigned long i = 1; i != 0; ++i) asm volatile("" : : "r"(asked), "r"(i) : "memory");
  };
  ABOUT_KERNEL("compute", , compute);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, flag);
}

int value = 0;
int flag = 0;

/// What a host sees that does not wait, and one that does.
int late() {
  (cuda::configure(1, 1), store_one(&value));
  const int before = __atomic_load_n(&value, __ATOMIC_ACQUIRE);
  cudaDeviceSynchronize();
  std::printf("%d then %d\n", before, value);
  return 0;
}

/// A host that polls memory instead of waiting gets what it waits for all the same.
int watch() {
  (cuda::configure(1, 1), store_one(&value));
  while (__atomic_load_n(&value, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  std::printf("seen\n");
  return 0;
}

/// A kernel waits for work of another stream that is late, and late work of its own stream waits behind it.
int behind() {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t polled;
  cudaEventCreate(&polled);
  (cuda::configure(1, 1, 0, streams[0]), poll(&flag));
  cudaEventRecord(polled, streams[0]);
  (cuda::configure(1, 1, 0, streams[0]), store_one(&value));
  (cuda::configure(1, 1, 0, streams[1]), store_one(&flag));
  cudaEventSynchronize(polled);
  cudaStreamSynchronize(streams[0]);
  std::printf("%d\n", value);
  return 0;
}

/// The process ends while kernels run and others wait.
int leave() {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  (cuda::configure(1, 1, 0, streams[0]), poll(&flag));
  (cuda::configure(1, 1, 0, streams[0]), store_one(&value));
  (cuda::configure(1, 1, 0, streams[1]), compute(&flag));
  std::printf("left\n");
  return 0;
}

int devices() {
  int number = 0;
  cudaGetDeviceCount(&number);
  std::printf("%d devices:", number);
  for (int device = 0; device < number; ++device) {
    cudaSetDevice(device);
    for (int i = 0; i <= device; ++i) (cuda::configure(1, 1), count(&value));
    cudaDeviceSynchronize();
    std::printf(" %d", value);
  }
  std::printf(", the first has %d\n", counter);
  return 0;
}

/// What the threads besides the first have done so far, and whether they all sleep.
std::string state_of_others(bool& asleep) {
  std::string all;
  const std::string own = std::filesystem::read_symlink("/proc/self").string();
  asleep = true;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == own) continue;
    std::ifstream file(task.path() / "status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("State:")) asleep = asleep && line.find("S (sleeping)") != std::string::npos;
      if (line.find("ctxt_switches") != std::string::npos) all += line;
    }
  }
  return all;
}

/// A program that waits for nothing comes to rest: no thread of it looks for something now and then.
int idle() {
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) {
    cudaStreamCreate(&stream);
    (cuda::configure(4, 64, 0, stream), store_one(&value));
  }
  cudaDeviceSynchronize();
  bool asleep = false;
  std::string before;
  std::string after = state_of_others(asleep);
  do {
    before = after;
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    after = state_of_others(asleep);
  } while (!asleep || before != after);
  std::printf("%s\n", after.empty() ? "alone" : "idle");
  return 0;
}

struct Mode {
  const char* name;
  int (*run)();
};

constexpr Mode kModes[] = {
    {"late", late}, {"watch", watch}, {"behind", behind}, {"leave", leave}, {"devices", devices}, {"idle", idle},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Mode& mode : kModes) {
    if (argc == 2 && std::string(argv[1]) == mode.name) return mode.run();
  }
  return 2;
}
