// SPDX-License-Identifier: Apache-2.0
// Holds the signals of the program back while an OS thread runs kernels, and hands them to their handlers on a tick.
#include "engine/signals/host_signals.hpp"

#include <sys/mman.h>

#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "engine/state/worker_state.hpp"
#include "record/observer.hpp"

namespace warpfiber::engine {
namespace {

using detail::current_thread;

// SIGURG is the tick; SIGXCPU asks where a thread stands.
constexpr int kNeeded[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG};
constexpr int kNeverHeld[] = {SIGTRAP, SIGABRT, SIGSYS, SIGXCPU};
// What a program's main thread usually has.
constexpr std::size_t kRoom = std::size_t{8} << 20;

/// A stack of the OS thread's, made when it is first needed: within a handler, so without a destructor, which would be
/// registered in memory of malloc. A handler may be interrupted by another, which then goes on below it.
struct Room {
  bool make() {
    if (stack != nullptr) return true;
    void* made = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made != MAP_FAILED) stack = static_cast<char*>(made);
    return stack != nullptr;
  }

  /// A handler that has left with longjmp() leaves it unused.
  bool is_used() const {
    const auto* here = static_cast<const char*>(__builtin_frame_address(0));
    return stack != nullptr && here >= stack && here < stack + kRoom;
  }

