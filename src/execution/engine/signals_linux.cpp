// SPDX-License-Identifier: Apache-2.0
// Signals, on Linux: the timer that looks at running threads, and faults of kernel code.
// A tick runs on the interrupted thread's own stack, for which that is made larger, and may switch to another fiber;
// the interrupted thread goes on when that handler is resumed. A fault runs on a stack of its own, because the thread's
// may be the problem, and the fiber that faulted is never resumed. Signals that are not a kernel's go to whoever
// handled them before.
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "base/interrupted.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/thread_modes.hpp"
#include "engine/findings/findings.hpp"
#include "engine/leaving_out/leaving_out.hpp"
#include "engine/preempt.hpp"
#include "engine/run.hpp"
#include "engine/signals/host_signals.hpp"
#include "engine/signals/os_thread.hpp"
#include "engine/signals/sample.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"
#include "memory/host/built_by_host.hpp"
#include "memory/host/device_use.hpp"
#include "memory/host/host_addresses.hpp"
#include "memory/host/virtual_tables.hpp"

namespace warpfiber::engine {
namespace {

using detail::current_thread;

constexpr std::size_t kRedZone = 128;
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct sigaction previous[NSIG];

/// Where a read that may fault goes on; null: none is under way.
constinit thread_local sigjmp_buf* behind_read = nullptr;

/// The interrupted thread's floating-point mode, for as long as this lives: the kernel starts handlers in its own, and
/// the tick may go on as another thread of the same block, which sets the mode for both.
class ModeOfInterrupted {
 public:
  explicit ModeOfInterrupted(ucontext_t& context) : context_(context) {
    base::set_float_mode(base::float_mode_of(context));
  }
  ~ModeOfInterrupted() { base::set_float_mode_of(context_, base::float_mode()); }
  ModeOfInterrupted(const ModeOfInterrupted&) = delete;
  ModeOfInterrupted& operator=(const ModeOfInterrupted&) = delete;

