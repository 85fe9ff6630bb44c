// SPDX-License-Identifier: Apache-2.0
//
// Texts of types, from the inside to the outside.
#include "symbols/type_text.hpp"

#include <dwarf.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "record/type_spelling.hpp"
#include "symbols/entries.hpp"

namespace warpfiber::symbols {
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
