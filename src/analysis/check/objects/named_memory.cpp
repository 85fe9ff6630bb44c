// SPDX-License-Identifier: Apache-2.0
// Each kind of memory is named in its own way.
#include "check/objects/named_memory.hpp"

#include <string>
#include <utility>

#include "check/calls/places.hpp"
#include "check/objects/argument_names.hpp"
#include "check/objects/dynamic_names.hpp"
#include "check/objects/objects.hpp"
#include "check/values/values.hpp"
#include "record/type_layout.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

record::Place place_of_declaration(const MemoryPlace& place) {
  if (place.line != 0) return {.file = place.file, .line = place.line};
  return {.instruction = last_byte_of_call(place.made_by)};
}

NamedMemory named_dynamic(const MemoryPlace& place, std::uint64_t size, const NamingContext& context) {
  DynamicPart found = dynamic_part({context.code, static_cast<std::int64_t>(place.offset), size});
  NamedMemory made;
  made.name = found.part.text.empty() ? place.name : found.part.text;
  made.object = found.object.empty() ? place.name : found.object;
  made.element = found.element;
  made.part = std::move(found.part);
  made.type = std::move(found.type);
  made.declared = std::move(found.declared);
  return made;
}

void call_by(AllocationPart part, NamedMemory& memory) {
  memory.name = part.part.text;
  memory.part = std::move(part.part);
  memory.object = std::move(part.pointer);
  memory.element = part.element;
}

record::ObjectFacts facts_of(const MemoryPlace& place, const NamedMemory& named, const void* address) {
  record::ObjectFacts facts;
  facts.address = reinterpret_cast<std::uintptr_t>(address);
  facts.name = named.name;
  facts.type = named.type;
  facts.space = space_text(place);
  facts.declared = named.declared;
  facts.is_allocated = named.is_allocated;
  return facts;
}

}  // namespace

NamedMemory named_memory(const MemoryPlace& place, const void* address, std::uint64_t size,
                         const NamingContext& context) {
  if (place.dynamic) return named_dynamic(place, size, context);
  NamedMemory made;
  made.type = place.type;
  made.declared = place_of_declaration(place);
  made.is_allocated = place.name.empty();
  if (!place.name.empty()) {
    made.part = part_of(place, size);
    made.name = place.name + made.part.text;
    made.object = place.name;
  } else if (place.space == Space::global) {
    call_by(argument_part(context.reach, place, address, size), made);
  }
  return made;
}

std::vector<NamedMemory> names_of_memory(const MemoryPlace& place, const void* address, std::uint64_t size,
                                         const NamingContext& context) {
  const NamedMemory named = named_memory(place, address, size, context);
  if (place.dynamic || !place.name.empty() || place.space != Space::global) return {named};
  std::vector<NamedMemory> all;
  for (AllocationPart& part : argument_parts(context.reach, place, address, size)) {
    all.push_back(named);
    call_by(std::move(part), all.back());
  }
  return all;
}

std::string function_at(std::uintptr_t code, unsigned depth) {
  const symbols::Frames functions = symbols::Symboliser::of_process().frames(code);
  return depth < functions.size() ? functions[depth].function : std::string();
}

namespace {

NamedMemory named_in(const record::StackFrame& frame, std::uint64_t size) {
  NamedMemory made;
  if (frame.code == 0) return made;
  for (const symbols::LocalVariable& variable :
       symbols::Symboliser::of_process().local_variables(frame.code, symbols::LocalScope::seen_there)) {
    if (variable.type == nullptr || !variable.frame_offset.has_value()) continue;
    const std::int64_t offset = frame.offset - *variable.frame_offset;
    if (offset < 0 || static_cast<std::uint64_t>(offset) >= variable.type->bytes) continue;
    made.part = record::part_at(*variable.type, offset, size);
    made.name = variable.name + made.part.text;
    made.object = variable.name;
    made.type = variable.type_text;
    made.declared = variable.place;
    made.function = function_at(frame.code, variable.depth);
    break;
  }
  return made;
}

}  // namespace

NamedMemory named_local(const std::vector<record::StackFrame>& frames, std::uint64_t size) {
  for (const record::StackFrame& frame : frames) {
    if (NamedMemory made = named_in(frame, size); !made.name.empty()) return made;
  }
  return {};
}

record::ObjectFacts facts_of_word(const void* address, const NamingContext& context) {
  const MemoryPlace place = describe(address, nullptr, false);
  if (place.offset >= place.extent) return {.address = reinterpret_cast<std::uintptr_t>(address)};
  // The size of the access is unknown; use that of the declared type.
  const NamedMemory named = named_memory(place, address, 1, context);
  record::ObjectFacts facts = facts_of(place, named, address);
  const bool is_named = place.dynamic ? !named.part.text.empty() : !facts.name.empty();
  if (!is_named) facts.bytes = record::Bytes{place.offset, 0, place.extent};
  if (named.part.number != nullptr) {
    const char* begin = static_cast<const char*>(address) - named.part.offset;
    facts.value = value_text(begin, *named.part.number, bytes_around(address));
  }
  return facts;
}

record::ObjectFacts facts_near(const void* address, const void* base, const NamingContext& context) {
  MemoryPlace place = describe(base, nullptr, false);
  place.offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - static_cast<const char*>(base));
  record::ObjectFacts facts = facts_of(place, named_memory(place, address, 1, context), address);
  facts.bytes = record::Bytes{place.offset, 0, place.extent};
  return facts;
}

const char* space_text(const MemoryPlace& place) {
  if (place.constant) return "constant";
  switch (place.space) {
    case Space::global: return "global";
    case Space::local: return "local";
    case Space::host: return "host";
    case Space::shared:
    case Space::peer_shared: return "shared";
    case Space::none: return "";
  }
  __builtin_unreachable();
}

// Without debug information the text of a type still says the dimensions of arrays.

namespace {

/// A type as the object's declaration names it.
struct NamedType {
  const std::string& text;
  const void* pointer;
};

/// Where bytes are in an object.
struct PlaceInObject {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t extent = 0;
};

record::PartName part_of(const NamedType& type, const PlaceInObject& place) {
  const record::TypeLayout* layout = layout_of(type.pointer);
  if (layout == nullptr) return {.text = record::element_at(place.offset, place.extent, type.text)};
  return record::part_at(*layout, static_cast<std::int64_t>(place.offset), place.size);
}

}  // namespace

const record::TypeLayout* layout_of(const void* type_pointer) {
  if (type_pointer == nullptr) return nullptr;
  symbols::Symboliser& symboliser = symbols::Symboliser::of_process();
  const record::TypeLayout* pointer = symboliser.type_of_variable(type_pointer);
  return pointer == nullptr ? nullptr : symboliser.pointee(*pointer);
}

record::PartName part_of(const MemoryPlace& place, std::uint64_t size) {
  return part_of({place.type, place.type_pointer}, {place.offset, size, place.extent});
}

record::PartName part_of(const memory::Object& object, const void* address, std::uint64_t size) {
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - object.base);
  return part_of({object.type, object.type_pointer}, {offset, size, object.bytes});
}

}  // namespace warpfiber::check
