// SPDX-License-Identifier: Apache-2.0
// Functions in debug information, by address. For one thread at a time, and used by the symboliser only.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <vector>

namespace warpfiber::symbols {

/// The unit that contains `address`; null where none does. `bias`: of its module.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);

/// Appends the functions below `parent` that contain `address`, innermost first; false if there are none.
bool collect_functions(Dwarf_Die& parent, Dwarf_Addr address, std::vector<Dwarf_Die>& functions);

/// The functions at an address, innermost first, as they are there; each but the last is inlined into the next.
std::vector<Dwarf_Die> functions_at(Dwfl_Module* module, Dwarf_Addr address);

}  // namespace warpfiber::symbols
