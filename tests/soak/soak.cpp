// SPDX-License-Identifier: Apache-2.0
//
// A long life in a short time: OS threads, each with streams, events and memory of every kind, launch, copy, make
// mistakes and free, while now and then a kernel fails for good and the device is reset. What is computed has to be
// right, each error has to be told, and memory may not grow once all that is kept from launch to launch is there.
//     soak <seconds> [without-faults] [any-memory]
// Ends with 0, or says what was wrong. The words are for sanitizers, which do not bear interrupted kernels or keep
// memory of their own.
#include <cuda_runtime.h>
#include <unistd.h>
#include <warpfiber/warpfiber.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/translated_kernels.hpp"

namespace {

constexpr unsigned kThreads = 4;
constexpr unsigned kStreams = 2;   // of a thread
constexpr unsigned kLaunches = 6;  // into each stream, in a round
constexpr unsigned kBlocks = 3;
constexpr unsigned kBlockThreads = 64;
constexpr unsigned kCount = kBlocks * kBlockThreads;
constexpr unsigned kRoundsOfADevice = 5;  // then it is reset
constexpr std::size_t kMostGrowth = std::size_t{16} << 20;

std::atomic<unsigned> wrong{0};

void expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "soak: line %d: %s\n", line, what);
  ++wrong;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

/// Adds its index and `summand` to each number, through shared memory and a barrier.
void add(int* numbers, int summand, int* launches) {
  auto warpfiber_body = [](int* all, int value, int* counter) -> void {
    WARPFIBER_SHARED(int[kBlockThreads], seen);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    seen[threadIdx.x] = all[i];
    __syncthreads();
    all[i] = seen[threadIdx.x] + value;
    if (threadIdx.x == 0) atomicAdd(counter, 1);
  };
  ABOUT_KERNEL("add", , add);
  warpfiber::cuda::enter_kernel<warpfiber_about>(warpfiber_body, numbers, summand, launches);
}

/// Stores where nothing is.
void fault(int* nowhere) {
  auto warpfiber_body = [](int* to) -> void { *to = 1; };
  ABOUT_KERNEL("fault", , fault);
  warpfiber::cuda::enter_kernel<warpfiber_about>(warpfiber_body, nowhere);
}

void CUDART_CB count_call(void* counter) {
  ++*static_cast<std::atomic<unsigned>*>(counter);
}

/// One stream's work, begun; finish() waits and compares.
class Work {
 public:
  explicit Work(unsigned seed) : seed_(static_cast<int>(seed)) {
    EXPECT(cudaStreamCreateWithFlags(&stream_, seed % 2 == 0 ? cudaStreamDefault : cudaStreamNonBlocking) ==
           cudaSuccess);
    EXPECT(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming) == cudaSuccess);
    EXPECT(cudaMallocHost(&host_, kCount * sizeof(int)) == cudaSuccess);
    EXPECT(cudaMallocManaged(&launches_, sizeof(int), cudaMemAttachGlobal) == cudaSuccess);
    EXPECT(cudaMallocAsync(&numbers_, kCount * sizeof(int), stream_) == cudaSuccess);
    for (unsigned i = 0; i < kCount; ++i) host_[i] = static_cast<int>(i);
    EXPECT(cudaMemcpyAsync(numbers_, host_, kCount * sizeof(int), cudaMemcpyHostToDevice, stream_) == cudaSuccess);
    for (unsigned i = 0; i < kLaunches; ++i) {
      (warpfiber::cuda::configure(kBlocks, kBlockThreads, 0, stream_), add(numbers_, seed_, launches_));
      EXPECT(cudaGetLastError() == cudaSuccess);
      EXPECT(cudaLaunchHostFunc(stream_, count_call, &calls_) == cudaSuccess);
    }
    EXPECT(cudaEventRecord(event_, stream_) == cudaSuccess);
  }

  /// What follows waits for `other`.
  void wait_for(const Work& other) { EXPECT(cudaStreamWaitEvent(stream_, other.event_, 0) == cudaSuccess); }

  void finish() {
    EXPECT(cudaMemcpyAsync(host_, numbers_, kCount * sizeof(int), cudaMemcpyDeviceToHost, stream_) == cudaSuccess);
    EXPECT(cudaFreeAsync(numbers_, stream_) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream_) == cudaSuccess);
    bool right = true;
    for (unsigned i = 0; i < kCount; ++i)
      right = right && host_[i] == static_cast<int>(i) + seed_ * static_cast<int>(kLaunches);
    EXPECT(right);
    EXPECT(*launches_ == static_cast<int>(kLaunches * kBlocks));
    EXPECT(calls_ == kLaunches);
  }

  void release() {
    EXPECT(cudaEventDestroy(event_) == cudaSuccess);
    EXPECT(cudaStreamDestroy(stream_) == cudaSuccess);
    EXPECT(cudaFree(launches_) == cudaSuccess);
    EXPECT(cudaFreeHost(host_) == cudaSuccess);
  }

 private:
  int seed_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
  int* host_ = nullptr;
  int* launches_ = nullptr;
  int* numbers_ = nullptr;
  std::atomic<unsigned> calls_{0};
};

