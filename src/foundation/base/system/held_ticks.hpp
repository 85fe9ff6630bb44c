// SPDX-License-Identifier: Apache-2.0
// Around a call of a function in which debuggers stop. gdb steps over its breakpoint when the program goes on; a signal
// that comes first leads back to the breakpoint, and it stops there again. The engine's ticks come often enough for
// that to go on for ever.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

namespace warpfiber::base {

/// While it lives, signals that others send wait, on this OS thread.
class HeldTicks {
 public:
  HeldTicks() {
    sigset_t sent;
    ::sigfillset(&sent);
    for (const int own : {SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigdelset(&sent, own);
    ::pthread_sigmask(SIG_BLOCK, &sent, &before_);
  }
  ~HeldTicks() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldTicks(const HeldTicks&) = delete;
  HeldTicks& operator=(const HeldTicks&) = delete;

 private:
  sigset_t before_;
};

}  // namespace warpfiber::base
