// SPDX-License-Identifier: Apache-2.0
//
// Attributes through libdw.
#include "symbols/entries.hpp"

#include <dwarf.h>

namespace warpfiber::symbols {

std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
  return name == nullptr ? std::string() : std::string(name);
}

std::optional<std::uint64_t> number_at(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, name, &attribute), &value) != 0) return std::nullopt;
  return value;
}

std::optional<Dwarf_Die> type_named_by(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type) == nullptr) return std::nullopt;
  return type;
}

std::uint64_t elements_of(Dwarf_Die& range) {
  if (const auto count = number_at(range, DW_AT_count)) return *count;
  const auto last = number_at(range, DW_AT_upper_bound);
  return last.has_value() ? *last + 1 : 0;
}

Dwarf_Die declared(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  const bool has_origin = dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &origin) != nullptr;
  return has_origin ? origin : die;
}

}  // namespace warpfiber::symbols
