// SPDX-License-Identifier: Apache-2.0
// Variables with static storage that the debug information of modules describes, by address. A module is read once, at
// the first question about it. For one thread at a time, and used by the symboliser only.
#pragma once

#include <cstddef>
#include <map>

#include "symbols/libdw.hpp"

namespace warpfiber::symbols {

struct FoundVariable {
  Dwarf_Die die{};
  Dwarf_Addr base = 0;    // where it is in this process
  std::size_t bytes = 0;  // 0: not looked up yet, or not known
  bool in_function = false;
};

/// Whether functions and their variables may be described below an entry: in namespaces (clang), in classes, and in
/// functions whose code does not contain it (the bodies of lambdas).
bool may_hold_functions(Dwarf_Die& die);

class Variables {
 public:
  /// The variable that contains the address; null where there is none.
  const FoundVariable* around(Dwfl_Module* module, Dwarf_Addr address);
  /// Modules may have been unloaded.
  void forget() { modules_.clear(); }

 private:
  using ByAddress = std::map<Dwarf_Addr, FoundVariable>;

  static ByAddress read(Dwfl_Module* module);

  std::map<Dwfl_Module*, ByAddress> modules_;
};

}  // namespace warpfiber::symbols
