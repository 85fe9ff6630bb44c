// SPDX-License-Identifier: Apache-2.0
// What translated source calls before each statement of device code where it is built with -fstatements, so that
// executed lines can be counted and stepped through. src/compiler/translate/statement_reports.cpp puts the calls in;
// nothing here is meant to be written by hand.
#pragma once

#include <warpfiber/detail/config.hpp>

namespace warpfiber::detail {

enum class ControlFlow : unsigned {
  statement,       // of a line
  loop_pass,       // a pass of a loop begins; loops of a function are numbered
  loop_end,        // a thread is behind the loop
  function_begin,  // of a function that another one of the device calls
  function_end,
};

/// The calling thread comes to that place next (src/execution/engine). Nothing where the host has called the function.
/// Returns a number for the call that follows.
[[gnu::pure]] unsigned control_flow(unsigned before, ControlFlow what, unsigned number, const char* file);

}  // namespace warpfiber::detail

namespace warpfiber::cuda {

/// The reports of one call of a function. A compiler sees that each takes what the one before has returned, so it keeps
/// all of them in their order; and that none changes memory, so what it has loaded before a statement it does not load
/// again behind it, as nvcc does not: accesses are counted as in a program without reports.
class Reports {
 public:
  /// `is_call`: not of a kernel.
  WARPFIBER_INLINED explicit Reports(bool is_call) : is_call_(is_call) {
    if (is_call) report(warpfiber::detail::ControlFlow::function_begin);
  }
  WARPFIBER_INLINED ~Reports() {
    if (is_call_) report(warpfiber::detail::ControlFlow::function_end);
    [[maybe_unused]] const volatile unsigned last = last_;  // volatile: compilers keep a store that is never read
  }
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  /// The calling thread executes a statement of `line` next, in the caller's file: the call may stand on the line
  /// before.
  WARPFIBER_INLINED void statement(unsigned line, const char* file = __builtin_FILE()) {
    report(warpfiber::detail::ControlFlow::statement, line, file);
  }
  /// The calling thread begins a pass of a loop of its function.
  WARPFIBER_INLINED void loop_pass(unsigned loop) { report(warpfiber::detail::ControlFlow::loop_pass, loop); }
  /// The calling thread is behind a loop of its function.
  WARPFIBER_INLINED void loop_end(unsigned loop) { report(warpfiber::detail::ControlFlow::loop_end, loop); }

 private:
  WARPFIBER_INLINED void report(warpfiber::detail::ControlFlow what, unsigned number = 0, const char* file = nullptr) {
    last_ = warpfiber::detail::control_flow(last_, what, number, file);
  }

  const bool is_call_;
  unsigned last_ = 0;
};

}  // namespace warpfiber::cuda
