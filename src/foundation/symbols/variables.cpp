// SPDX-License-Identifier: Apache-2.0
//
// Variables through libdw, which itself finds none by address.
#include "symbols/variables.hpp"

#include <dwarf.h>

#include <iterator>

namespace warpfiber::symbols {
namespace {

/// Where a variable of the program is, as its unit says; clang++ says it by a number of a table of addresses.
/// 0: the unit does not say.
Dwarf_Addr address_of(Dwarf_Die& variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr) return 0;
  if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) return 0;
  if (operations->atom == DW_OP_addr) return operations->number;
  Dwarf_Attribute by_number;
  Dwarf_Addr address = 0;
  const bool known = operations->atom == DW_OP_addrx &&
                     dwarf_getlocation_attr(&attribute, operations, &by_number) == 0 &&
                     dwarf_formaddr(&by_number, &address) == 0;
  return known ? address : 0;
}

std::size_t bytes_of(Dwarf_Die& variable) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  Dwarf_Word bytes = 0;
  if (dwarf_formref_die(dwarf_attr_integrate(&variable, DW_AT_type, &attribute), &type) == nullptr) return 0;
  return dwarf_aggregate_size(&type, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

/// Calls note(die, address, in_function) for each variable below `parent`.
template <class Note>
void each_variable(Dwarf_Die& parent, bool in_function, const Note& note) {
  Dwarf_Die child;
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) {
      if (const Dwarf_Addr address = address_of(child); address != 0) note(child, address, in_function);
    } else if (may_hold_functions(child)) {
      each_variable(child, in_function || tag == DW_TAG_subprogram, note);
    }
  }
}

}  // namespace

bool may_hold_functions(Dwarf_Die& die) {
  switch (dwarf_tag(&die)) {
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: return true;
    default: return false;
  }
}

Variables::ByAddress Variables::read(Dwfl_Module* module) {
  ByAddress found;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    each_variable(*unit, false, [&](const Dwarf_Die& die, Dwarf_Addr address, bool in_function) {
      found.try_emplace(address + bias, FoundVariable{die, address + bias, 0, in_function});
    });
  }
  return found;
}

const FoundVariable* Variables::around(Dwfl_Module* module, Dwarf_Addr address) {
  auto entry = modules_.find(module);
  if (entry == modules_.end()) entry = modules_.emplace(module, read(module)).first;
  ByAddress& all = entry->second;
  const auto after = all.upper_bound(address);
  if (after == all.begin()) return nullptr;
  FoundVariable& found = std::prev(after)->second;
  if (found.bytes == 0) found.bytes = bytes_of(found.die);
  return address - found.base < found.bytes ? &found : nullptr;
}

}  // namespace warpfiber::symbols