 private:
  ucontext_t& context_;
};

/// The program may use the signal too: it is a tick if a timer of ours sent it.
bool is_tick(const siginfo_t& info) {
  return info.si_code == SI_TIMER && info.si_value.sival_ptr == mark_of_ticks();
}

WARPFIBER_ALIGNS_STACK void on_tick(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (!is_tick(*info)) {
    call_handler(previous[kTick], signal, info, context);
    errno = saved;
    return;
  }
  Worker* worker = Worker::current();
  OsThread& os_thread = this_os_thread();
  if (worker != nullptr && os_thread.holds_signals)
    deliver_held(os_thread.own_mask, os_thread.own_stack, *static_cast<ucontext_t*>(context));
  if (worker != nullptr) worker->interrupted.add(worker->running());
  if (worker == nullptr) {
    os_thread.set_ticks(0);
  } else if (!current_thread.busy && worker->in_kernel()) {
    auto& interrupted = *static_cast<ucontext_t*>(context);
    const void* instruction = base::instruction_of(interrupted);
    if (worker->sampler().is_kernel_code(instruction)) {
      const auto* stack = reinterpret_cast<const void* const*>(base::stack_of(interrupted));
      const ModeOfInterrupted mode(interrupted);
      const bool stays = worker->claims().in_block_function() || never_waits_in(instruction);
      worker->sampler().tick(*worker, TickSample{instruction, stack, context, stays});
    }
  }
  // Where a tick has taken longer than a period, the next one is due already: the thread would never get on.
  if (worker != nullptr) this_os_thread().postpone_tick();
  errno = saved;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if (call_handler(previous[signal], signal, info, context)) return;
  // As if there were no handler: the faulting instruction runs again.
  ::signal(signal, SIG_DFL);
}

FaultKind kind_of(int signal, int code) {
  switch (signal) {
    case SIGFPE: return code == FPE_INTDIV || code == FPE_INTOVF ? FaultKind::arithmetic : FaultKind::floating_point;
    case SIGILL: return FaultKind::instruction;
    case SIGBUS: return FaultKind::bus;
    default: return FaultKind::address;
  }
}

/// An address that is not canonical raises a general protection fault, which carries neither the address nor the
/// direction (Intel SDM, "Interrupt 13"; the kernel's si_code says so).
ProcessorFault::Access access_of(const siginfo_t& info, const ucontext_t& interrupted) {
  if (info.si_code == SI_KERNEL) return ProcessorFault::Access::unknown;
  return base::writes(interrupted) ? ProcessorFault::Access::write : ProcessorFault::Access::read;
}

/// Runs on the fault stack, entered from the handler in place of the fiber that faulted.
[[noreturn]] void leave_faulted_fiber() {
  Worker* worker = Worker::current();
  if (worker->claims().has_row_to_rerun()) worker->claims().rerun_row();
  worker->choosing().abandon_fiber();
}

std::size_t signal_frame() {
  constexpr unsigned long kAtLeast = 2048;  // where the kernel does not say (before Linux 5.14)
  return std::max(getauxval(AT_MINSIGSTKSZ), kAtLeast) + kRedZone;
}

/// What the thread could not access. A signal that does not fit its stack has no address; it goes below what is used.
const void* address_of(const Worker& worker, const siginfo_t& info, const char* stack) {
  const char* frame = stack - signal_frame();
  return info.si_code == SI_KERNEL && worker.stacks.overflowed_at(frame) != nullptr ? frame : info.si_addr;
}

/// The fault of an instruction that needs an aligned address and has none; nothing where the address is the matter.
std::optional<VectorAccess> misaligned_access(const siginfo_t& info, ucontext_t& interrupted) {
  constexpr std::uint64_t kCanonicalEnd = std::uint64_t{1} << 47;
  constexpr std::uint64_t kAlignment = 16;
  if (!base::kReadsInterrupted || info.si_code != SI_KERNEL || info.si_signo != SIGSEGV) return std::nullopt;
  std::array<std::uint64_t, 16> numbered{};
  for (std::size_t i = 0; i < base::kGeneralRegisters; ++i)
    numbered[i] = static_cast<std::uint64_t>(*base::general_register(interrupted, i));
  const auto access = vector_access(static_cast<const unsigned char*>(base::instruction_of(interrupted)), numbered);
  const bool is_it = access.has_value() && access->address < kCanonicalEnd && access->address % kAlignment != 0;
  return is_it ? access : std::nullopt;
}

/// The thread goes on behind an access of a kernel that the processor has refused. False where it cannot.
bool go_on_without(Worker& worker, const ProcessorFault& fault, ucontext_t& interrupted) {
  constexpr FaultKind kAccesses[] = {FaultKind::address, FaultKind::bus, FaultKind::misaligned};
  if (std::ranges::find(kAccesses, fault.kind) == std::end(kAccesses)) return false;
  if (fault.access == ProcessorFault::Access::call || worker.stacks.overflowed_at(fault.address) != nullptr)
    return false;
  // What a table of virtual functions holds is called: without it the thread would call nothing.
  if (memory::virtual_table_with(memory::meant_by(fault.address)) != nullptr) return false;
  if (!worker.sampler().is_kernel_code(fault.instruction) || !begin_leaving_out(fault.instruction)) return false;
  current_thread.busy = true;
  instrument::x86::Registers kept{};
  for (std::size_t i = 0; i < base::kGeneralRegisters; ++i)
    kept.general[i] = static_cast<std::uint64_t>(*base::general_register(interrupted, i));
  const auto* code = static_cast<const std::uint8_t*>(fault.instruction);
  const void* operand = operand_of(code, kept);
  const void* const target = leave_out_refused(code, kept, fault.address);
  if (target != nullptr && !was_judged(operand)) worker.claims().note_left_out(fault);
  current_thread.busy = false;
  if (target == nullptr) return false;
  for (std::size_t i = 0; i < base::kGeneralRegisters; ++i)
    *base::general_register(interrupted, i) = static_cast<long long>(kept.general[i]);
  base::go_on_at(interrupted, target);
  return true;
}

/// A copy of an instruction has faulted: the thread is where the original is.
void leave_copy(ucontext_t& interrupted) {
  const std::uint8_t* original = original_of_copy(base::instruction_of(interrupted));
  if (original == nullptr) return;
  base::go_on_at(interrupted, original);
  current_thread.busy = false;
}

/// Host code may use objects that it has constructed while kernels run, from which their tables are kept.
bool reaches_own_table(const siginfo_t& info, ucontext_t& interrupted) {
  if (info.si_signo != SIGSEGV) return false;
  std::array<long long*, base::kGeneralRegisters> general{};
  for (std::size_t i = 0; i < base::kGeneralRegisters; ++i) general[i] = base::general_register(interrupted, i);
  return memory::put_registers_in_reach(info.si_addr, general.data(), general.size());
}

WARPFIBER_ALIGNS_STACK void on_fault(int signal, siginfo_t* info, void* context) {
  if (behind_read != nullptr && (signal == SIGSEGV || signal == SIGBUS)) siglongjmp(*behind_read, 1);
  Worker* worker = Worker::current();
  auto& interrupted = *static_cast<ucontext_t*>(context);
  if (worker != nullptr) leave_copy(interrupted);
  const void* instruction = base::instruction_of(interrupted);
  const bool in_kernel = worker != nullptr && worker->in_kernel();
  const void* address = in_kernel ? address_of(*worker, *info, base::stack_of(interrupted)) : nullptr;
  // A thread may also run out of stack inside the engine, which it then never comes back to.
  const bool mine = base::kReadsInterrupted && in_kernel &&
                    (!current_thread.busy || worker->stacks.overflowed_at(address) != nullptr);
  if (!mine) {
    if (reaches_own_table(*info, interrupted)) return;
    pass_on(signal, info, context);
    return;
  }
  ProcessorFault::Access access = access_of(*info, interrupted);
  if (signal == SIGSEGV && address == instruction && access == ProcessorFault::Access::read) {
    // A pointer to a function that is none; what called it is on top of the stack.
    access = ProcessorFault::Access::call;
    instruction = *reinterpret_cast<const char* const*>(base::stack_of(interrupted)) - 1;
  }
  FaultKind kind = kind_of(signal, info->si_code);
  if (const auto misaligned = misaligned_access(*info, interrupted);
      misaligned.has_value() && address == info->si_addr) {
    kind = FaultKind::misaligned;
    address = reinterpret_cast<const void*>(misaligned->address);
    access = misaligned->writes ? ProcessorFault::Access::write : ProcessorFault::Access::read;
  }
  const ProcessorFault fault{kind, address, instruction, base::stack_of(interrupted), access};
  if (go_on_without(*worker, fault, interrupted)) return;
  // A tick that runs out of stack does not come back to say that others may follow.
  sigdelset(&interrupted.uc_sigmask, kTick);
  worker->begin_failure();
  worker->claims().note_fault(fault);
  // Whoever left a fiber from that stack before has never returned there.
  constexpr std::size_t kUsedOfEmergencyStack = 8 * 1024;
  fiber::announce_plain(static_cast<char*>(worker->emergency_stack()) - kUsedOfEmergencyStack, kUsedOfEmergencyStack);
  // Going on in another function instead of returning to the kernel also leaves the fault stack to the next fault.
  base::go_on_with_stack(interrupted, worker->emergency_stack());
  base::go_on_at(interrupted, reinterpret_cast<const void*>(&leave_faulted_fiber));
}

void install(int signal, void (*handler)(int, siginfo_t*, void*), int flags, struct sigaction* before) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, before);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && (action.sa_sigaction == on_fault || action.sa_sigaction == on_tick);
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// The program has a handler for the signal of ticks: it gets it back when no launch runs, and no tick then.
std::atomic<bool> program_uses_tick{false};

/// Handlers belong to the process, and programs and test frameworks set and reset them as they go. So ours are there
/// only while some launch runs, and between launches of a series.
class Handlers {
 public:
  static Handlers& of_process() {
    static Handlers instance;
    return instance;
  }

