// SPDX-License-Identifier: Apache-2.0
// Entries of debug information: their attributes, also those that an entry has from the one it is an instance of, the
// functions at an address, and types as text. For one thread at a time, and used by readers of debug information only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbols/libdw.hpp"

namespace warpfiber::symbols {

/// Empty where it has none.
std::string name_of(Dwarf_Die& die);

/// The attribute `name`, where it is a number.
std::optional<std::uint64_t> number_at(Dwarf_Die& die, unsigned name);

/// The type that a variable, a member, a pointer or another name for a type names; nothing where it names none.
std::optional<Dwarf_Die> type_named_by(Dwarf_Die& die);

/// How many elements a dimension of an array has; 0: not known.
std::uint64_t elements_of(Dwarf_Die& range);

/// What an entry is an instance of, which has its declaration; itself where it is none.
Dwarf_Die declared(Dwarf_Die& die);

/// The unit that contains `address`; null where none does. `bias`: of its module.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);

/// Appends the functions below `parent` that contain `address`, innermost first; false if there are none.
bool collect_functions(Dwarf_Die& parent, Dwarf_Addr address, std::vector<Dwarf_Die>& functions);

/// The functions at an address, innermost first, as they are there; each but the last is inlined into the next.
std::vector<Dwarf_Die> functions_at(Dwfl_Module* module, Dwarf_Addr address);

/// "const app::Node* [4][8]", as g++ writes types, without other names for them; empty where a part has no name.
std::string type_text(Dwarf_Die type);

}  // namespace warpfiber::symbols
