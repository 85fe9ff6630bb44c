// SPDX-License-Identifier: Apache-2.0
// What holds for a whole process: what its environment says, how it ends, that it sleeps when it has nothing to do.
// Each case begins with a process anew; those that end it, or look at all of its threads, start this program again with
// one of the hidden cases.
#include <cuda_runtime.h>
#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/translated/kernels.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "support/catch.hpp"
#include "support/process_state.hpp"
#include "support/translated_kernels.hpp"

using warpfiber::test::OnlyVariables;
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
std::string seen_without_and_with_waiting(const std::string& variables) {
  const OnlyVariables only(variables);
  value = 0;
  (cuda::configure(1, 1), store_one(&value));
  const int before = __atomic_load_n(&value, __ATOMIC_ACQUIRE);
  cudaDeviceSynchronize();
  return std::to_string(before) + " then " + std::to_string(value);
}

/// Of every device, what the kernel that counts has counted up to; then the variable itself.
std::string counts_of_devices(const std::string& variables) {
  const OnlyVariables only(variables);
  int number = 0;
  cudaGetDeviceCount(&number);
  std::string counts = std::to_string(number) + " devices:";
  for (int device = 0; device < number; ++device) {
    cudaSetDevice(device);
    for (int i = 0; i <= device; ++i) (cuda::configure(1, 1), count(&value));
    cudaDeviceSynchronize();
    counts += " " + std::to_string(value);
  }
  return counts + ", the first has " + std::to_string(counter);
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

/// Ends by itself or not at all: a process that hangs is ended by the test's time limit.
bool ends_well(const std::string& name, const std::string& variables = "") {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env -i " + variables + " '" + program + "' '" + name + "' >/dev/null";
  return std::system(command.c_str()) == 0;
}

}  // namespace

TEST_CASE("asynchronous work that is told to be late starts when somebody waits for it") {
  CHECK(seen_without_and_with_waiting("WARPFIBER_ASYNC=late") == "0 then 1");
}

TEST_CASE("late work starts by itself for a host that polls memory instead of waiting") {
  const OnlyVariables only(GENERATE(as<std::string>(), "WARPFIBER_ASYNC=late", ""));
  value = 0;
  (cuda::configure(1, 1), store_one(&value));
  while (__atomic_load_n(&value, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  CHECK(value == 1);
}

// A kernel waits for work of another stream that is late, and late work of its own stream waits behind it.
TEST_CASE("late work behind a kernel that runs starts after it") {
  const OnlyVariables only("WARPFIBER_ASYNC=late");
  value = 0;
  flag = 0;
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
  CHECK(value == 1);
}

TEST_CASE("a seed decides which asynchronous work is late") {
  bool was_late = false;
  for (int seed = 1; seed < 20 && !was_late; ++seed) {
    const std::string variables = "WARPFIBER_POLICY=random WARPFIBER_SEED=" + std::to_string(seed);
    was_late = seen_without_and_with_waiting(variables) == "0 then 1";
  }
  CHECK(was_late);
}

TEST_CASE("every device has an instance of a variable, and the first the variable itself") {
  CHECK(counts_of_devices("") == "1 devices: 8, the first has 8");
  CHECK(counts_of_devices("WARPFIBER_DEVICES=3") == "3 devices: 8 9 10, the first has 8");
}

TEST_CASE("ends while kernels run and others wait", "[.][ends]") {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  (cuda::configure(1, 1, 0, streams[0]), poll(&flag));
  (cuda::configure(1, 1, 0, streams[0]), store_one(&value));
  (cuda::configure(1, 1, 0, streams[1]), compute(&flag));
}

TEST_CASE("a process ends while its kernels run") {
  CHECK(ends_well("ends while kernels run and others wait"));
  CHECK(ends_well("ends while kernels run and others wait", "WARPFIBER_ASYNC=late"));
}

TEST_CASE("comes to rest", "[.][ends]") {
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
  CHECK_FALSE(after.empty());
}

// No thread of it looks for something now and then.
TEST_CASE("an idle program's threads sleep") {
  CHECK(ends_well("comes to rest"));
}
