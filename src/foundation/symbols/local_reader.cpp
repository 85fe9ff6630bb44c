// SPDX-License-Identifier: Apache-2.0
//
// Local variables through libdw. What a compiler has optimised away is still declared.
#include "symbols/local_reader.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "symbols/entries.hpp"
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

struct FreeFrame {
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

/// How far the stack pointer is below the frame's canonical address while the code at `address` runs.
std::optional<std::int64_t> depth_of_stack(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* table = dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* found = nullptr;
  if (table == nullptr || dwarf_cfi_addrframe(table, address - bias, &found) != 0) return std::nullopt;
  const std::unique_ptr<Dwarf_Frame, FreeFrame> frame(found);
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(frame.get(), &operations, &count) != 0 || count != 1) return std::nullopt;
  constexpr Dwarf_Word kStackPointer = 7;
  const bool is_by_stack = operations->atom == DW_OP_bregx && operations->number == kStackPointer;
  return is_by_stack ? std::optional(static_cast<std::int64_t>(operations->number2)) : std::nullopt;
}

/// What variables' offsets count from, of the frame's canonical address: that itself, the frame pointer or the stack
/// pointer.
std::optional<std::int64_t> frame_base_of(Dwarf_Die& function, Dwfl_Module* module, Dwarf_Addr address) {
  constexpr std::int64_t kAboveFramePointer = 2 * sizeof(void*);  // the caller's, and the return address
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) == nullptr) return std::nullopt;
  if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) return std::nullopt;
  if (operations->atom == DW_OP_call_frame_cfa) return 0;
  if (operations->atom == DW_OP_reg6) return -kAboveFramePointer;
  if (operations->atom != DW_OP_reg7) return std::nullopt;
  const std::optional<std::int64_t> depth = depth_of_stack(module, address);
  return depth.has_value() ? std::optional(-*depth) : std::nullopt;
}

/// Where in the frame a variable is while the code at `address` runs; nothing where it is in none.
std::optional<std::int64_t> offset_in_frame(Dwarf_Die& variable, Dwarf_Addr address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr) return std::nullopt;
  if (dwarf_getlocation_addr(&attribute, address, &operations, &count, 1) != 1 || count != 1) return std::nullopt;
  return operations->atom == DW_OP_fbreg ? std::optional(static_cast<std::int64_t>(operations->number)) : std::nullopt;
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
    SeenFrom from{.address = address - bias};
    if (!functions.empty()) from.frame_base = frame_base_of(functions.back(), module, address);
    for (; from.depth < functions.size(); ++from.depth) add_seen(functions[from.depth], from);
  }
  return std::move(found_);
}

/// Those of inner blocks come first.
void LocalReader::add_seen(Dwarf_Die& parent, const SeenFrom& from) {
  Dwarf_Die child;
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_lexical_block && dwarf_haspc(&child, from.address) > 0) add_seen(child, from);
  }
  for (int end = dwarf_child(&parent, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_variable) continue;
    const std::size_t before = found_.size();
    add(child, from.depth);
    std::optional<Dwarf_Die> type = type_named_by(child);
    const bool is_there = found_.size() > before && from.frame_base.has_value() && !is_reference(*type);
    const std::optional<std::int64_t> offset = is_there ? offset_in_frame(child, from.address) : std::nullopt;
    if (!offset.has_value()) continue;
    found_.back().frame_offset = *from.frame_base + *offset;
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