/// Calls that fail, and tell it once.
void make_mistakes() {
  void* memory = nullptr;
  EXPECT(cudaMalloc(&memory, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  (warpfiber::cuda::configure(1, 4096), add(nullptr, 0, nullptr));
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyDeviceToDevice) != cudaSuccess);
  EXPECT(cudaGetLastError() != cudaSuccess);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

/// A round of one OS thread. What it does not release goes with the device, which is reset before the next round.
void live(unsigned round, unsigned thread, bool releases) {
  std::vector<std::unique_ptr<Work>> works;
  for (unsigned i = 0; i < kStreams; ++i) works.push_back(std::make_unique<Work>(round * kThreads + thread + i));
  for (unsigned i = 1; i < kStreams; ++i) works[i]->wait_for(*works[i - 1]);
  make_mistakes();
  for (auto& work : works) work->finish();
  if (!releases) return;
  for (auto& work : works) work->release();
}

void end_device(bool faults) {
  if (faults) {
    (warpfiber::cuda::configure(1, 32), fault(nullptr));
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    void* memory = nullptr;
    EXPECT(cudaMalloc(&memory, 4) == cudaErrorIllegalAddress);
  }
  EXPECT(cudaDeviceReset() == cudaSuccess);
  cudaGetLastError();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

/// Bytes of memory that the process has in use.
std::size_t resident() {
  std::size_t size = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// What the first quarter of the time needed, and what was needed since.
struct Memory {
  std::size_t first = 0;
  std::size_t later = 0;

  void note(bool is_early) {
    std::size_t& most = is_early ? first : later;
    most = std::max(most, resident());
  }
};

/// The rounds of all threads, until the time is over; returns how many.
unsigned soak(std::chrono::milliseconds time, bool faults, Memory& memory) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  unsigned round = 0;
  bool goes_on = true;
  const auto between = [&]() noexcept {
    const bool last = ++round % kRoundsOfADevice == 0;
    if (last) end_device(faults);
    const auto passed = Clock::now() - begin;
    if (last) memory.note(passed < time / 4);
    goes_on = !last || passed < time;
  };
  std::barrier<decltype(between)> meeting(kThreads, between);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      while (goes_on) {
        live(round, thread, round % kRoundsOfADevice != kRoundsOfADevice - 1);
        meeting.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return round;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + count);
  if (words.empty()) return std::fprintf(stderr, "usage: soak <seconds> [without-faults] [any-memory]\n"), 2;
  setenv("WARPFIBER_QUIET", "1", 0);  // what is done wrong here is meant
  Memory memory;
  const bool faults = std::ranges::count(words, "without-faults") == 0;
  const unsigned rounds = soak(std::chrono::seconds(std::atoi(arguments[1])), faults, memory);
  std::printf("soak: %u rounds, %zu launches; at most %zu KiB in the first quarter and %zu KiB later\n", rounds,
              std::size_t{rounds} * kThreads * kStreams * kLaunches, memory.first >> 10, memory.later >> 10);
  if (std::ranges::count(words, "any-memory") == 0) EXPECT(memory.later <= memory.first + kMostGrowth);
  return wrong == 0 ? 0 : 1;
}
