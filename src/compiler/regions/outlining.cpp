// SPDX-License-Identifier: Apache-2.0
// Compilers take time that grows with the square of a function's length. Of many regions each becomes a function of its
// own, which the function of the block calls.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

#include "regions/kernel.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// Calls cost little where threads have much to do, and a kernel with few barriers is compiled soon enough.
constexpr std::size_t kManyRegions = 32;

/// What compilers knew of the block's own arrays as long as they saw them.
void describe_arrays(Function& part, const DataLayout& layout) {
  auto* call = cast<CallBase>(part.user_back());
  for (unsigned i = 0; i < call->arg_size(); ++i) {
    auto* array = dyn_cast<AllocaInst>(call->getArgOperand(i));
    if (array == nullptr) continue;
    AttrBuilder known(part.getContext());
    known.addAttribute(Attribute::NoAlias);
    known.addAttribute(Attribute::NoCapture);
    known.addAlignmentAttr(array->getAlign());
    known.addDereferenceableAttr(layout.getTypeAllocSize(array->getAllocatedType()));
    part.getArg(i)->addAttrs(known);
  }
}

std::vector<std::vector<BasicBlock*>> loops_over_threads(const Kernel& kernel) {
  DominatorTree dominators(kernel.function);
  const LoopInfo loops(dominators);
  std::vector<std::vector<BasicBlock*>> found;
  for (const WeakVH& handle : kernel.loop_headers) {
    auto* header = cast_or_null<BasicBlock>(static_cast<Value*>(handle));
    const Loop* loop = header == nullptr ? nullptr : loops.getLoopFor(header);
    if (loop != nullptr && loop->getHeader() == header) found.push_back(loop->getBlocks().vec());
  }
  return found;
}

}  // namespace

void outline_regions(Kernel& kernel) {
  if (kernel.regions.size() <= kManyRegions) return;
  CodeExtractorAnalysisCache cache(kernel.function);
  for (const std::vector<BasicBlock*>& loop : loops_over_threads(kernel)) {
    CodeExtractor extractor(loop);
    Function* part = extractor.isEligible() ? extractor.extractCodeRegion(cache) : nullptr;
    if (part == nullptr) continue;
    part->setLinkage(GlobalValue::InternalLinkage);
    part->addFnAttr(Attribute::NoInline);
    describe_arrays(*part, kernel.module.getDataLayout());
    kernel.parts.push_back(part);
  }
}

}  // namespace warpfiber::regions
