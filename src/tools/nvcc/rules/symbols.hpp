// SPDX-License-Identifier: Apache-2.0
//
// Which function or variable of the user's program a symbol of the linker is. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tools/nvcc/rules/rules.hpp"

namespace warpfiber::tools::nvcc {

/// "get" of "ns::S::get".
std::string_view last_part(std::string_view path);

/// A symbol as C++ writes it.
struct SymbolName {
  explicit SymbolName(const std::string& symbol);

  std::string path;       // "ns::S::get": without return type, parameters and template arguments
  std::string signature;  // "ns::S::get(int) const"; of a function in C only its name
  std::size_t parameters = 0;
  bool is_lambda = false;
  bool is_std = false;
  bool is_mangled = false;
};

/// What is known of a function that is called.
struct Target {
  SymbolName name;
  translate::ExecutionSpace space = translate::ExecutionSpace::host;
  bool is_constexpr = false;
  bool is_users = false;              // or of the system's libraries or CUDA's
  translate::SourcePlace declared{};  // of the user's
};

/// Nothing where it is not certain what the symbol is, or where every side may call it.
std::optional<Target> find_target(const std::string& symbol, const Judged& program, const Assembly& assembly);

}  // namespace warpfiber::tools::nvcc
