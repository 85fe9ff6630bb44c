// SPDX-License-Identifier: Apache-2.0
//
// printf in functions of the device. It prints as the host's does and returns the number of arguments behind the format
// (CUDA C++ Programming Guide, "Formatted Output").
#include <string>

#include "translate/passes.hpp"
#include "translate/walk.hpp"

namespace warpfiber::translate {

bool is_on_device(const Program& program, std::size_t i) {
  const Tokens& tokens = program.tokens;
  for (const Function& function : program.outline.functions) {
    if (function.qualifiers.on_device() && !function.body.empty() && function.body.begin < i && i < function.body.end) {
      return true;
    }
  }
  for (const std::size_t word : tokens.words()) {
    if (word > i) return false;
    const Range body = device_lambda(tokens, word).body;
    if (!body.empty() && body.begin < i && i < body.end) return true;
  }
  return false;
}

void rewrite_device_printf(Program& program) {
  const Tokens& tokens = program.tokens;
  for (const std::size_t i : tokens.words()) {
    if (tokens[i].word != Word::print || !tokens.is(i + 1, '(') || !is_on_device(program, i)) continue;
    std::size_t begin = i;
    if (i > 0 && (tokens.is(i - 1, '.') || tokens.is(i - 1, "->"))) continue;
    if (i > 0 && tokens.is(i - 1, "::")) {
      const bool is_std = i > 1 && tokens.is(i - 2, "std");
      if (!is_std && i > 1 && tokens.is_identifier(i - 2)) continue;
      begin = is_std ? i - 2 : i - 1;
    }
    const std::size_t from = program.begin_of(begin);
    const std::size_t to = program.begin_of(i);
    const std::string name = "::warpfiber::cuda::device_functions::";
    if (from == to) {
      program.edits.insert(to, name);
    } else {
      program.edits.replace(from, to, name + line_breaks(tokens, from, to));
    }
  }
}

}  // namespace warpfiber::translate
