// SPDX-License-Identifier: Apache-2.0
//
// Collects the functions that touch volatile memory, and those that call them to a depth of four, then runs both
// passes over each function of the device.
#include "translate/lock_step/lock_step.hpp"

#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

bool may_touch(const TranslationUnit& program, const Function& function, const VolatileNames& outer) {
  if (mentions_reread(program.tokens, function.begin, function.end)) return true;
  return !outer.empty() && !volatile_accesses(program, function, outer).empty();
}

bool is_of_device(const Function& function) {
  return function.qualifiers.on_device() && !function.body.empty();
}

}  // namespace

VolatileFunctions::VolatileFunctions(const TranslationUnit& program, const VolatileNames& outer) {
  constexpr int kDeepest = 4;  // calls within calls
  const Tokens& tokens = program.tokens;
  const auto calls = [&](const Function& function) {
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      if (is_call(tokens, i)) return true;
    }
    return false;
  };
  for (int depth = 0; depth <= kDeepest; ++depth) {
    const std::size_t known = names_.size();
    for (const Function& function : program.outline.functions) {
      const bool has_name =
          is_of_device(function) && !function.qualifiers.has(Keyword::global) && !function.name.empty();
      if (!has_name || !tokens.is_identifier(function.name.end - 1)) continue;
      if (depth == 0 ? may_touch(program, function, outer) : calls(function))
        names_.insert(tokens.text(function.name.end - 1));
    }
    if (names_.size() == known) return;
  }
}

bool VolatileFunctions::is_call(const Tokens& tokens, std::size_t i) const {
  if (!tokens.is_identifier(i) || !(tokens.is(i + 1, '(') || tokens.is(i + 1, '<'))) return false;
  return !names_.empty() && names_.contains(tokens.text(i));
}

void rewrite_lock_step(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  if (tokens.rereads().empty() && !tokens.may_poll()) return;
  const VolatileNames outer = outer_volatile_names(program);
  const VolatileFunctions readers(program, outer);
  IdleCalls calls(program);
  for (const Function& function : program.outline.functions) {
    if (!is_of_device(function)) continue;
    const bool mentions = mentions_reread(tokens, function.begin, function.end);
    if (!mentions && outer.empty() && readers.empty() && !tokens.may_poll()) continue;
    const std::vector<VolatileAccess> accesses =
        mentions || !outer.empty() ? volatile_accesses(program, function, outer) : std::vector<VolatileAccess>{};
    if (!accesses.empty()) add_steps(program, function, accesses);
    add_polls(program, function, accesses, readers, calls);
  }
}

}  // namespace warpfiber::translate