  char* stack = nullptr;
  void (*work)(void*) = nullptr;
  void* data = nullptr;
};

constinit thread_local Room room WARPFIBER_TLS_MODEL;

void enter() {
  std::exchange(room.work, nullptr)(room.data);
}

void call_on(char* stack, std::size_t bytes, void (*work)(void*), void* data) {
  ucontext_t here;
  ucontext_t there;
  ::getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = bytes;
  there.uc_link = &here;
  ::makecontext(&there, enter, 0);
  room.work = work;
  room.data = data;
  ::swapcontext(&here, &there);
}

/// Calls work(data) where there is room. What the handlers do is not the running thread's.
void call_in_room(void (*work)(void*), void* data) {
  const bool in_kernel = current_thread.worker != nullptr;
  const bool busy = current_thread.busy;
  const record::ScopedPause pause(in_kernel ? WorkerState::current()->observer : nullptr, record::PauseAt::interrupt);
  if (in_kernel) current_thread.busy = true;
  if (room.is_used() || !room.make()) {
    work(data);
  } else {
    call_on(room.stack, kRoom, work, data);
  }
  if (in_kernel) current_thread.busy = busy;
}

struct Delivery {
  const sigset_t& own;
  const stack_t& own_stack;
};

void let_them_come(void* data) {
  const auto& [own, own_stack] = *static_cast<const Delivery*>(data);
  stack_t ours{};
  const bool changed = ::sigaltstack(&own_stack, &ours) == 0;
  sigset_t mask = own;
  sigset_t held;
  ::sigaddset(&mask, SIGURG);
  ::pthread_sigmask(SIG_SETMASK, &mask, &held);
  ::pthread_sigmask(SIG_SETMASK, &held, nullptr);
  if (changed) ::sigaltstack(&ours, nullptr);
}

struct HandlerCall {
  const struct sigaction& handler;
  int signal;
  siginfo_t* info;
  void* context;
};

void call_with_mask(void* data) {
  const auto& [handler, signal, info, context] = *static_cast<const HandlerCall*>(data);
  sigset_t mask = handler.sa_mask;
  sigset_t before;
  if ((handler.sa_flags & SA_NODEFER) == 0) ::sigaddset(&mask, signal);
  ::pthread_sigmask(SIG_BLOCK, &mask, &before);
  if ((handler.sa_flags & SA_SIGINFO) != 0) {
    handler.sa_sigaction(signal, info, context);
  } else {
    handler.sa_handler(signal);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// The handler of a held signal gets what the tick has interrupted, as if the signal had come there.
struct HeldCall {
  HandlerCall call;
  sigset_t& own;
  const stack_t& own_stack;
  ucontext_t& interrupted;
};

void call_for_held(void* data) {
  HeldCall& held = *static_cast<HeldCall*>(data);
  const sigset_t mask_of_tick = held.interrupted.uc_sigmask;
  const stack_t stack_of_tick = held.interrupted.uc_stack;
  held.interrupted.uc_sigmask = held.own;
  held.interrupted.uc_stack = held.own_stack;
  stack_t ours{};
  sigset_t mask = held.own;
  sigset_t before;
  ::sigaddset(&mask, SIGURG);
  const bool changed = ::sigaltstack(&held.own_stack, &ours) == 0;
  ::pthread_sigmask(SIG_SETMASK, &mask, &before);
  const bool takes_stack =
      (held.call.handler.sa_flags & SA_ONSTACK) != 0 && changed && (held.own_stack.ss_flags & SS_DISABLE) == 0;
  if (takes_stack) {
    call_on(static_cast<char*>(held.own_stack.ss_sp), held.own_stack.ss_size, call_with_mask, &held.call);
  } else {
    call_with_mask(&held.call);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (changed) ::sigaltstack(&ours, nullptr);
  held.own = held.interrupted.uc_sigmask;
  held.interrupted.uc_sigmask = mask_of_tick;
  held.interrupted.uc_stack = stack_of_tick;
}

/// Whether the handler wants to know what was interrupted. One that is to be reset is the system's to call.
bool takes_context(const struct sigaction& handler) {
  return (handler.sa_flags & SA_SIGINFO) != 0 && (handler.sa_flags & static_cast<int>(SA_RESETHAND)) == 0 &&
         handler.sa_sigaction != nullptr;
}

/// False where that is left to the system.
bool handle(int signal, sigset_t& own, const stack_t& own_stack, ucontext_t& interrupted) {
  struct sigaction handler {};
  if (::sigaction(signal, nullptr, &handler) != 0 || !takes_context(handler)) return false;
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  siginfo_t info;
  const timespec at_once{};
  if (::sigtimedwait(&only, &info, &at_once) != signal) return true;  // another thread has taken it
  HeldCall held{{handler, signal, &info, &interrupted}, own, own_stack, interrupted};
  call_in_room(call_for_held, &held);
  return true;
}

struct HostWork {
  const sigset_t& own;
  const stack_t& own_stack;
  void (*work)(void*);
  void* data;
};

/// The stack comes first: what was held comes at once.
void become_host(void* data) {
  const auto& [own, own_stack, work, work_data] = *static_cast<const HostWork*>(data);
  if (own_stack.ss_sp != nullptr || own_stack.ss_flags != 0) ::sigaltstack(&own_stack, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &own, nullptr);
  work(work_data);
}

sigset_t set_of(const int* begin, const int* end) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int* signal = begin; signal != end; ++signal) ::sigaddset(&set, *signal);
  return set;
}

sigset_t all_that_are_held() {
  sigset_t held;
  ::sigfillset(&held);
  for (const int signal : kNeeded) ::sigdelset(&held, signal);
  for (const int signal : kNeverHeld) ::sigdelset(&held, signal);
  return held;
}

}  // namespace

void forget_room() {
  // exit() runs on it, which destroys the main thread's objects before anything else.
  if (room.stack != nullptr && !room.is_used()) ::munmap(std::exchange(room.stack, nullptr), kRoom);
}

void hold_signals(sigset_t& own) {
  static const sigset_t held = all_that_are_held();
  ::pthread_sigmask(SIG_SETMASK, &held, &own);
}

void need_signals(sigset_t& own) {
  const sigset_t needed = set_of(std::begin(kNeeded), std::end(kNeeded));
  ::pthread_sigmask(SIG_UNBLOCK, &needed, &own);
}

void deliver_held(sigset_t& own, const stack_t& own_stack, ucontext_t& interrupted) {
  sigset_t pending;
  if (::sigpending(&pending) != 0) return;
  bool any = false;
  // Never held. Another tick waits for the end of this one.
  for (const int signal : kNeeded) ::sigdelset(&pending, signal);
  for (int signal = 1; signal < NSIG; ++signal) {
    if (::sigismember(&pending, signal) != 1 || ::sigismember(&own, signal) != 0) continue;
    any = !handle(signal, own, own_stack, interrupted) || any;
  }
  Delivery delivery{own, own_stack};
  if (any) call_in_room(let_them_come, &delivery);
}

void go_on_as_host(const sigset_t& own, const stack_t& own_stack, void (*work)(void*), void* data) {
  if (room.is_used()) {
    work(data);
  } else {
    HostWork host{own, own_stack, work, data};
    call_in_room(become_host, &host);
  }
  std::abort();
}

bool call_handler(const struct sigaction& handler, int signal, siginfo_t* info, void* context) {
  const bool takes_info = (handler.sa_flags & SA_SIGINFO) != 0;
  if (takes_info ? handler.sa_sigaction == nullptr : handler.sa_handler == SIG_DFL || handler.sa_handler == SIG_IGN)
    return false;
  HandlerCall call{handler, signal, info, context};
  // One that has asked for the stack that it runs on has room, unless that is a kernel's.
  if (current_thread.worker == nullptr && ((handler.sa_flags & SA_ONSTACK) != 0 || signal == SIGURG)) {
    call_with_mask(&call);
  } else {
    call_in_room(call_with_mask, &call);
  }
  return true;
}

}  // namespace warpfiber::engine
