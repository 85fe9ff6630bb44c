// SPDX-License-Identifier: Apache-2.0
// Sources: CUDA C++ Programming Guide, "Device Memory" and "Variable Memory Space Specifiers"; the host side of a
// __device__ variable is a variable of its own, which nvcc warns of (20091-D). rt_sigqueueinfo(2).
// The handler of SIGSEGV is installed before memory is first closed, where the program has none by then. One that the
// program installs later takes its place, as on a machine with a GPU. What may fault although the memory is in use is
// opened by the handler: calls of CUDA's open it only where they give work to a stream.
#include "runtime/checking/host_reach.hpp"

#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/forking.hpp"
#include "base/interrupted.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "check/calls/places.hpp"
#include "engine/findings/findings.hpp"
#include "engine/run.hpp"
#include "fiber/tools.hpp"
#include "launches/checking/conflicts.hpp"
#include "memory/device_space.hpp"
#include "memory/host/device_use.hpp"
#include "memory/objects.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/user_call.hpp"
#include "process/variables.hpp"
#include "record/diagnosis.hpp"
#include "record/stack_depot.hpp"
#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {
namespace {

using memory::AddressRange;
using memory::ObjectKind;

struct ReachingAccess {
  const char* at = nullptr;
  std::size_t bytes = 0;
  bool write = false;
  const void* returns_to = nullptr;
  const char* call = nullptr;  // of CUDA's, whose result it is; null: the program's own access
};

/// What the host reaches around the addresses that the calling OS thread has used last.
struct Reachable {
  static constexpr unsigned kMost = 4;

  std::uint64_t generation = ~std::uint64_t{0};
  unsigned next = 0;
  std::array<AddressRange, kMost> ranges{};

  /// The one that the access is in; null where none is known.
  const AddressRange* around(const ReachingAccess& access) const {
    if (generation != memory::objects_generation()) return nullptr;
    for (const AddressRange& one : ranges) {
      if (one.contains(access.at, access.bytes)) return &one;
    }
    return nullptr;
  }

