// SPDX-License-Identifier: Apache-2.0
// Launches in a row share what they need of the system, and the program finds its signals as it has set them.
#include <pthread.h>
#include <signal.h>

#include <optional>

#include "engine/run.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

void own_handler(int) {}

/// The handler for faults that the process has at the moment.
void (*handler_of_faults())(int) {
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  return now.sa_handler;
}

bool holds_signals() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGUSR1) == 1;
}

const void* alternate_stack() {
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  return stack.ss_sp;
}

/// The program has a handler of its own for faults.
class OwnHandler {
 public:
  OwnHandler() {
    struct sigaction action {};
    action.sa_handler = own_handler;
    sigaction(SIGSEGV, &action, &before_);
  }
  ~OwnHandler() { sigaction(SIGSEGV, &before_, nullptr); }
  OwnHandler(const OwnHandler&) = delete;
  OwnHandler& operator=(const OwnHandler&) = delete;

 private:
  struct sigaction before_ {};
};

void store_rank(int* out) {
  out[global_rank()] = static_cast<int>(global_rank());
}

bool runs(unsigned workers) {
  std::vector<int> out(256, -1);
  const LaunchResult result = launch({.grid = 4, .block = 64, .workers = workers}, store_rank, out.data());
  return result.ok() && out[255] == 255;
}

}  // namespace

TEST_CASE("a launch by itself leaves the program's signals as they were") {
  const OwnHandler own;
  const void* const stack = alternate_stack();
  for (const unsigned workers : {1U, 2U}) {
    CHECK(runs(workers));
    CHECK(handler_of_faults() == own_handler);
    CHECK_FALSE(holds_signals());
    CHECK(alternate_stack() == stack);
  }
}

TEST_CASE("launches of a series share handlers, held signals and the stack for faults") {
  const OwnHandler own;
  const void* const stack = alternate_stack();
  std::optional<engine::LaunchSeries> series(std::in_place);
  CHECK(handler_of_faults() == own_handler);
  for (int i = 0; i < 3; ++i) {
    CHECK(runs(1));
    CHECK(handler_of_faults() != own_handler);
    CHECK(holds_signals());
    CHECK(alternate_stack() != stack);
  }
  SECTION("until the series ends") {
    series.reset();
  }
  SECTION("until the thread sleeps and the program goes on") {
    engine::release_for_sleep();
    engine::give_back_handlers();
    CHECK(handler_of_faults() == own_handler);
    CHECK_FALSE(holds_signals());
    CHECK(runs(1));
    CHECK(handler_of_faults() != own_handler);
    CHECK(holds_signals());
    series.reset();
  }
  CHECK(handler_of_faults() == own_handler);
  CHECK_FALSE(holds_signals());
  CHECK(alternate_stack() == stack);
}

TEST_CASE("other workers take part in launches of a series, or come too late for them") {
  const engine::LaunchSeries series;
  for (int i = 0; i < 100; ++i) CHECK(runs(3));
}
