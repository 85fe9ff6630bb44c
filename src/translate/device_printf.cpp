// SPDX-License-Identifier: Apache-2.0
//
// printf in functions of the device. It prints as the host's does and returns the number of arguments behind the format
// (CUDA C++ Programming Guide, "Formatted Output").
#include <string>

#include "translate/passes.hpp"

namespace warpfiber::translate {

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
