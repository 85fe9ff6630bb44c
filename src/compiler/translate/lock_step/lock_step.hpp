// SPDX-License-Identifier: Apache-2.0
//
// What a function of the device that touches volatile memory gets: steps of its warp and polls of its waits. Both look
// at the same accesses, which are found once.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "translate/lock_step/accesses.hpp"
#include "translate/lock_step/idle_calls.hpp"
#include "translate/passes.hpp"

namespace warpfiber::translate {

/// Lanes that exchange values do so step by step.
void add_steps(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses);

/// Functions of the device that touch volatile memory, and those that call them, by name: an overload that does not, or
/// a function of another class, counts as well.
class VolatileFunctions {
 public:
  explicit VolatileFunctions(const TranslationUnit& program, const VolatileNames& outer);
  bool empty() const { return names_.empty(); }
  /// Whether the name of one stands at `i`.
  bool is_call(const Tokens& tokens, std::size_t i) const;

 private:
  std::unordered_set<std::string_view> names_;
};

/// Each pass of a loop that waits is a poll, and of one that looks and works as well a look.
void add_polls(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses,
               const VolatileFunctions& readers, IdleCalls& calls);

}  // namespace warpfiber::translate
