// SPDX-License-Identifier: Apache-2.0
// Types in debug information, read into layouts. For one thread at a time, and used by the symboliser only.
// Invariants: a layout that was given away stays for as long as the reader.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "record/type_layout.hpp"
#include "symbols/libdw.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::symbols {

class TypeReader {
 public:
  explicit TypeReader(UserCode& user_code) : user_code_(user_code) {}

  /// The layout of the type that `die`, a variable, a parameter or a member, names as its own; null where it names
  /// none.
  const record::TypeLayout* type_of(Dwarf_Die& die);
  /// What a pointer or reference points to; null where that is not known, as of void*, or no longer.
  const record::TypeLayout* pointee(const record::TypeLayout& pointer);
  /// Modules may have been unloaded: what was read of them is not looked up again.
  void forget();

 private:
  const record::TypeLayout* read(Dwarf_Die type);
  void read_array(Dwarf_Die& type, record::TypeLayout& made);
  void read_record(Dwarf_Die& type, record::TypeLayout& made);
  std::optional<record::MemberLayout> read_member(Dwarf_Die& die);
  bool is_of_library(Dwarf_Die& type);

  UserCode& user_code_;
  std::deque<record::TypeLayout> layouts_;
  std::map<const void*, const record::TypeLayout*> known_;  // by the type's place in debug information
  std::map<const record::TypeLayout*, Dwarf_Die> targets_;  // of pointers
};

}  // namespace warpfiber::symbols
