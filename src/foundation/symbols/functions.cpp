// SPDX-License-Identifier: Apache-2.0
//
// Functions through libdw.
#include "symbols/functions.hpp"

#include <dwarf.h>

#include "symbols/variables.hpp"

namespace warpfiber::symbols {
namespace {

bool is_function_at(Dwarf_Die& die, Dwarf_Addr address) {
  const int tag = dwarf_tag(&die);
  return (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&die, address) > 0;
}

}  // namespace

// libdw's own dwarf_getscopes follows only parents that contain the address themselves.
bool collect_functions(Dwarf_Die& parent, Dwarf_Addr address, std::vector<Dwarf_Die>& functions) {
  Dwarf_Die child;
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    const bool inside = is_function_at(child, address);
    const bool found = (inside || may_hold_functions(child)) && collect_functions(child, address, functions);
    if (inside) functions.push_back(child);
    if (inside || found) return true;
  }
  return false;
}

// clang writes no address table, so every unit may have to be asked, and where other compilers' units have one, a
// neighbour is found in it.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
  if (unit != nullptr && dwarf_haspc(unit, address - bias) > 0) return unit;
  unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
    if (dwarf_haspc(unit, address - bias) > 0) return unit;
  return nullptr;
}

std::vector<Dwarf_Die> functions_at(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_at(module, address, bias);
  std::vector<Dwarf_Die> functions;
  if (unit != nullptr) collect_functions(*unit, address - bias, functions);
  return functions;
}

}  // namespace warpfiber::symbols
