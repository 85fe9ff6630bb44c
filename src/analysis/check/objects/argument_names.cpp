// SPDX-License-Identifier: Apache-2.0
// Debug information names the parameters and their types; where each lies follows as for members of a structure.
#include "check/objects/argument_names.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/objects/named_memory.hpp"
#include "memory/objects.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

using record::LayoutForm;
using record::PartName;
using record::TypeLayout;
using symbols::FunctionParameter;

/// Of an array of pointers, or of objects with pointers, no more are looked at.
constexpr std::uint64_t kMostElements = 64;

/// A pointer that a kernel can name.
struct NamedPointer {
  std::string name{};
  const char* value = nullptr;
  const TypeLayout* type = nullptr;  // of the pointer
};

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Where parameters lie from `begin` on; nothing where they do not fill the bytes that the launch has.
std::vector<ArgumentPart> placed(const std::vector<FunctionParameter>& parameters, std::size_t begin,
                                 std::size_t bytes) {
  std::size_t alignment = begin == 0 ? 1 : alignof(void*);
  for (const FunctionParameter& parameter : parameters) {
    if (parameter.type == nullptr || parameter.type->bytes == 0) return {};
    alignment = std::max<std::size_t>(alignment, parameter.type->alignment);
  }
  std::vector<ArgumentPart> parts;
  std::size_t end = begin == 0 ? 0 : round_up(begin, alignment);
  for (const FunctionParameter& parameter : parameters) {
    const std::size_t offset = round_up(end, parameter.type->alignment);
    parts.push_back({parameter.name, offset, parameter.type});
    end = offset + parameter.type->bytes;
  }
  return round_up(end, alignment) == bytes ? parts : std::vector<ArgumentPart>{};
}

/// The pointer that lies at an offset in what holds it.
using PointerAt = std::function<const char*(std::size_t offset)>;

void collect(const PointerAt& read, const ArgumentPart& part, std::vector<NamedPointer>& found) {
  if (part.type == nullptr || part.name.empty()) return;
  switch (part.type->form) {
    case LayoutForm::pointer:
      if (part.offset % alignof(void*) == 0) found.push_back({part.name, read(part.offset), part.type});
      break;
    case LayoutForm::record:
      for (const record::MemberLayout& member : part.type->members) {
        const std::string name = member.name.empty() ? "" : "." + member.name;
        if (!member.is_bit_field) collect(read, {part.name + name, part.offset + member.offset, member.type}, found);
      }
      break;
    case LayoutForm::array:
      for (std::uint64_t i = 0; i < std::min(part.type->elements, kMostElements); ++i) {
        const std::string name = part.name + "[" + std::to_string(i) + "]";
        collect(read, {name, part.offset + i * part.type->element->bytes, part.type->element}, found);
      }
      break;
    case LayoutForm::opaque:
    case LayoutForm::number: break;
  }
}

std::vector<NamedPointer> pointers_among_arguments(const ReachableMemory& reach) {
  std::vector<NamedPointer> found;
  if (reach.kernel() == nullptr) return found;
  const auto read = [&reach](std::size_t offset) { return reach.pointer_at(offset); };
  for (const ArgumentPart& parameter : parameters_of(reach)) collect(read, parameter, found);
  return found;
}

PointerAt from_memory(const char* base) {
  return [base](std::size_t offset) {
    const char* pointer = nullptr;
    std::memcpy(&pointer, base + offset, sizeof pointer);
    return pointer;
  };
}

std::vector<NamedPointer> pointers_in_variables() {
  using memory::ObjectKind;
  std::vector<NamedPointer> found;
  for (const ObjectKind kind : {ObjectKind::variable, ObjectKind::constant, ObjectKind::managed}) {
    for (const memory::Object& variable : memory::live_objects(kind)) {
      const TypeLayout* type = variable.name.empty() ? nullptr : layout_of(variable.type_pointer);
      if (type != nullptr && type->bytes <= variable.bytes)
        collect(from_memory(variable.base), {variable.name, 0, type}, found);
    }
  }
  return found;
}

/// Pointers in what `pointer` leads to: "matrix->rows" of one structure, "lists[2].head" of several.
void add_behind(const NamedPointer& pointer, std::vector<NamedPointer>& found) {
  const TypeLayout* target = symbols::Symboliser::of_process().pointee(*pointer.type);
  if (target == nullptr || target->bytes == 0 || target->form == LayoutForm::number) return;
  const std::optional<memory::Object> object = memory::object_at(pointer.value);
  if (!object.has_value() || object->freed) return;
  const auto room = static_cast<std::uint64_t>(object->base + object->bytes - pointer.value);
  const std::uint64_t count = std::min(room / target->bytes, pointer.type->is_reference ? 1 : kMostElements);
  const bool is_one = count == 1 && target->form == LayoutForm::record && !pointer.type->is_reference;
  const std::size_t first = found.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string index = pointer.type->is_reference ? "" : "[" + std::to_string(i) + "]";
    collect(from_memory(pointer.value + i * target->bytes), {pointer.name + index, 0, target}, found);
  }
  for (std::size_t i = first; is_one && i < found.size(); ++i) {
    constexpr std::string_view kFirst = "[0].";
    found[i].name.replace(pointer.name.size(), kFirst.size(), "->");
  }
}

