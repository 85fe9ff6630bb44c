// SPDX-License-Identifier: Apache-2.0
// The timer's signal may come between any two instructions of a launch. Here it does so between all of them: the
// processor's single-step trap sends it.
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <string>

#include "engine/signals/host_signals.hpp"
#include "engine/signals/os_thread.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

using engine::kTick;

constexpr greg_t kTrapFlag = 0x100;

volatile std::sig_atomic_t stepping = 0;
volatile unsigned long steps = 0;

/// As a timer of the engine's does: a signal from elsewhere is the program's own.
void send_tick() {
  siginfo_t info{};
  info.si_signo = kTick;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = const_cast<void*>(engine::mark_of_ticks());
  syscall(SYS_rt_tgsigqueueinfo, getpid(), engine::os_thread_number(), kTick, &info);
}

/// Comes after each instruction while the trap flag is set; the tick is taken as soon as this returns.
void on_step(int, siginfo_t*, void* context) {
  auto& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  if (stepping == 0) {
    flags &= ~kTrapFlag;
    return;
  }
  steps = steps + 1;
  send_tick();
}

/// Sends a tick after each instruction that this OS thread executes until the end of the scope.
class TickAtEachInstruction {
 public:
  TickAtEachInstruction() {
    struct sigaction action {};
    action.sa_sigaction = on_step;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, kTick);
    sigaction(SIGTRAP, &action, &before_);
    steps = 0;
    stepping = 1;
    asm volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" ::"i"(kTrapFlag) : "cc", "memory");
  }
  ~TickAtEachInstruction() {
    stepping = 0;
    asm volatile("nop\n\tnop" ::: "memory");
    sigaction(SIGTRAP, &before_, nullptr);
  }
  TickAtEachInstruction(const TickAtEachInstruction&) = delete;
  TickAtEachInstruction& operator=(const TickAtEachInstruction&) = delete;

 private:
  struct sigaction before_ {};
};

void count(int* counter) {
  atomicAdd(counter, 1);
}

void count_in_rounds(int* counter) {
  WARPFIBER_SHARED(int, sum);
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, __shfl_sync(0x1f, 1, 2));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counter, sum);
}

constexpr std::size_t kRoom = std::size_t{30} << 20;
constexpr std::size_t kStack = std::size_t{32} << 20;

/// Has written to nearly all of its stack when it calls `then`.
template <class Then>
void deep(Then then) {
  char room[kRoom];
  for (std::size_t i = 0; i < kRoom; i += 64) room[i] = static_cast<char>(i);
  asm volatile("" ::"r"(room) : "memory");
  then(room);
  asm volatile("" ::"r"(room) : "memory");
}

/// For so long that ticks come, without memory, a call or an event.
void compute() {
  unsigned x = 1;
  for (unsigned i = 0; i < 100'000'000; ++i) {
    x = x * 1664525 + 1013904223;
    asm volatile("" : "+r"(x));
  }
}

volatile std::sig_atomic_t handled_ticks = 0;

void count_ticks(int, siginfo_t*, void*) {
  handled_ticks = handled_ticks + 1;
}

/// `handler` of `signal`, until the end of the scope.
class ScopedHandler {
 public:
  ScopedHandler(int signal, void (*handler)(int, siginfo_t*, void*)) : signal_(signal) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, &before_);
  }
  ~ScopedHandler() { sigaction(signal_, &before_, nullptr); }
  ScopedHandler(const ScopedHandler&) = delete;
  ScopedHandler& operator=(const ScopedHandler&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

}  // namespace

TEST_CASE("a thread gets on although the next tick is due before one has ended", "[faults]") {
  const LaunchResult result = launch({.grid = 2, .block = 1, .workers = 1}, [] {
    engine::this_os_thread().set_ticks(1);
    compute();
  });
  CHECK(result.ok());
}

TEST_CASE("a tick that comes during another one waits for its end", "[faults]") {
  const ScopedHandler handler(kTick, count_ticks);
  handled_ticks = 0;
  sigset_t tick;
  sigemptyset(&tick);
  sigaddset(&tick, kTick);
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, &tick, &own);
  raise(kTick);
  stack_t own_stack{};
  sigaltstack(nullptr, &own_stack);
  ucontext_t interrupted{};
  engine::deliver_held(own, own_stack, interrupted);
  CHECK(handled_ticks == 0);
  pthread_sigmask(SIG_SETMASK, &own, nullptr);
  CHECK(handled_ticks == 1);
}

TEST_CASE("a thread with much of its stack in use gets on, however long a look at that takes", "[faults]") {
  const unsigned workers = GENERATE(1U, 2U);
  int done = 0;
  const LaunchConfig config{.grid = 2, .block = 1, .workers = workers, .stack_bytes = kStack};
  const LaunchResult result = launch(config, [&done] {
    deep([](const char*) { compute(); });
    atomicAdd(&done, 1);
  });
  REQUIRE(result.ok());
  CHECK(done == 2);
}

TEST_CASE("what a thread changes at the far end of a large stack is seen, and is no circle", "[faults]") {
  const unsigned workers = GENERATE(1U, 2U);
  const LaunchConfig config{.grid = 2, .block = 1, .workers = workers, .stack_bytes = kStack};
  const LaunchResult result = launch(config, [] {
    unsigned left = 200'000'000;
    asm volatile("" ::"r"(&left) : "memory");
    // Nothing else changes, no register either.
    deep([&left](const char*) { asm volatile("0: subl $1, %0\n\tjnz 0b" : "+m"(left) : : "cc"); });
  });
  CHECK(result.ok());
}

TEST_CASE("a thread with much of its stack in use that runs in circles is told", "[faults]") {
  const unsigned workers = GENERATE(1U, 2U);
  int flag = 0;
  const LaunchConfig config{.grid = 2, .block = 1, .workers = workers, .stack_bytes = kStack};
  const LaunchResult result = failed_launch(config, [&flag] {
    deep([&flag](const char*) {
      while (true) {
        asm volatile("" ::: "memory");
        if (flag != 0) break;
      }
    });
  });
  CHECK(std::string(result.finding()) == "livelock");
}

TEST_CASE("a tick at any instruction of a launch harms nothing", "[faults]") {
  const bool waits = GENERATE(false, true);
  const auto kernel = waits ? count_in_rounds : count;
  const char* policy = waits ? "random" : "in-order";
  CAPTURE(waits);
  int counter = 0;
  const LaunchConfig config{.grid = 2, .block = 5, .workers = 1, .policy = policy};
  REQUIRE(launch(config, kernel, &counter).ok());  // makes what later launches use again
  counter = 0;
  bool ok = false;
  {
    const TickAtEachInstruction ticks;
    ok = launch(config, kernel, &counter).ok();
  }
  CHECK(ok);
  CHECK(counter == 2 * 5);
  CHECK(steps > 1000);
}
