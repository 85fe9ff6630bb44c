// SPDX-License-Identifier: Apache-2.0
// Timer, alternate stack and signal mask. They stay from launch to launch of a series, which saves system calls.
#include "engine/signals/os_thread.hpp"
#include "instrument/x86/code_area.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "base/forking.hpp"
#include "engine/signals/host_signals.hpp"

namespace warpfiber::engine {
namespace {

constexpr std::size_t kFaultStack = 256 * 1024;
// Longer than the system takes to deliver a signal and to return from its handler, in a virtual machine too.
constexpr long kLeastRest = 50'000;
// Its address is the value of our timers' signals.
constexpr char ticks = 0;

}  // namespace

const void* mark_of_ticks() {
  return &ticks;
}

int os_thread_number() {
  return static_cast<int>(syscall(SYS_gettid));
}

OsThread& this_os_thread() {
  static thread_local OsThread instance;
  return instance;
}

OsThread::~OsThread() {
  if (has_timer_ && !base::is_forked_child()) timer_delete(timer_);  // children do not inherit timers
  if (fault_stack_ != nullptr) munmap(fault_stack_, kFaultStack);
  forget_room();
  instrument::x86::CodeArea::release();
}

void OsThread::belong_to_runtime(const sigset_t& mask) {
  is_runtimes = true;
  own_mask = mask;
}

void OsThread::prepare() {
  if (!is_prepared) {
    if (!has_timer_) make_timer();
    sigaltstack(nullptr, &own_stack);
    // Without ticks nothing would deliver what is held.
    if (!is_runtimes) has_timer_ ? hold_signals(own_mask) : need_signals(own_mask);
    holds_signals = has_timer_;
    // Only now: a handler of the program may have asked for the program's stack.
    if (fault_stack_ != nullptr || make_fault_stack()) {
      stack_t stack{};
      stack.ss_sp = fault_stack_;
      stack.ss_size = kFaultStack;
      sigaltstack(&stack, nullptr);
    }
    is_prepared = true;
  }
  // Left running after a launch and stopped by the first tick that finds nothing to do: a system call less a launch.
  set_ticks(kTickNanoseconds);
}

void OsThread::pause(bool ticks_end) {
  if (ticks_end) set_ticks(0);
  if (!in_series) release();
}

void OsThread::release() {
  if (!is_prepared) return;
  if (fault_stack_ != nullptr) sigaltstack(&own_stack, nullptr);
  if (!is_runtimes) pthread_sigmask(SIG_SETMASK, &own_mask, nullptr);
  is_prepared = false;
}

void OsThread::set_ticks(long nanoseconds) {
  if (period_ == nanoseconds) return;
  period_ = nanoseconds;
  postpone_tick();
}

void OsThread::postpone_tick() {
  itimerspec period{};
  period.it_interval.tv_nsec = period_;
  period.it_value.tv_nsec = period_ == 0 ? 0 : std::max(period_, kLeastRest);
  if (has_timer_) timer_settime(timer_, 0, &period, nullptr);
}

void OsThread::make_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kTick;
  event.sigev_value.sival_ptr = const_cast<void*>(mark_of_ticks());
  event._sigev_un._tid = os_thread_number();
  has_timer_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
}

bool OsThread::make_fault_stack() {
  void* memory = mmap(nullptr, kFaultStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  fault_stack_ = static_cast<char*>(memory);
  return true;
}

}  // namespace warpfiber::engine
