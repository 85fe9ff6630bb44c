// SPDX-License-Identifier: Apache-2.0
//
// Where the functions and variables of a preprocessed CUDA program may be used: on the host, on the device or on both.
// CUDA calls this the execution space of a function and the memory space of a variable. Read from the declarations
// alone, without types. Positions are those of the user's files. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "translate/text/declarations.hpp"
#include "translate/text/lines.hpp"
#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// Where a function may run. A kernel runs on the device and only a launch calls it.
enum class ExecutionSpace : std::uint8_t { host, device, both, kernel };

/// "__host__", "__host__ __device__" and so on.
std::string_view name_of(ExecutionSpace space);

/// Whether code of that space may be compiled for the device alone.
constexpr bool is_only_device(ExecutionSpace space) {
  return space == ExecutionSpace::device || space == ExecutionSpace::kernel;
}

struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;  // 0: not known

  bool operator==(const SourcePlace&) const = default;
};

/// A function, or the body of a lambda.
struct SpacedFunction {
  std::string name;  // with namespaces and classes, without template arguments: "ns::S::get"; empty: a lambda
  ExecutionSpace space = ExecutionSpace::host;
  std::size_t parameters = 0;
  bool is_constexpr = false;
  bool is_template = false;        // itself, or a class around it
  bool is_defaulted = false;       // = default or = delete
  bool is_special_member = false;  // constructor, destructor or conversion
  bool is_member = false;
  SourcePlace name_at;
  SourcePlace end;           // of the body; of the declaration where it has none
  TokenRange tokens;         // from the name past the body
  std::size_t body = kNone;  // its brace
  bool contains(const SourcePlace& place) const;
};

struct SpacedVariable {
  std::string name;  // with namespaces and classes
  bool on_device = false;
  bool is_constant_memory = false;  // __constant__
  SourcePlace at;
};

/// The place of a launch, from the kernel's name to the end of its arguments.
struct LaunchPlace {
  SourcePlace begin;
  SourcePlace end;
  std::size_t open = kNone;    // the token of <<<
  std::size_t callee = kNone;  // of the kernel's name, its last part; kNone: what is launched is no name
};

/// The user's part of a program.
struct Spaces {
  std::vector<SpacedFunction> functions;
  std::vector<SpacedFunction> lambdas;
  std::vector<SpacedVariable> variables;
  std::vector<LaunchPlace> launches;
  std::vector<std::string> classes_with_operators;  // that have constructors, destructors or operators of the host only

  /// The innermost function or lambda in whose body or parameters `place` is; null where there is none, or where the
  /// column would have to be known.
  const SpacedFunction* at(const SourcePlace& place) const;
};

/// Whether a file, as a line marker names it, is no file of the user's: a header of the system or of the folders.
bool is_foreign(const Position& position, const std::vector<std::string>& folders);

/// Reads what is in files of the user's; `folders` are those of our headers.
Spaces read_spaces(const Tokens& tokens, const Outline& everything, const std::vector<std::string>& folders);

}  // namespace warpfiber::translate