  void begin_launch() {
    const base::Lock lock(mutex_);
    ++launches_;
    if (!are_installed_) install_all();
  }

  void end_launch(bool another_follows) {
    const base::Lock lock(mutex_);
    if (--launches_ == 0 && !another_follows) restore_all();
  }

  void give_back() {
    if (!are_installed_.load(std::memory_order_relaxed)) return;
    const base::Lock lock(mutex_);
    if (launches_ == 0 && are_installed_) restore_all();
  }

 private:
  void install_all() WARPFIBER_REQUIRES(mutex_) {
    struct sigaction of_tick {};
    install(kTick, on_tick, SA_RESTART, &of_tick);
    if (!is_ours(of_tick)) previous[kTick] = of_tick;
    program_uses_tick.store(has_handler(previous[kTick]));
    for (const int signal : kFaults) {
      struct sigaction before {};
      install(signal, on_fault, SA_ONSTACK | SA_NODEFER, &before);
      if (!is_ours(before)) previous[signal] = before;
    }
    are_installed_ = true;
  }

  void restore_all() WARPFIBER_REQUIRES(mutex_) {
    for (const int signal : kFaults) sigaction(signal, &previous[signal], nullptr);
    if (program_uses_tick.load()) sigaction(kTick, &previous[kTick], nullptr);
    are_installed_ = false;
  }

