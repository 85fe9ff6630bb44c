// SPDX-License-Identifier: Apache-2.0
// Calls on barriers in memory, cuda::barrier and mbarrier, as the source spells them. Guesses from names: a function
// with "wait" or "arrive" in its name does that, a method on its object and any other function on its first argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {

struct BarrierCall {
  std::string barrier{};   // "full" of full[stage].arrive()
  std::string object{};    // "full[stage]"
  std::string function{};  // "arrive_and_wait"
  unsigned line = 0;
  bool is_method = false;

  bool waits() const { return function.find("wait") != std::string::npos; }
  bool arrives() const { return function.find("arrive") != std::string::npos; }
  bool drops() const { return function.find("drop") != std::string::npos; }
  /// Names the phase by its parity.
  bool names_parity() const { return function.find("parity") != std::string::npos || (waits() && !is_method); }
  /// "full[stage].arrive()", "mbarrier_wait(full)".
  std::string text() const;
};

/// All of a statement, in the order of the text.
std::vector<BarrierCall> barrier_calls_in(const Statement& of);

/// What a barrier was made for: "init ( & bar , blockDim . x / 2 )".
struct MadeFor {
  std::string count{};
  unsigned line = 0;
};

/// The line of the last call of a function of this name; 0: there is none.
unsigned line_of_call(const Statement& of, std::string_view function);

/// The line of the last arrive_and_drop() in front of the call, of a thread that goes on to it; 0: there is none.
unsigned drop_before(const Statement& all, const BarrierCall& wait);

std::optional<MadeFor> made_for(const Statement& of, const std::string& barrier);

}  // namespace warpfiber::report
