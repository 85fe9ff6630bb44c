// SPDX-License-Identifier: Apache-2.0
//
// What an object defines and what it needs. Read by libelf: nm loads the plugins of all compilers first, and a process
// of it takes longer than the linker's.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::nvcc {

struct ObjectSymbol {
  std::string name;
  bool is_defined = false;
  bool is_local = false;
};

/// The symbols of functions and variables in an object; empty if it cannot be read.
std::vector<ObjectSymbol> read_symbols(const std::string& object);

}  // namespace warpfiber::tools::nvcc
