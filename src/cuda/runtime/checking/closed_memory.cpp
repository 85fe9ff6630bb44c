// SPDX-License-Identifier: Apache-2.0
//
// The handler of SIGSEGV is installed before memory is first closed, where the program has none by then. One that the
// program installs later takes its place, as on a machine with a GPU. What may fault although the memory is in use is
// opened by the handler: calls of CUDA's open it only where they give work to a stream.
#include "runtime/checking/closed_memory.hpp"

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "base/forking.hpp"
#include "base/interrupted.hpp"
#include "engine/run.hpp"
#include "fiber/tools.hpp"
#include "memory/device_space.hpp"
#include "memory/host/device_use.hpp"
#include "process/findings/host_findings.hpp"
#include "runtime/checking/host_reach.hpp"

namespace warpfiber::runtime {
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