  base::Mutex mutex_;
  unsigned launches_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::atomic<bool> are_installed_{false};  // written under the mutex
};

void change_mask(int how) {
  sigset_t tick;
  sigemptyset(&tick);
  sigaddset(&tick, kTick);
  pthread_sigmask(how, &tick, nullptr);
}

}  // namespace

std::uint64_t state_of(const TickSample& sample, const char* stack_high) {
  const auto& interrupted = *static_cast<const ucontext_t*>(sample.context);
  std::uint64_t hash = 1;
  for (const std::span<const char> part : {base::general_state(interrupted), base::vector_state(interrupted)})
    hash = hash_bytes(part.data(), part.data() + part.size(), hash);
  const char* low = base::stack_of(interrupted) - kRedZone;
  return low < stack_high ? hash_bytes(low, stack_high, hash) : hash;
}

// Faults are not blocked in their handler, so the mask need not be kept.
bool read_guarded(void (*read)(void* data), void* data) {
  sigjmp_buf here;
  if (sigsetjmp(here, 0) != 0) {
    behind_read = nullptr;
    return false;
  }
  behind_read = &here;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  read(data);
  behind_read = nullptr;
  return true;
}

/// The tick that runs, and another that is let in when it switches to another fiber and finds that busy.
std::size_t stack_for_ticks() {
  constexpr std::size_t kCalls = 8 * 1024;
  constexpr std::size_t kSanitizedCalls = 32 * 1024;
  static const std::size_t bytes = 2 * signal_frame() + (fiber::is_sanitized() ? kSanitizedCalls : kCalls);
  return bytes;
}

void allow_ticks() {
  change_mask(SIG_UNBLOCK);
}

void forbid_ticks() {
  change_mask(SIG_BLOCK);
}

void tick_faster() {
  this_os_thread().set_ticks(kFastTickNanoseconds);
}

FaultHandlers::FaultHandlers() {
  memory::begin_device_use();
  Handlers::of_process().begin_launch();
  memory::begin_kernel_of_tables();
}

FaultHandlers::~FaultHandlers() {
  memory::end_kernel_of_tables();
  Handlers::of_process().end_launch(this_os_thread().in_series);
  memory::end_device_use();
}

void prepare_os_thread() {
  this_os_thread().prepare();
}

void release_os_thread() {
  this_os_thread().pause(program_uses_tick.load(std::memory_order_relaxed));
}

LaunchSeries::LaunchSeries() {
  this_os_thread().in_series = true;
}

LaunchSeries::~LaunchSeries() {
  OsThread& os_thread = this_os_thread();
  os_thread.in_series = false;
  os_thread.release();
  give_back_handlers();
}

void release_for_sleep() {
  this_os_thread().release();
}

void give_back_handlers() {
  Handlers::of_process().give_back();
}

void leave_to_host(void (*work)(void*), void* data) {
  OsThread& os_thread = this_os_thread();
  os_thread.holds_signals = false;
  go_on_as_host(os_thread.own_mask, os_thread.own_stack, work, data);
}

}  // namespace warpfiber::engine
