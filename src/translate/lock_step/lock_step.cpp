// SPDX-License-Identifier: Apache-2.0
#include "translate/lock_step/lock_step.hpp"

namespace warpfiber::translate {

void rewrite_lock_step(Program& program) {
  const Tokens& tokens = program.tokens;
  if (tokens.rereads().empty()) return;
  const VolatileNames outer = outer_volatile_names(program);
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    const bool mentions = mentions_reread(tokens, function.begin, function.end);
    if (!mentions && outer.empty()) continue;
    const std::vector<VolatileAccess> accesses = volatile_accesses(program, function, outer);
    if (!accesses.empty()) add_steps(program, function, accesses);
    if (!accesses.empty() || mentions) add_polls(program, function, accesses);
  }
}

}  // namespace warpfiber::translate
