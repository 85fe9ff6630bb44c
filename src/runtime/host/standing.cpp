// SPDX-License-Identifier: Apache-2.0
// The signal may come while the thread is inside malloc or holds a lock. Then nothing is told, and whoever has asked
// ends the process a little later.
#include "runtime/host/standing.hpp"

#include <execinfo.h>
#include <sys/types.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <string>

#include "engine/run.hpp"
#include "report/locate.hpp"
#include "report/symbolise.hpp"
#include "runtime/reporter.hpp"

namespace warpfiber::runtime {
namespace {

constexpr std::size_t kMostCallers = 64;
constexpr unsigned kMostTold = 8;

// Of the one thread that the signal has come to. Symbols take more stack than a thread of a kernel has.
std::array<void*, kMostCallers> callers;
int callers_found = 0;
const void* interrupted_at = nullptr;
ucontext_t elsewhere;
alignas(16) std::array<char, std::size_t{1} << 20> stack;

void tell() {
  report::Symboliser symboliser;
  std::string text;
  unsigned told = 0;
  bool at_main = false;
  for (int i = 0; i < callers_found && !at_main; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(callers[static_cast<std::size_t>(i)]);
    const bool is_return = callers[static_cast<std::size_t>(i)] != interrupted_at;
    for (const report::Frame& frame : symboliser.frames(address - (is_return ? 1 : 0))) {
      if (at_main || !frame.place.known() || !report::is_user_frame(frame) || told == kMostTold) continue;
      text += "  " + report::frame_text(frame) + "\n";
      ++told;
      at_main = frame.function == "main";  // what called it is the C library's
    }
  }
  const char* who = engine::inside_kernel() ? "a thread of a kernel" : "the program";
  if (told != 0) print_report(std::string("\nwarpfiber: when its time was over, ") + who + " was here:\n" + text);
  ::kill(getpid(), SIGKILL);
}

void on_asked(int, siginfo_t*, void* context) {
#ifdef __x86_64__
  interrupted_at = reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  static_cast<void>(context);
#endif
  callers_found = ::backtrace(callers.data(), static_cast<int>(callers.size()));
  ::getcontext(&elsewhere);
  elsewhere.uc_stack.ss_sp = stack.data();
  elsewhere.uc_stack.ss_size = stack.size();
  elsewhere.uc_link = nullptr;
  ::makecontext(&elsewhere, tell, 0);
  ::setcontext(&elsewhere);
}

}  // namespace

void tell_standing_when_asked() {
  // The first call loads a library.
  callers_found = ::backtrace(callers.data(), 1);
  struct sigaction action {};
  action.sa_sigaction = on_asked;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGXCPU, &action, nullptr);
}

}  // namespace warpfiber::runtime
