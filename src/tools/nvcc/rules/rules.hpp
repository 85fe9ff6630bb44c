// SPDX-License-Identifier: Apache-2.0
//
// What nvcc refuses and a host compiler does not: host functions called on the device, device functions called on the
// host, kernels called without a launch, and variables of the other side. Judged from the functions of the program
// (translate/rules/spaces.hpp) and from the calls that the host compiler made of it (assembly.hpp). What is not certain
// is not said. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/nvcc/rules/assembly.hpp"
#include "translate/rules/spaces.hpp"

namespace warpfiber::tools::nvcc {

struct RuleViolation {
  translate::SourcePlace at;
  bool is_error = true;
  std::string text;              // in nvcc's words where nvcc has them
  translate::SourcePlace other;  // of the note; without a file: where `at` is
  std::string note;              // how to put it right; may be empty

  /// "a.cu:12:3: error: ..." and the note in a line of its own.
  std::string line() const;
};

/// A program whose calls are judged.
struct Judged {
  const translate::Tokens& tokens;
  const translate::Outline& everything;
  const translate::Spaces& spaces;
  const std::vector<std::string>& folders;  // of our headers
  bool relaxed_constexpr = false;           // --expt-relaxed-constexpr
  bool has_device_text = false;             // some of the text depends on __CUDA_ARCH__
  bool uses_cuda_std = false;               // names cuda::std
  unsigned architecture = 900;              // __CUDA_ARCH__
  bool relocatable = false;                 // -rdc=true
  bool warns_in_loops = false;              // the compiler sees the use of an unset variable in a loop
};

/// What is wrong with the program, in the order of its text.
std::vector<RuleViolation> judge(const Judged& program, const Assembly& assembly);

/// What needs no compiler: functions of CUDA that only the device has, called in functions of the host; launches of
/// what is no kernel, or in code of the device; functions that an architecture no longer has; arrays of dynamic shared
/// memory that are one; sums in a variable that was never set.
std::vector<RuleViolation> judge_words(const Judged& program);

}  // namespace warpfiber::tools::nvcc
