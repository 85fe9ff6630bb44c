// SPDX-License-Identifier: Apache-2.0
//
// The PTX instructions that are translated, by their opcodes and modifiers (PTX ISA 9.0, "Instructions").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::translate::ptx {

enum class InstructionShape {
  nothing,
  value,
  action,
  move,
  load,
  store,
  atomic,
  reduction,
  compare,
  shuffle,
  copy,
  barrier,
  branch
};

/// What an opcode means: which function of ::warpfiber::ptx and how its operands are passed.
struct Form {
  InstructionShape shape = InstructionShape::nothing;
  std::string function;            // `mul_wide`
  std::vector<std::string> types;  // its template arguments; the last one is that of the sources
  /// A letter a source: T the last type, D the first, W twice as wide, u u32, a u64, p a predicate; [m] an mbarrier,
  /// [S] bytes in shared memory, [G] bytes anywhere; - an operand that changes nothing. Those behind a ? may be left
  /// out.
  std::string sources;
  std::string space;         // `shared`, or empty: any address
  std::string order;         // of an atomic that is not relaxed
  std::string combine;       // `&&`, `||`, `^` of setp
  std::size_t elements = 1;  // of .v2 and .v4
};

/// Whether a list of words, with a blank on both sides of each, has this one.
bool has_word(std::string_view list, std::string_view word);

/// The form of an opcode, split at its dots; nothing where it is not known.
std::optional<Form> find_form(const std::vector<std::string>& opcode);

/// The known opcodes with every type and up to two of the modifiers that name functions; for tests.
std::vector<std::vector<std::string>> all_opcodes();

/// Whether `name` is a fundamental type of PTX that has a C++ type of its name in ::warpfiber::ptx.
bool is_type(std::string_view name);

/// The bits of a type.
unsigned bits_of(std::string_view type);

/// The function that reads a special register: `laneid` for `%laneid`, `tid_x` for `%tid.x`; empty for others.
std::string special_register(std::string_view name);

}  // namespace warpfiber::translate::ptx
