// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait and do nothing that could end the wait: they pause by fences or __nanosleep(), double a delay, count
// their tries, vote about what they read. What such a pass changes has no part in whether the loop ends, so who is in
// one is where it was, however its registers look.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "translate/passes.hpp"

namespace warpfiber::translate {

/// Whether `text` reads memory by a function that does so anew each time: an atomic, `load()`, `ld` in PTX.
bool reads_by_call(const Tokens& tokens, TokenRange text);

/// The variables that a function declares.
class LocalVariables {
 public:
  LocalVariables(const Tokens& tokens, const Function& function) : t_(tokens), f_(function) {}

  /// Whether all that the function declares under the name at `i` are plain variables of its own, and there is one.
  bool are_plain(std::size_t i);
  /// Whether the name at `i` is that of a tile or of the thread's block.
  bool is_group(std::size_t i) const;

 private:
  bool follows_declarator(std::size_t i) const;
  std::size_t first_of_statement(std::size_t i) const;
  bool is_plain_declaration(std::size_t i) const;

  const Tokens& t_;
  const Function& f_;
  std::unordered_map<std::string_view, bool> known_;
};

/// Whether the thread meets others in `text`, and votes or exchanges values there.
bool asks_others(const Tokens& tokens, const LocalVariables& locals, TokenRange text);

/// Whether a pass of a loop that does not end it changes nothing but `locals`, of which those that differ from pass to
/// pass take no part in `tests`. Atomics count as reads: where one changes memory the launch gets on. Where threads
/// meet, nothing that differs is said to others; the engine sees who they are. `tests`: all conditions by which the
/// loop ends; `rest`: what else it executes.
bool passes_are_idle(const Tokens& tokens, LocalVariables& locals, std::span<const TokenRange> tests,
                     std::span<const TokenRange> rest);

}  // namespace warpfiber::translate
