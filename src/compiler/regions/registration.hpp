// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <vector>

namespace warpfiber::regions {

/// A kernel that has become a function of a block.
struct BlockFunction {
  llvm::Function* function = nullptr;
  llvm::Constant* name = nullptr;
  llvm::Constant* unit = nullptr;
  std::vector<llvm::Function*> parts;  // that it calls
  std::uint64_t stack_bytes = 0;
  bool needs_whole_rows = false;
};

/// Adds copies of the functions for newer machines, and code that makes all known to the library when the program
/// starts.
void register_functions(llvm::Module& module, const std::vector<BlockFunction>& functions);

}  // namespace warpfiber::regions