  void add(std::uint64_t seen, const AddressRange& one) {
    if (generation != seen) *this = Reachable{.generation = seen};
    ranges[next++ % kMost] = one;
  }
};

constinit thread_local Reachable reachable;

/// What kind of access it is.
enum class Fault {
  none,
  device_memory,  // of cudaMalloc and its kin
  variable,       // of the device
  freed,
  beyond,  // the end of memory that the host does reach
};

bool is_host_side(ObjectKind kind) {
  return kind == ObjectKind::managed || kind == ObjectKind::pinned;
}

/// Whether an address that is in no object is so near to one that the access was meant for it. Farther away lies the
/// shared memory of blocks, or a page that nobody can touch.
bool is_near_object(const char* at) {
  constexpr std::size_t kNear = 512;
  const auto nearest = memory::nearest_object(at);
  if (!nearest.has_value() || nearest->kind == ObjectKind::shared || nearest->kind == ObjectKind::dynamic_shared)
    return false;
  const bool below = at < nearest->base;
  const auto distance = static_cast<std::size_t>(below ? nearest->base - at : at - (nearest->base + nearest->bytes));
  return distance < kNear;
}

/// Registered memory, which the program has allocated by itself.
bool is_own_memory(const AddressRange& object) {
  return *object.kind == ObjectKind::pinned && !memory::in_device_space(object.begin);
}

Fault fault_of_object(const AddressRange& object, const ReachingAccess& access) {
  if (object.freed) return Fault::freed;
  switch (*object.kind) {
    case ObjectKind::variable:
    case ObjectKind::constant: return Fault::variable;
    case ObjectKind::global:
    case ObjectKind::heap: return Fault::device_memory;
    case ObjectKind::managed:
    case ObjectKind::pinned:
      // What is registered may be a part of an array.
      return object.contains(access.at, access.bytes) || is_own_memory(object) ? Fault::none : Fault::beyond;
    case ObjectKind::shared:
    case ObjectKind::dynamic_shared: return Fault::none;
  }
  __builtin_unreachable();
}

/// `const` variables have one value on both sides, which nvcc takes over where the host reads them.
bool is_read_of_constant(const ReachingAccess& access) {
  if (access.write) return false;
  const auto instance = process::variable_around(access.at);
  const process::DeviceVariable* variable = instance.has_value() ? process::find_variable(instance->base) : nullptr;
  return variable != nullptr && variable->is_const;
}

Fault fault_of(const AddressRange& around, const ReachingAccess& access) {
  if (around.kind.has_value()) {
    const Fault found = fault_of_object(around, access);
    return found == Fault::variable && is_read_of_constant(access) ? Fault::none : found;
  }
  return memory::in_device_space(access.at) && is_near_object(access.at) ? Fault::beyond : Fault::none;
}

void diagnose_variable(record::Finding& made, const ReachingAccess& access) {
  const auto object = memory::object_at(access.at);
  const bool constant = object.has_value() && object->kind == ObjectKind::constant;
  made.verdict = record::Verdict::host_access;
  made.diagnosis = record::DeviceVariableOnHost{made.object->name, constant, access.write};
}

/// The verdict too.
void diagnose(record::Finding& made, Fault fault, const ReachingAccess& access) {
  using record::Mistake;
  switch (fault) {
    case Fault::none: return;
    case Fault::variable: return diagnose_variable(made, access);
    case Fault::device_memory:
      made.verdict = record::Verdict::host_access;
      made.diagnosis = access.call != nullptr ? Mistake::result_in_device_memory
                       : access.write         ? Mistake::host_writes_device_memory
                                              : Mistake::host_reads_device_memory;
      return;
    case Fault::freed:
      made.verdict = record::Verdict::use_after_free;
      made.diagnosis = Mistake::host_uses_freed;
      return;
    case Fault::beyond:
      made.verdict = record::Verdict::oob_global;
      made.diagnosis = Mistake::host_out_of_bounds;
      return;
  }
}

record::Finding finding_of(Fault fault, const ReachingAccess& access) {
  record::Finding made;
  made.object = launches::object_of(access.at, access.bytes);
  record::Party party;
  party.role = access.call != nullptr ? record::Role::call : access.write ? record::Role::write : record::Role::read;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  party.place.instruction = check::last_byte_of_call(access.returns_to);
  party.what = access.call != nullptr ? access.call : access.write ? "store" : "load";
  made.parties.push_back(party);
  diagnose(made, fault, access);
  const auto object = memory::object_at(access.at);
  if (fault == Fault::freed && object.has_value())
    made.object->freed.instruction = check::last_byte_of_call(object->freed_by);
  return made;
}

}  // namespace

struct ReportedReaches {
  base::Mutex mutex;
  std::set<std::pair<const void*, const char*>> all WARPFIBER_GUARDED_BY(mutex);
};

namespace {

/// Loops repeat an access; each instruction is reported once for each object.
bool is_new(const ReachingAccess& access, const AddressRange& around) {
  ReportedReaches& seen = RuntimeState::of_process().reported_reaches.get();
  const base::Lock lock(seen.mutex);
  return seen.all.emplace(access.returns_to, around.begin).second;
}

/// The signal of an access to `at`. Returns where a handler of the program's does.
void raise_access_fault(const char* at) {
  leave_fault_unexplained();
  siginfo_t info{};
  info.si_signo = SIGSEGV;
  info.si_code = SEGV_ACCERR;
  info.si_addr = const_cast<char*>(at);
  for (int times = 0; times < 2; ++times) {
    ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), static_cast<pid_t>(::syscall(SYS_gettid)), SIGSEGV, &info);
    // While kernels run, their handler has the signal first, and passes it on by making it fatal when it comes again.
    struct sigaction now {};
    if (::sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  }
}

