// SPDX-License-Identifier: Apache-2.0
//
// Which functions and variables the code of a program refers to, and from which line: read from what a compiler writes
// with -S -O0 -g1, where every call of the program is still a call. Understands what g++ and clang++ write for x86-64
// and AArch64. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translate/rules/spaces.hpp"

namespace warpfiber::tools::nvcc {

struct SymbolReference {
  std::string symbol;  // as the linker knows it
  bool is_call = false;
  bool is_address = false;  // of a variable: it is taken, and nothing is read or written yet
  translate::SourcePlace from;
};

struct Assembly {
  std::vector<SymbolReference> references;                  // in the order of the text
  std::map<std::string, translate::SourcePlace> functions;  // that are defined here, and where each begins
};

Assembly read_assembly(std::string_view text);

}  // namespace warpfiber::tools::nvcc
