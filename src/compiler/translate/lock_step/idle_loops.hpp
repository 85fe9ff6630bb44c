// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait and do nothing that could end the wait: they pause by fences or __nanosleep(), double a delay, count
// their tries, vote about what they read, meet at barriers. What such a pass changes has no part in whether the loop
// ends, so who is in one is where it was, however its registers look.
#pragma once

#include <cstddef>
#include <vector>

#include "translate/lock_step/idle_text.hpp"

namespace warpfiber::translate {

/// Whether `text` reads memory by a function that does so anew each time: an atomic, `load()`, `ld` in PTX.
bool reads_by_call(const Tokens& tokens, TokenRange text);

/// A loop as its parts.
struct LoopParts {
  TokenRange condition;  // empty: for ever
  TokenRange step;       // of a `for`
  TokenRange body;       // the statement
};

/// What is found of it.
struct IdleLoop {
  bool is_idle = false;
  bool reads = false;      // by functions
  bool asks_more = false;  // it meets others, or calls functions of the program
  std::vector<IdleExit> exits{};
  std::vector<std::size_t> continues{};
  std::vector<TokenRange> lambdas{};  // the bodies of those that it calls
};

/// Whether a pass of the loop that does not end it changes nothing but variables of the function, of which those that
/// differ from pass to pass take no part in where the loop is left. Atomics count as reads: where one changes memory
/// the launch gets on. Where threads meet, nothing that differs is said to others; the engine sees who they are.
IdleLoop read_idle_loop(const TranslationUnit& program, LocalVariables& locals, IdleCalls& calls,
                        const LoopParts& loop);

}  // namespace warpfiber::translate