/// Whether devices may use the memory at the same time.
bool judge(const ReachingAccess& access) {
  if (const AddressRange* known = reachable.around(access); known != nullptr) return known->kind.has_value();
  if (base::is_forked_child()) return false;
  std::optional<process::Look> look;
  if (access.call == nullptr && !look.emplace().is_allowed()) return false;
  const std::uint64_t generation = memory::objects_generation();
  const AddressRange around = memory::range_around(access.at);
  const Fault fault = fault_of(around, access);
  if (fault == Fault::none) {
    const bool holds_for_all =
        !around.kind.has_value() ? !memory::in_device_space(access.at) : is_host_side(*around.kind);
    if (holds_for_all) reachable.add(generation, around);
    return around.kind.has_value() && is_host_side(*around.kind);
  }
  if (is_new(access, around)) process::log_finding(finding_of(fault, access));
  look.reset();  // a handler may leave with longjmp()
  if (fault == Fault::device_memory) raise_access_fault(access.at);
  return false;
}

}  // namespace

bool judge_host_access(const void* address, std::size_t bytes, bool write, const void* returns_to) {
  return judge({static_cast<const char*>(address), bytes, write, returns_to});
}

void report_host_fault(const void* address, bool write, std::span<void* const> trail) {
  // The instruction itself is taken for a call of one byte, and so is what is not the user's left out.
  const auto after = [](const void* last) { return static_cast<const char*>(last) + 1; };
  const void* returns_to = after(trail.front());
  std::size_t users = 0;
  while (users < trail.size() && !engine::users_place_of(check::last_byte_of_call(returns_to)).known()) {
    if (++users < trail.size()) returns_to = trail[users];
  }
  if (users == trail.size()) returns_to = after(trail.front());
  const ReachingAccess access{static_cast<const char*>(address), 1, write, returns_to};
  const Fault fault = fault_of(memory::range_around(access.at), access);
  if (fault == Fault::none) return;
  record::Finding made = finding_of(fault, access);
  std::vector<std::uintptr_t> calls;
  for (std::size_t i = users + 1; i < trail.size(); ++i) calls.push_back(reinterpret_cast<std::uintptr_t>(trail[i]));
  made.parties.front().returns = record::StackDepot::of_process().add(calls);
  process::log_finding(std::move(made));
}

void judge_result(const void* address, std::size_t bytes) {
  const process::UserCall& call = process::user_call();
  if (address != nullptr && call.returns_to != nullptr)
    judge({static_cast<const char*>(address), bytes, true, call.returns_to, call.function});
}

namespace {

/// The stack of the thread is whole: the instruction was one of the program's.
void explain(const void* address, const ucontext_t& interrupted) {
  std::array<void*, 64> callers;
  const auto found = static_cast<std::size_t>(::backtrace(callers.data(), static_cast<int>(callers.size())));
  const std::span<void* const> all(callers.data(), found);
  // Before it are the calls of this handler.
  const auto faulted = std::ranges::find(all, base::instruction_of(interrupted));
  if (faulted != all.end())
    report_host_fault(address, base::writes(interrupted), all.subspan(static_cast<std::size_t>(faulted - all.begin())));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const bool is_used = memory::device_memory_is_used();
  if (is_used && memory::global_heap().is_closed(info->si_addr)) {
    memory::global_heap().open();
    errno = saved;
    return;
  }
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  if (!is_used && info->si_code > 0 && memory::in_device_space(info->si_addr) && !base::is_forked_child())
    explain(info->si_addr, interrupted);
  // The instruction runs again.
  ::signal(signal, SIG_DFL);
  errno = saved;
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_fault;
}

/// Whether faults are explained from now on.
bool install() {
  struct sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) != 0 || is_ours(now)) return true;
  if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return false;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  return ::sigaction(SIGSEGV, &action, nullptr) == 0;
}

}  // namespace

void close_device_memory() {
  if (!memory::global_heap().may_close()) return;
  if (fiber::is_sanitized() || fiber::is_observed() || process::host_is_checked() || base::is_forked_child()) return;
  static const bool is_installed = install();
  // The call itself is one.
  if (is_installed && memory::MemoryState::of_process().device_users.load() == 1) memory::global_heap().close();
}

void leave_fault_unexplained() {
  struct sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) == 0 && is_ours(now)) ::signal(SIGSEGV, SIG_DFL);
}

}  // namespace warpfiber::runtime
