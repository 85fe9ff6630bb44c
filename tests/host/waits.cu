// SPDX-License-Identifier: Apache-2.0
// A kernel that polls memory which nobody in the launch writes. Whoever may write it, as the argument says: another
// process, a thread of the host; or nobody, in a program that has blocked all signals.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;

__global__ void waits(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void leaves_memory(int* memory) {
  memory[threadIdx.x + (1LL << 40)] = 1;
}

bool is(const char* mode, const char* name) {
  return std::strcmp(mode, name) == 0;
}

/// A file's memory, that this process can only read and its child write.
void* map_file(bool writable) {
  static std::FILE* const file = std::tmpfile();
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (ftruncate(fileno(file), 4096) != 0) return nullptr;
  return mmap(nullptr, 4096, protection, MAP_SHARED, fileno(file), 0);
}

/// A process writes the flag after a second, or `never`.
void wait_for_process(bool never, bool in_file) {
  void* memory =
      in_file ? map_file(false) : mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* flag = static_cast<volatile int*>(memory);
  const pid_t child = fork();
  if (child == 0) {
    if (in_file) flag = static_cast<volatile int*>(map_file(true));
    for (const auto start = Clock::now(); Clock::now() - start < std::chrono::seconds(1);) {
    }
    *flag = never ? 0 : 1;
    _exit(0);
  }
  cudaHostRegister(memory, 4096, in_file ? cudaHostRegisterReadOnly : cudaHostRegisterMapped);
  waits<<<1, 32>>>(flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  waitpid(child, nullptr, 0);
}

/// A thread of the host, which may have used CUDA, sleeps until the kernel has ended.
void wait_for_thread(bool uses_cuda) {
  int* flag;
  cudaMallocManaged(&flag, sizeof *flag);
  *flag = 0;
  std::mutex mutex;
  std::condition_variable ended;
  bool is_over = false;
  std::thread sleeper([&] {
    if (uses_cuda) cudaFree(nullptr);
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return is_over; });
  });
  waits<<<1, 32>>>(flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  ended.notify_one();
  sleeper.join();
}

/// The first thread has used CUDA, and waits for the one that launches.
void wait_in_join() {
  int* flag;
  cudaMallocManaged(&flag, sizeof *flag);
  *flag = 0;
  std::thread([flag] {
    waits<<<1, 32>>>(flag);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }).join();
}

/// A thread that has used CUDA sleeps most of the time, and writes the flag after the watchdog's time.
void wait_for_poller() {
  int* flag;
  cudaMallocManaged(&flag, sizeof *flag);
  *flag = 0;
  std::thread poller([flag] {
    cudaFree(nullptr);
    for (const auto start = Clock::now(); Clock::now() - start < std::chrono::seconds(4);)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    *static_cast<volatile int*>(flag) = 1;
  });
  waits<<<1, 32>>>(flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  poller.join();
}

void block_signals(const char* mode) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  int* flag;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  if (is(mode, "blocked-spin")) waits<<<1, 32>>>(flag);
  if (is(mode, "blocked-fault")) leaves_memory<<<1, 32>>>(flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  sigset_t now;
  sigprocmask(SIG_BLOCK, nullptr, &now);
  std::printf("%d %d\n", sigismember(&now, SIGURG), sigismember(&now, SIGSEGV));
}

int main(int, char** arguments) {
  const char* mode = arguments[1];
  if (is(mode, "process")) wait_for_process(false, false);
  if (is(mode, "file")) wait_for_process(false, true);
  if (is(mode, "dead-process")) wait_for_process(true, false);
  if (is(mode, "thread") || is(mode, "cuda-thread")) wait_for_thread(is(mode, "cuda-thread"));
  if (is(mode, "join")) wait_in_join();
  if (is(mode, "poller")) wait_for_poller();
  if (std::strncmp(mode, "blocked", 7) == 0) block_signals(mode);
}
