// SPDX-License-Identifier: Apache-2.0
// A kernel on its way: what all passes over it share.
#include "regions/kernel.hpp"

#include "regions/uniformity.hpp"

namespace warpfiber::regions {

Kernel::Kernel(llvm::Function& of, llvm::FunctionAnalysisManager& its_analyses)
    : function(of), analyses(its_analyses), context(of.getContext()), module(*of.getParent()) {}

Kernel::~Kernel() = default;

bool Kernel::refuse(const llvm::Twine& why) {
  if (refusal.empty()) refusal = why.str();
  return false;
}

}  // namespace warpfiber::regions
