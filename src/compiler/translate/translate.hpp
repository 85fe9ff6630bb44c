// SPDX-License-Identifier: Apache-2.0
//
// CUDA C++ to C++: preprocessed text in, preprocessed text out, as the first half of nvcc does it. Pure functions; they
// read no file and know no simulator but by the names they write (include/warpfiber/translated/kernels.hpp).
// Invariants: text without CUDA's words, and of today's C++, comes out byte for byte; every token of the user keeps its
// file and line; what cannot be translated is a diagnostic at the user's line and its text stays as it was. May be
// called from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// An error in the user's program, in nvcc's words where nvcc has them.
struct Diagnostic {
  std::string file;  // as the line markers name it; empty before the first one
  unsigned line = 0;
  unsigned column = 0;  // of the preprocessed line, from 1
  std::string message;
};

/// "a.cu:12:3: error: a __global__ function must have a void return type".
std::string to_text(const Diagnostic& diagnostic, std::string_view severity = "error");

/// How nvcc was asked to compile.
struct TranslateOptions {
  /// -rdc=true: variables of the device are visible to other translation units, as functions are. Without it each
  /// translation unit has its own, even where two give theirs one name.
  bool relocatable_device_code = false;
  /// The program is in the C++ of before 2020.
  bool older_language = false;
  /// The program is checked: red zones lie behind variables of the device, and kernels report where threads return.
  bool checked = false;
  /// Bodies of kernels are functions with the kernels' names, for a debugger.
  bool named_bodies = false;
  /// Kernels are inline functions. clang++ then names what is local to their bodies as every other compilation does.
  bool inline_kernels = false;
  /// Statements of functions of the device report that a thread executes them.
  bool statements = false;
  /// The attribute that makes the compiler lay variables out in the order of the program.
  std::string_view in_order = "__attribute__((used))";
  /// The attribute of functions that no kernel can call, in headers that are for the host alone (host_headers.cpp);
  /// empty: none has one.
  std::string_view of_host = {};
  /// --expt-relaxed-constexpr: kernels can call functions of the host that are constexpr.
  bool relaxed_constexpr = false;
  /// The compiler knows #pragma unroll; for another it goes, which would warn of it.
  bool unrolls = true;
  /// The result is only to be compiled for what the compiler says of it: whatever is C++ but for CUDA's qualifiers
  /// stays as it is written, so that messages name what the user has named.
  bool as_written = false;
};

/// Lines of the user's that are known by a name.
struct NamedLines {
  std::string name;  // without template arguments
  std::string file;
  unsigned first_line = 0;
  unsigned last_line = 0;
};

struct Translation {
  std::string text;  // of use only without diagnostics
  std::vector<Diagnostic> diagnostics;
  std::vector<NamedLines> kernels{};    // whose bodies have become lambdas
  std::vector<NamedLines> variables{};  // with CUDA's qualifiers, where the text is as it was written
  std::vector<Diagnostic> warnings{};   // of what does not do what the program says
};

/// The text that is translated: `host`, with functions of the device as `device` has them where it is not empty.
std::string joined(std::string_view host, std::string_view device, const TranslateOptions& options = {});

/// That text with its tokens, for all that reads it.
class JoinedProgram {
 public:
  JoinedProgram(std::string_view host, std::string_view device, const TranslateOptions& options);
  JoinedProgram(const JoinedProgram&) = delete;
  JoinedProgram& operator=(const JoinedProgram&) = delete;

  const Tokens& tokens() const { return tokens_; }
  /// It has 4 GiB or more, and no tokens.
  bool is_too_large() const { return is_too_large_; }

 private:
  bool is_too_large_;
  std::string text_;
  Tokens tokens_;
};

/// Translates a program. `host` is what the preprocessor makes of it without __CUDA_ARCH__, line markers kept; `device`
/// the same with it, or empty where the program does not ask. Both have the qualifiers as the tokens that
/// include/cuda/crt/host_defines.h makes of them (__warpfiber_global__ and so on).
Translation translate(std::string_view host, std::string_view device, const TranslateOptions& options = {});
Translation translate(const JoinedProgram& program, const TranslateOptions& options);

}  // namespace warpfiber::translate
