// SPDX-License-Identifier: Apache-2.0
// Debug information names the parameters and their types; where each lies follows as for members of a structure.
#include "check/objects/argument_names.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

using record::LayoutForm;
using record::PartName;
using record::TypeLayout;
using symbols::FunctionParameter;

/// Of an array of pointers no more are looked at.
constexpr std::uint64_t kMostElements = 64;

/// A pointer among the arguments, and what it leads to.
struct ArgumentPointer {
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

void collect(const Reach& reach, const ArgumentPart& part, std::vector<ArgumentPointer>& found) {
  if (part.type == nullptr || part.name.empty()) return;
  switch (part.type->form) {
    case LayoutForm::pointer:
      if (part.offset % alignof(void*) == 0) found.push_back({part.name, reach.pointer_at(part.offset), part.type});
      break;
    case LayoutForm::record:
      for (const record::MemberLayout& member : part.type->members) {
        const std::string name = member.name.empty() ? "" : "." + member.name;
        if (!member.is_bit_field) collect(reach, {part.name + name, part.offset + member.offset, member.type}, found);
      }
      break;
    case LayoutForm::array:
      for (std::uint64_t i = 0; i < std::min(part.type->elements, kMostElements); ++i) {
        const std::string name = part.name + "[" + std::to_string(i) + "]";
        collect(reach, {name, part.offset + i * part.type->element->bytes, part.type->element}, found);
      }
      break;
    case LayoutForm::opaque:
    case LayoutForm::number: break;
  }
}

std::vector<ArgumentPointer> pointers_of(const Reach& reach) {
  std::vector<ArgumentPointer> found;
  for (const ArgumentPart& parameter : parameters_of(reach)) collect(reach, parameter, found);
  return found;
}

AllocationPart part_behind(const ArgumentPointer& pointer, const char* base, const char* address, std::uint64_t size) {
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

}  // namespace

/// A launch of a function by its address keeps that in front of the arguments.
std::vector<ArgumentPart> parameters_of(const Reach& reach) {
  const std::vector<FunctionParameter> parameters = symbols::Symboliser::of_process().parameters_of(reach.kernel());
  const bool by_address = reach.pointer_at(0) == reach.kernel();
  return placed(parameters, by_address ? sizeof(void*) : 0, reach.bytes());
}

AllocationPart argument_part(const Reach& reach, const MemoryPlace& place, const void* address, std::uint64_t size) {
  if (reach.kernel() == nullptr || place.extent == 0) return {};
  const char* at = static_cast<const char*>(address);
  const char* base = at - static_cast<std::int64_t>(place.offset);
  std::vector<ArgumentPointer> leading = pointers_of(reach);
  std::erase_if(leading, [&](const ArgumentPointer& pointer) {
    return pointer.value < base || pointer.value >= base + place.extent;
  });
  if (leading.empty()) return {};
  std::ranges::stable_sort(leading, {}, &ArgumentPointer::value);
  const auto after = std::ranges::upper_bound(leading, at, {}, &ArgumentPointer::value);
  const char* nearest = after == leading.begin() ? after->value : std::prev(after)->value;
  AllocationPart named;
  for (const ArgumentPointer& pointer : leading) {
    if (pointer.value == nearest) named = joined(std::move(named), part_behind(pointer, base, at, size));
  }
  return named;
}

}  // namespace warpfiber::check
