// SPDX-License-Identifier: Apache-2.0
// Attributes and functions through libdw, and texts of types, from the inside to the outside.
#include "symbols/entries.hpp"

#include <dwarf.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "record/type_layout.hpp"
#include "symbols/variables.hpp"

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

namespace {

struct FreeScopes {
  void operator()(Dwarf_Die* scopes) const { std::free(scopes); }
};

bool has_members(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// With the namespaces and classes around it, but not the functions.
std::string scoped_name(Dwarf_Die& type) {
  std::string name = record::usual_spelling(name_of(type));
  if (name.empty() || dwarf_tag(&type) == DW_TAG_base_type) return name;
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&type, &found);
  const std::unique_ptr<Dwarf_Die, FreeScopes> scopes(found);
  for (int i = 1; i < count; ++i) {
    Dwarf_Die& scope = scopes.get()[i];
    const std::string around = name_of(scope);
    const int tag = dwarf_tag(&scope);
    if (!around.empty() && (tag == DW_TAG_namespace || has_members(tag))) name = around + "::" + name;
  }
  return name;
}

std::string text_of_named(Dwarf_Die& die) {
  const std::optional<Dwarf_Die> named = type_named_by(die);
  return named.has_value() ? type_text(*named) : "void";
}

/// With the qualifier where g++ writes it.
std::string qualified(const std::string& type, const std::string& qualifier) {
  constexpr std::string_view kConst = "const ";
  if (type.empty()) return {};
  if (type.back() == '*') return type + " " + qualifier;
  if (type.back() == ']') return type;  // its elements have the qualifier as well
  return type.starts_with(kConst) ? "const " + qualifier + " " + type.substr(kConst.size()) : qualifier + " " + type;
}

std::string pointer_text(Dwarf_Die& pointer) {
  const std::string target = text_of_named(pointer);
  return target.empty() || target.back() == ']' ? std::string() : target + "*";
}

std::string array_text(Dwarf_Die& array) {
  const std::string element = text_of_named(array);
  if (element.empty()) return {};
  std::string dimensions;
  Dwarf_Die child;
  for (int end = dwarf_child(&array, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    const std::uint64_t count = elements_of(child);
    dimensions += "[" + (count == 0 ? std::string() : std::to_string(count)) + "]";
  }
  const std::size_t inner = element.find(" [");
  return inner == std::string::npos ? element + " " + dimensions
                                    : element.substr(0, inner + 1) + dimensions + element.substr(inner + 1);
}

}  // namespace

std::string type_text(Dwarf_Die type) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: return scoped_name(type);
    case DW_TAG_typedef:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: return text_of_named(type);
    case DW_TAG_const_type: return qualified(text_of_named(type), "const");
    case DW_TAG_volatile_type: return qualified(text_of_named(type), "volatile");
    case DW_TAG_pointer_type: return pointer_text(type);
    case DW_TAG_array_type: return array_text(type);
    default: return {};
  }
}

}  // namespace warpfiber::symbols
