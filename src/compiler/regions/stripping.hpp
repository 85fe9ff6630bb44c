// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace warpfiber::regions {

/// Leaves of a module what `keep` need; everything else is in the object of the host compiler, to which what is kept
/// refers.
void keep_only(llvm::Module& module, const std::vector<llvm::Function*>& keep);

/// Symbols of the host compiler's object, local to it, that the module refers to. To be called after keep_only() and
/// once what is not used has gone.
std::vector<std::string> local_symbols_needed(const llvm::Module& module);

}  // namespace warpfiber::regions
