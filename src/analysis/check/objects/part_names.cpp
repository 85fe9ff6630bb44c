// SPDX-License-Identifier: Apache-2.0
// Without debug information the text of a type still says the dimensions of arrays.
#include "check/objects/part_names.hpp"

#include <string>

#include "record/type_layout.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::check {
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
