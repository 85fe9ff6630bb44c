// SPDX-License-Identifier: Apache-2.0
// What this compiler would make of an operation, and the other one does not, is done as g++ does it.
#pragma once

#include <llvm/IR/Module.h>

namespace warpfiber::regions {

/// Before any pass has seen them.
void keep_operations(llvm::Module& module);
/// Once arguments are known: g++ needs no call for a few powers.
void finish_powers(llvm::Function& function);

}  // namespace warpfiber::regions
