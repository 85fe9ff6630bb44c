// SPDX-License-Identifier: Apache-2.0
// The timer's signal may come between any two instructions of a launch. Here it does so between all of them: the
// processor's single-step trap sends it.
#include <pthread.h>
#include <ucontext.h>

#include <csignal>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr int kTick = SIGURG;  // src/engine/signals_linux.cpp
constexpr greg_t kTrapFlag = 0x100;

volatile std::sig_atomic_t stepping = 0;
volatile unsigned long steps = 0;

/// Comes after each instruction while the trap flag is set; the tick is taken as soon as this returns.
void on_step(int, siginfo_t*, void* context) {
  auto& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  if (stepping == 0) {
    flags &= ~kTrapFlag;
    return;
  }
  steps = steps + 1;
  pthread_kill(pthread_self(), kTick);
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

}  // namespace

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
