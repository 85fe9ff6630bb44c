// SPDX-License-Identifier: Apache-2.0
// Handlers of the program's own that need 100 KB of stack, and come while kernels run. The first argument names the
// signal, the second says whether handlers have a stack of their own.
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__global__ void compute(int* counter, int rounds) {
  unsigned value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  if (value == 1) counter[1] = 1;
  atomicAdd(counter, 1);
}

__global__ void spin(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kStack = 256 * 1024;

volatile sig_atomic_t handled = 0;
char* page = nullptr;

__attribute__((noinline)) int take_stack(int kilobytes) {
  volatile char memory[1024];
  memory[0] = static_cast<char>(kilobytes);
  const int deeper = kilobytes == 0 ? 0 : take_stack(kilobytes - 1);
  return deeper + memory[0];
}

void on_signal(int, siginfo_t* info, void*) {
  take_stack(100);
  handled = handled + 1;
  if (info->si_signo == SIGSEGV && info->si_addr == page) mprotect(page, kPage, PROT_READ | PROT_WRITE);
}

struct sigaction action_for(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now;
}

void handle(int signal, int flags) {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | flags;
  sigaction(signal, &action, nullptr);
}

void send_often(int signal) {
  if (signal == SIGPROF || signal == SIGALRM) {
    const itimerval period{{0, 1000}, {0, 1000}};
    setitimer(signal == SIGPROF ? ITIMER_PROF : ITIMER_REAL, &period, nullptr);
    return;
  }
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  timer_t timer{};
  const itimerspec period{{0, 1'000'000}, {0, 1'000'000}};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &period, nullptr);
}

/// A hundred signals, one after the other, while kernels run.
int run_kernels(int* counter) {
  int launches = 0;
  for (; handled < 100 && launches < 20'000; ++launches) {
    compute<<<2, 32>>>(counter, 20'000);
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  }
  return launches;
}

/// While a kernel runs in a stream.
bool touch_page(int* flag) {
  for (int value = 1; value <= 3; ++value) {
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
    spin<<<1, 32>>>(flag);
    mprotect(page, kPage, PROT_NONE);
    page[0] = static_cast<char>(value);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    if (cudaDeviceSynchronize() != cudaSuccess || page[0] != value) return false;
  }
  return handled == 3;
}

}  // namespace

int main(int, char** arguments) {
  const std::string name = arguments[1];
  const bool own_stack = std::strcmp(arguments[2], "own-stack") == 0;
  const int signal = name == "SEGV" ? SIGSEGV : name == "PROF" ? SIGPROF : name == "ALRM" ? SIGALRM : SIGURG;
  std::vector<char> memory(kStack);
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  if (own_stack) sigaltstack(&stack, nullptr);
  page = static_cast<char*>(mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  int* pinned = nullptr;
  if (cudaMallocHost(&pinned, 2 * sizeof *pinned) != cudaSuccess) return 1;
  pinned[0] = pinned[1] = 0;
  handle(signal, own_stack ? SA_ONSTACK : 0);
  bool right = true;
  if (signal == SIGSEGV) {
    right = touch_page(pinned);
  } else {
    send_often(signal);
    const int launches = run_kernels(pinned);
    right = launches >= 0 && __atomic_load_n(pinned, __ATOMIC_ACQUIRE) == 64 * launches && handled >= 100;
  }
  stack_t now{};
  sigaltstack(nullptr, &now);
  const bool same_stack = own_stack ? now.ss_sp == memory.data() : (now.ss_flags & SS_DISABLE) != 0;
  std::printf("%s, %s, %s\n", right ? "handled" : "wrong", same_stack ? "same stack" : "another stack",
              action_for(signal).sa_sigaction == on_signal ? "same handler" : "another handler");
  std::fflush(stdout);
  _Exit(right ? 0 : 1);
}
