// SPDX-License-Identifier: Apache-2.0
// What belongs to the process and not to a kernel, as the argument says: handlers of exit() that a kernel calls, the
// context that a signal handler gets, the locale.
#include <cuda_runtime.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cfenv>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <stdexcept>
#include <string>

extern "C" const char __start_burning[];
extern "C" const char __stop_burning[];

namespace {

volatile sig_atomic_t handled = 0;
volatile sig_atomic_t in_kernel = 0;
volatile sig_atomic_t elsewhere = 0;
bool takes_own_stack = false;
volatile bool has_changed_mask = false;
pthread_t main_thread;
alignas(16) char own_stack[256 * 1024];

bool is(const char* mode, const char* name) {
  return std::strcmp(mode, name) == 0;
}

}  // namespace

__attribute__((section("burning"), noinline)) __device__ unsigned burn(unsigned value, int rounds) {
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  return value;
}
__global__ void compute(unsigned* values, int rounds) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = burn(threadIdx.x, rounds);
}
__global__ void leaves(bool quick) {
  if (threadIdx.x == 3) quick ? quick_exit(5) : exit(5);
}
__global__ void throws(int* caught) {
  if (threadIdx.x != 3) return;
  try {
    throw 5;
  } catch (int thrown) {
    *caught = thrown;
  }
  if (*caught == 5) throw 'c';
}
__global__ void prints(float* values, int stride) {
  if (threadIdx.x == 0) printf("%.2f %g\n", 1234567.5, 2.5e-7);
  values[threadIdx.x * stride] = 1234.5f + static_cast<float>(threadIdx.x);
}

namespace {

__attribute__((noinline)) int take_stack(int kilobytes) {
  volatile char memory[1024];
  memory[0] = static_cast<char>(kilobytes);
  const int deeper = kilobytes == 0 ? 0 : take_stack(kilobytes - 1);
  return deeper + memory[0];
}

void count(int) {
  handled = handled + 1;
}

void at_exit() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  int blocked = 0;
  for (int signal = 1; signal < SIGRTMIN; ++signal) blocked += sigismember(&mask, signal) == 1 ? 1 : 0;
  take_stack(1000);
  raise(SIGUSR2);
  std::printf("%d blocked, SIGUSR1 %d, handled %d, %s\n", blocked, sigismember(&mask, SIGUSR1),
              static_cast<int>(handled), std::fegetround() == FE_UPWARD ? "upward" : "another mode");
  std::fflush(stdout);
}

void leave_in_kernel(bool quick) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &one, nullptr);
  std::fesetround(FE_UPWARD);
  signal(SIGUSR2, count);
  quick ? at_quick_exit(at_exit) : std::atexit(at_exit);
  leaves<<<1, 32>>>(quick);
  cudaDeviceSynchronize();
  // Another thread may run the kernel: the process ends with its status, not with that of this one.
  for (;;) pause();
}

void on_profile(int, siginfo_t*, void* context) {
  auto& interrupted = *static_cast<ucontext_t*>(context);
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  const auto* at = reinterpret_cast<const char*>(interrupted.uc_mcontext.gregs[REG_RIP]);
  handled = handled + 1;
  if (at >= __start_burning && at < __stop_burning) in_kernel = in_kernel + 1;
  // Other threads have no stack for handlers.
  const bool is_own = here >= own_stack && here < own_stack + sizeof own_stack;
  if (is_own != (takes_own_stack && pthread_equal(pthread_self(), main_thread))) elsewhere = elsewhere + 1;
  if (!pthread_equal(pthread_self(), main_thread)) return;
  sigaddset(&interrupted.uc_sigmask, SIGUSR2);
  has_changed_mask = true;
}

