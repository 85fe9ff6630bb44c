// SPDX-License-Identifier: Apache-2.0
//
// Local variables through libdw. What a compiler has optimised away is still declared.
#include "symbols/local_reader.hpp"

#include <dwarf.h>

#include <optional>
#include <utility>

#include "symbols/entries.hpp"
#include "symbols/functions.hpp"
#include "symbols/type_text.hpp"
#include "symbols/variables.hpp"

namespace warpfiber::symbols {
namespace {

bool is_reference(Dwarf_Die& type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

record::Place place_of_declaration(Dwarf_Die& die) {
  Dwarf_Die declaration = declared(die);
  const char* file = dwarf_decl_file(&declaration);
  int line = 0;
  if (file == nullptr || dwarf_decl_line(&declaration, &line) != 0) return {};
  return {.file = file, .line = static_cast<unsigned>(line)};
}

}  // namespace

std::vector<LocalVariable> LocalReader::read(Dwfl_Module* module, Dwarf_Addr address, LocalScope scope) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_at(module, address, bias);
  if (unit == nullptr) return {};
  std::vector<Dwarf_Die> functions;
  collect_functions(*unit, address - bias, functions);
  if (scope == LocalScope::of_unit) {
    add_all(*unit);
  } else if (scope == LocalScope::of_function) {
    if (!functions.empty()) add_all(functions.back());
  } else {
    for (unsigned depth = 0; depth < functions.size(); ++depth) add_seen(functions[depth], address - bias, depth);
  }
  return std::move(found_);
}

/// Those of inner blocks come first.
void LocalReader::add_seen(Dwarf_Die& parent, Dwarf_Addr address, unsigned depth) {
  Dwarf_Die child;
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_lexical_block && dwarf_haspc(&child, address) > 0) add_seen(child, address, depth);
  }
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_variable) add(child, depth);
  }
}

void LocalReader::add_all(Dwarf_Die& parent) {
  Dwarf_Die child;
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) {
      add(child, 0);
    } else if (tag == DW_TAG_inlined_subroutine || may_hold_functions(child)) {
      add_all(child);
    }
  }
}

void LocalReader::add(Dwarf_Die& die, unsigned depth) {
  std::optional<Dwarf_Die> type = type_named_by(die);
  Dwarf_Die named_by = type.has_value() && is_reference(*type) ? *type : die;
  type = type_named_by(named_by);
  if (!type.has_value()) return;
  LocalVariable made{.alias = dwarf_tag(&*type) == DW_TAG_typedef ? name_of(*type) : "", .depth = depth};
  if (!made.alias.ends_with(alias_ending_)) return;
  made.name = name_of(die);
  made.type = types_.type_of(named_by);
  made.type_text = type_text(*type);
  made.place = place_of_declaration(die);
  found_.push_back(std::move(made));
}

}  // namespace warpfiber::symbols
