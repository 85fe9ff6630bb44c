// SPDX-License-Identifier: Apache-2.0
// What is done to a module as a whole: before any pass what g++ makes of an operation and this compiler does not, and
// at the end leaving out what the object of the host compiler has, and making the functions of blocks known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>

namespace warpfiber::regions {

/// Before any pass has seen them.
void keep_operations(llvm::Module& module);
/// Once arguments are known: g++ needs no call for a few powers.
void finish_powers(llvm::Function& function);

/// Leaves of a module what `keep` need; everything else is in the object of the host compiler, to which what is kept
/// refers.
void keep_only(llvm::Module& module, const std::vector<llvm::Function*>& keep);

/// Symbols of the host compiler's object, local to it, that the module refers to. To be called after keep_only() and
/// once what is not used has gone.
std::vector<std::string> local_symbols_needed(const llvm::Module& module);

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