/// Signals come by CPU time, so kernels run until enough have come.
void profile(int flags) {
  struct sigaction action {};
  action.sa_sigaction = on_profile;
  action.sa_flags = SA_SIGINFO | SA_RESTART | flags;
  sigaction(SIGPROF, &action, nullptr);
  stack_t stack{};
  stack.ss_sp = own_stack;
  stack.ss_size = sizeof own_stack;
  sigaltstack(&stack, nullptr);
  takes_own_stack = (flags & SA_ONSTACK) != 0;
  main_thread = pthread_self();
  const itimerval period{{0, 2000}, {0, 2000}};
  setitimer(ITIMER_PROF, &period, nullptr);
  unsigned* values;
  cudaMalloc(&values, 64 * sizeof *values);
  for (int i = 0; i < 20'000 && (in_kernel < 8 || !has_changed_mask); ++i) {
    // Many ticks long: what is held at its end comes when the kernel is no more.
    compute<<<2, 32>>>(values, 2'000'000);
    cudaDeviceSynchronize();
  }
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  std::printf("%s, %d on another stack, SIGUSR2 %d\n", in_kernel >= 8 ? "in the kernel" : "elsewhere",
              static_cast<int>(elsewhere), sigismember(&mask, SIGUSR2));
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

void print_in_locale(const char* locale, int stride) {
  std::locale::global(std::locale(std::locale(), new Commas));
  if (locale != nullptr && setlocale(LC_ALL, locale) == nullptr) std::printf("no such locale\n");
  float* values;
  cudaMalloc(&values, 1'234'560);
  prints<<<1, 4>>>(values, stride);
  cudaDeviceSynchronize();
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", 0.5);
  std::printf("%s %s\n", text, localeconv()->decimal_point);
}

std::jmp_buf before;

void jump_within(void* number) {
  std::jmp_buf here;
  if (setjmp(here) == 0) std::longjmp(here, 1);
  ++*static_cast<int*>(number);
}

void throw_within(void* number) {
  try {
    throw std::runtime_error("caught");
  } catch (const std::runtime_error&) {
    ++*static_cast<int*>(number);
  }
}

void throw_out(void*) {
  throw std::runtime_error("out of a host function");
}

/// Jumps and exceptions leave calls of the program that are around launches, and end within host functions.
void leave_calls() {
  unsigned* values;
  cudaMalloc(&values, 64 * sizeof *values);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  static int number = 0;
  for (volatile int i = 0; i < 50; i = i + 1) {
    try {
      if (setjmp(before) == 0) {
        compute<<<2, 32, 0, stream>>>(values, 100);
        cudaLaunchHostFunc(stream, jump_within, &number);
        std::longjmp(before, 1);
      }
      compute<<<2, 32>>>(values, 100);
      cudaLaunchHostFunc(stream, throw_within, &number);
      throw 5;
    } catch (int) {
    }
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s %d\n", cudaGetErrorName(error), number);
}

/// The program's threads block the signal, and one of them waits for it, just after threads of the runtime have worked.
void wait_for_signal() {
  unsigned* values;
  cudaMalloc(&values, 128 * sizeof *values);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGTERM);
  int rounds = 0;
  for (int signal = SIGTERM; signal == SIGTERM && rounds < 500; ++rounds) {
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    compute<<<2, 32, 0, stream>>>(values, 1);
    compute<<<2, 32>>>(values + 64, 1);
    cudaDeviceSynchronize();
    pthread_sigmask(SIG_BLOCK, &one, nullptr);
    kill(getpid(), SIGTERM);
    sigwait(&one, &signal);
  }
  std::printf("%d signals\n", rounds);
}

void throw_in_kernel() {
  int* caught;
  cudaMallocManaged(&caught, sizeof *caught);
  throws<<<1, 32>>>(caught);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s, caught %d\n", cudaGetErrorName(error), *caught);
}

}  // namespace

int main(int, char** arguments) {
  const char* mode = arguments[1];
  if (is(mode, "exit")) leave_in_kernel(false);
  if (is(mode, "quick-exit")) leave_in_kernel(true);
  if (is(mode, "profile")) profile(0);
  if (is(mode, "profile-own-stack")) profile(SA_ONSTACK);
  if (is(mode, "locale")) print_in_locale(arguments[2], 1);
  if (is(mode, "locale-race")) print_in_locale(arguments[2], 0);
  if (is(mode, "leave-calls")) leave_calls();
  if (is(mode, "wait-for-signal")) wait_for_signal();
  if (is(mode, "throw-in-kernel")) throw_in_kernel();
  if (is(mode, "throw-out")) {
    cudaLaunchHostFunc(nullptr, throw_out, nullptr);
    cudaDeviceSynchronize();
  }
}