std::vector<NamedPointer> pointers_behind(const std::vector<NamedPointer>& pointers) {
  std::vector<NamedPointer> found;
  for (const NamedPointer& pointer : pointers) add_behind(pointer, found);
  return found;
}

AllocationPart part_behind(const NamedPointer& pointer, const char* base, const char* address, std::uint64_t size) {
  const TypeLayout* target = symbols::Symboliser::of_process().pointee(*pointer.type);
  if (target == nullptr) return {};
  const std::int64_t offset = address - pointer.value;
  PartName part =
      pointer.type->is_reference ? record::part_at(*target, offset, size) : record::part_from(*target, offset, size);
  if (part.text.empty() && !pointer.type->is_reference) return {};
  part.text.insert(0, pointer.name);
  return {std::move(part), pointer.value == base ? pointer.name : "", target->bytes};
}

/// Of pointers to one place both are names of it.
AllocationPart joined(AllocationPart one, const AllocationPart& other) {
  if (one.part.text.empty() || one.part.text == other.part.text) return other;
  if (other.part.text.empty()) return one;
  one.part.text += "|" + other.part.text;
  if (!one.pointer.empty()) one.pointer += "|" + other.pointer;
  if (one.element != other.element) one.element = 0;
  return one;
}

/// Bytes of an allocation.
struct AllocationBytes {
  const char* base = nullptr;  // of the allocation
  std::uint64_t extent = 0;
  const char* at = nullptr;
  std::uint64_t size = 0;
};

/// Those that point into the allocation, by what they point to.
void keep_leading(std::vector<NamedPointer>& pointers, const AllocationBytes& wanted) {
  std::erase_if(pointers, [&wanted](const NamedPointer& pointer) {
    return pointer.value < wanted.base || pointer.value >= wanted.base + wanted.extent;
  });
  std::ranges::stable_sort(pointers, {}, &NamedPointer::value);
}

/// By all pointers to one place.
AllocationPart part_from_place(const std::vector<NamedPointer>& leading, const char* place,
                               const AllocationBytes& wanted) {
  AllocationPart named;
  for (const NamedPointer& pointer : leading) {
    if (pointer.value == place)
      named = joined(std::move(named), part_behind(pointer, wanted.base, wanted.at, wanted.size));
  }
  return named;
}

/// By the last pointer before the bytes.
AllocationPart part_by(std::vector<NamedPointer> leading, const AllocationBytes& wanted) {
  keep_leading(leading, wanted);
  if (leading.empty()) return {};
  const auto after = std::ranges::upper_bound(leading, wanted.at, {}, &NamedPointer::value);
  return part_from_place(leading, after == leading.begin() ? after->value : std::prev(after)->value, wanted);
}

AllocationBytes bytes_of(const MemoryPlace& place, const void* address, std::uint64_t size) {
  const char* at = static_cast<const char*>(address);
  return {at - static_cast<std::int64_t>(place.offset), place.extent, at, size};
}

std::vector<NamedPointer> all_pointers(const ReachableMemory& reach) {
  std::vector<NamedPointer> all = pointers_among_arguments(reach);
  std::ranges::move(pointers_in_variables(), std::back_inserter(all));
  std::ranges::move(pointers_behind(all), std::back_inserter(all));
  return all;
}

}  // namespace

/// A launch of a function by its address keeps that in front of the arguments.
std::vector<ArgumentPart> parameters_of(const ReachableMemory& reach) {
  const std::vector<FunctionParameter> parameters = symbols::Symboliser::of_process().parameters_of(reach.kernel());
  const bool by_address = reach.pointer_at(0) == reach.kernel();
  return placed(parameters, by_address ? sizeof(void*) : 0, reach.bytes());
}

std::vector<const char*> named_pointers(const ReachableMemory& reach) {
  std::vector<const char*> values;
  for (const NamedPointer& pointer : all_pointers(reach)) values.push_back(pointer.value);
  return values;
}

AllocationPart argument_part(const ReachableMemory& reach, const MemoryPlace& place, const void* address,
                             std::uint64_t size) {
  if (place.extent == 0) return {};
  const AllocationBytes wanted = bytes_of(place, address, size);
  const std::vector<NamedPointer> arguments = pointers_among_arguments(reach);
  AllocationPart named = part_by(arguments, wanted);
  if (named.part.text.empty()) named = part_by(pointers_behind(arguments), wanted);
  if (!named.part.text.empty()) return named;
  const std::vector<NamedPointer> variables = pointers_in_variables();
  named = part_by(variables, wanted);
  return named.part.text.empty() ? part_by(pointers_behind(variables), wanted) : named;
}

std::vector<AllocationPart> argument_parts(const ReachableMemory& reach, const MemoryPlace& place, const void* address,
                                           std::uint64_t size) {
  std::vector<AllocationPart> parts;
  if (place.extent == 0) return parts;
  const AllocationBytes wanted = bytes_of(place, address, size);
  std::vector<NamedPointer> leading = all_pointers(reach);
  keep_leading(leading, wanted);
  const char* last = nullptr;
  for (const NamedPointer& pointer : leading) {
    if (pointer.value == last) continue;
    last = pointer.value;
    AllocationPart part = part_from_place(leading, last, wanted);
    if (!part.part.text.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace warpfiber::check
