// SPDX-License-Identifier: Apache-2.0
// Names of types as programs write them, and how objects of a type are made of members and elements, as debug
// information describes it, and the names of their parts. Pure data and pure functions; whoever makes a layout keeps it
// for as long as the process. Invariants: names are those of the source. What is not known is empty or 0, and names end
// there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfiber::record {

struct TypeLayout;

/// A part of a class: a member, a base class, or an unnamed structure or union inside it.
struct MemberLayout {
  std::string name{};  // empty: what it consists of has its names without one
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // that it touches
  const TypeLayout* type = nullptr;
  bool is_bit_field = false;
};

enum class LayoutForm : std::uint8_t { opaque, number, pointer, array, record };
enum class NumberForm : std::uint8_t { none, signed_integer, unsigned_integer, floating_point };

struct TypeLayout {
  LayoutForm form = LayoutForm::opaque;
  NumberForm encoding = NumberForm::none;
  bool is_reference = false;  // of a pointer: what it points to is named without an index
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
  std::uint64_t elements = 0;           // of an array; 0: not known
  const TypeLayout* element = nullptr;  // of an array
  std::vector<MemberLayout> members{};  // of a record
};

/// The part of an object that an access touches.
struct PartName {
  std::string text{};                  // "[3].children[2]"; of members that share the bytes "[3].i|f"; empty: the whole
  const TypeLayout* number = nullptr;  // or pointer, where it is one; else null
  std::uint64_t offset = 0;            // of the access, in that number
  bool is_all = false;                 // of the number
  bool is_padding = false;             // between members, so no value of the program's
};

/// The part of an object of type `type` where an access of `size` bytes begins, `offset` bytes from the beginning of
/// the object, which may be beyond either end of an array.
PartName part_at(const TypeLayout& type, std::int64_t offset, std::uint64_t size);

/// The same of elements that a pointer to `type` leads to.
PartName part_from(const TypeLayout& type, std::int64_t offset, std::uint64_t size);

/// "unsigned long [4]", "char* const" of what a compiler or debug information says: "long unsigned int[4]",
/// "char *const".
std::string usual_spelling(const std::string& type);

/// "[2][65]": which element of an array of this type, "int [4][128]", the byte at `offset` belongs to, also beyond its
/// bounds: "[4][1]", "[-1][127]". Empty for others.
std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type);

/// {4, 128} of "int [4][128]"; empty where the type is no array, or has a dimension that is not known.
std::vector<std::uint64_t> dimensions_of(const std::string& type);

}  // namespace warpfiber::record
