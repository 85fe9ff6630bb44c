// SPDX-License-Identifier: Apache-2.0
//
// What functions of the program do, as far as a loop that waits has to know that calls them: whether they change
// anything but their own variables and those that their caller gives them, and what has a part in what they return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {

/// A call of such a function. Parameters are bits.
struct IdleCall {
  bool is_idle = false;
  bool reads = false;         // memory that may have changed
  bool asks_others = false;   // threads meet there
  bool has_clock = false;     // what it returns comes of the clock
  bool moves_object = false;  // it changes members of the object that it is called for
  bool object_matters = false;
  std::uint64_t moved = 0;    // variables of the caller that it changes
  std::uint64_t matters = 0;  // of which what it returns, or says to others, may come

  void add(const IdleCall& other);
};

/// Of one program. What is found of a function is kept.
class IdleCalls {
 public:
  explicit IdleCalls(const TranslationUnit& program) : p_(program) {}

  /// A call of a function of the name at `i`, whichever it is of several.
  IdleCall of_function(std::size_t i) { return of(functions_of(i), false); }
  /// The same of a member of the class whose name stands at `type`.
  IdleCall of_member(std::size_t i, std::size_t type);
  /// Whether a function of the name at `i`, or a member, changes something, as far as is known.
  bool may_change(std::size_t i);
  /// The names of types that are barriers in memory.
  const std::unordered_set<std::string_view>& barriers();
  /// Whether a class of the program has a variable of a plain type of this name: that of `member`.
  bool is_member_variable(const Function& member, std::string_view name) const;

 private:
  static constexpr unsigned kDeepest = 4;  // calls within calls

  const std::vector<const Function*>& functions_of(std::size_t i);
  IdleCall of(std::span<const Function* const> functions, bool is_member);
  IdleCall read(const Function& function);

  const TranslationUnit& p_;
  std::unordered_map<std::string_view, std::vector<const Function*>> by_name_;
  std::unordered_map<const Function*, IdleCall> known_;
  std::unordered_set<std::string_view> barriers_;
  unsigned depth_ = 0;
};

}  // namespace warpfiber::translate
