// SPDX-License-Identifier: Apache-2.0
//
// Types through libdw. Classes are read with all that they contain, pointers without what they point to.
#include "symbols/type_reader.hpp"

#include <dwarf.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "symbols/entries.hpp"

namespace warpfiber::symbols {
namespace {

using record::LayoutForm;
using record::MemberLayout;
using record::NumberForm;
using record::TypeLayout;

constexpr std::uint64_t kByteBits = 8;

bool has_flag(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  bool set = false;
  return dwarf_formflag(dwarf_attr_integrate(&die, name, &attribute), &set) == 0 && set;
}

bool is_other_name(int tag) {
  switch (tag) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: return true;
    default: return false;
  }
}

/// The type itself, without qualifiers and other names.
std::optional<Dwarf_Die> plain(Dwarf_Die type) {
  while (is_other_name(dwarf_tag(&type))) {
    const std::optional<Dwarf_Die> next = type_named_by(type);
    if (!next.has_value()) return std::nullopt;
    type = *next;
  }
  return type;
}

NumberForm number_of(std::uint64_t encoding) {
  switch (encoding) {
    case DW_ATE_float: return NumberForm::floating_point;
    case DW_ATE_signed:
    case DW_ATE_signed_char: return NumberForm::signed_integer;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean: return NumberForm::unsigned_integer;
    default: return NumberForm::none;
  }
}

bool is_class(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// A member may be private by its own word or by that of its class.
bool is_public(Dwarf_Die& member) {
  const auto access = number_at(member, DW_AT_accessibility);
  return !access.has_value() || *access == DW_ACCESS_public;
}

/// What a user of a class of a library does not write.
bool is_internal(Dwarf_Die& member, const std::string& name) {
  return !name.empty() && (name.starts_with('_') || name.ends_with('_') || !is_public(member));
}

}  // namespace

void TypeReader::forget() {
  known_.clear();
  targets_.clear();
}

const TypeLayout* TypeReader::type_of(Dwarf_Die& die) {
  const std::optional<Dwarf_Die> type = type_named_by(die);
  return type.has_value() ? read(*type) : nullptr;
}

const TypeLayout* TypeReader::pointee(const TypeLayout& pointer) {
  const auto target = targets_.find(&pointer);
  return target == targets_.end() ? nullptr : type_of(target->second);
}

const TypeLayout* TypeReader::read(Dwarf_Die named) {
  std::optional<Dwarf_Die> type = plain(named);
  if (!type.has_value()) return nullptr;
  const auto [known, fresh] = known_.try_emplace(type->addr, nullptr);
  if (!fresh) return known->second;
  TypeLayout& made = layouts_.emplace_back();
  known->second = &made;
  made.bytes = number_at(*type, DW_AT_byte_size).value_or(0);
  made.alignment = number_at(*type, DW_AT_alignment).value_or(1);
  const int tag = dwarf_tag(&*type);
  if (is_class(tag)) {
    read_record(*type, made);
  } else if (tag == DW_TAG_array_type) {
    read_array(*type, made);
  } else if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
    made.form = LayoutForm::pointer;
    made.is_reference = tag != DW_TAG_pointer_type;
    made.bytes = made.alignment = sizeof(void*);
    targets_.emplace(&made, *type);
  } else if (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type) {
    made.form = LayoutForm::number;
    made.alignment = made.bytes;
    made.encoding = tag == DW_TAG_enumeration_type ? NumberForm::signed_integer
                                                   : number_of(number_at(*type, DW_AT_encoding).value_or(0));
  }
  return &made;
}

/// One array for each dimension, the outermost is the type.
void TypeReader::read_array(Dwarf_Die& type, TypeLayout& made) {
  const TypeLayout* element = type_of(type);
  if (element == nullptr) return;
  std::vector<std::uint64_t> dimensions;
  Dwarf_Die child;
  for (int end = dwarf_child(&type, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_subrange_type) dimensions.push_back(elements_of(child));
  }
  while (!dimensions.empty()) {
    TypeLayout& array = dimensions.size() == 1 ? made : layouts_.emplace_back();
    array.form = LayoutForm::array;
    array.elements = dimensions.back();
    array.bytes = array.elements * element->bytes;
    array.element = element;
    array.alignment = element->alignment;
    element = &array;
    dimensions.pop_back();
  }
}

bool TypeReader::is_of_library(Dwarf_Die& type) {
  Dwarf_Die unit;
  Dwarf_Attribute attribute;
  const char* file = dwarf_decl_file(&type);
  if (file == nullptr || dwarf_diecu(&type, &unit, nullptr, nullptr) == nullptr) return false;
  const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  // clang++ names headers of the system by way of its own folder.
  return !user_code_.has(std::filesystem::path(file).lexically_normal(), folder == nullptr ? "" : folder);
}

void TypeReader::read_record(Dwarf_Die& type, TypeLayout& made) {
  made.form = LayoutForm::record;
  const bool of_library = is_of_library(type);
  std::vector<MemberLayout> hidden;
  Dwarf_Die child;
  for (int end = dwarf_child(&type, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    std::optional<MemberLayout> member = read_member(child);
    if (!member.has_value()) continue;
    made.alignment = std::max(made.alignment, member->type->alignment);
    const bool hide = of_library && is_internal(child, member->name);
    (hide ? hidden : made.members).push_back(std::move(*member));
  }
  // What has but one array inside is used as one, as std::array is.
  if (!made.members.empty() || hidden.size() != 1 || hidden.front().type->form != LayoutForm::array) return;
  hidden.front().name.clear();
  made.members = std::move(hidden);
}

std::optional<MemberLayout> TypeReader::read_member(Dwarf_Die& die) {
  const int tag = dwarf_tag(&die);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
  if (has_flag(die, DW_AT_declaration) || has_flag(die, DW_AT_artificial)) return std::nullopt;
  Dwarf_Attribute attribute;
  if (tag == DW_TAG_inheritance && dwarf_attr(&die, DW_AT_virtuality, &attribute) != nullptr) return std::nullopt;
  const TypeLayout* type = type_of(die);
  if (type == nullptr || type->bytes == 0) return std::nullopt;
  MemberLayout made{.name = name_of(die), .bytes = type->bytes, .type = type};
  made.offset = number_at(die, DW_AT_data_member_location).value_or(0);
  const auto bits = number_at(die, DW_AT_bit_size);
  if (!bits.has_value()) return made;
  const auto first = number_at(die, DW_AT_data_bit_offset);
  if (!first.has_value() || *bits == 0) return std::nullopt;
  made.is_bit_field = true;
  made.offset = *first / kByteBits;
  made.bytes = (*first + *bits - 1) / kByteBits - made.offset + 1;
  return made;
}

}  // namespace warpfiber::symbols
