// SPDX-License-Identifier: Apache-2.0
// The stack that a function of a block takes apart from its arrays.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "regions/kernel.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr std::uint64_t kLeastBytes = 16 << 10;
constexpr std::uint64_t kMostBytes = 1 << 20;

/// Each value, kept as a vector.
std::uint64_t most_bytes(const Function& function) {
  constexpr std::uint64_t kVectorBytes = 64;
  return function.getInstructionCount() * kVectorBytes;
}

/// The stack pointer, which is the end of the frame all the time.
Value* end_of_frame(IRBuilder<>& build, Module& module) {
  LLVMContext& context = module.getContext();
  Type* number = build.getInt64Ty();
  FunctionCallee read = module.getOrInsertFunction("llvm.read_register.i64", number, Type::getMetadataTy(context));
  Metadata* name = MDNode::get(context, {MDString::get(context, "rsp")});
  return build.CreateCall(read, {MetadataAsValue::get(context, name)});
}

}  // namespace

void ask_for_stack(Kernel& kernel) {
  std::uint64_t of_parts = 0;  // one of which runs at a time
  for (const Function* part : kernel.parts) of_parts = std::max(of_parts, most_bytes(*part));
  const std::uint64_t bytes = most_bytes(kernel.function) + of_parts;
  kernel.stack_bytes += std::clamp(bytes, kLeastBytes, kMostBytes);
  if (bytes <= kLeastBytes) return;
  BasicBlock* first = kernel.entry;
  SmallVector<AllocaInst*, 32> variables;
  for (Instruction& at : *first) {
    if (auto* variable = dyn_cast<AllocaInst>(&at)) variables.push_back(variable);
  }
  for (AllocaInst* variable : reverse(variables)) variable->moveBefore(&first->front());
  const auto behind = find_if(*first, [](const Instruction& at) { return !isa<AllocaInst>(at); });
  kernel.entry = SplitBlock(first, &*behind);
  auto* leave = BasicBlock::Create(kernel.context, "no_stack", &kernel.function);
  ReturnInst::Create(kernel.context, ConstantInt::get(kernel.function.getReturnType(), kBlockNotBegun), leave);
  first->getTerminator()->eraseFromParent();
  IRBuilder<> build(first);
  FunctionCallee fits =
      kernel.module.getOrInsertFunction("warpfiber_regions_frame_fits", build.getInt32Ty(), build.getInt64Ty());
  cast<Function>(fits.getCallee())->setDoesNotThrow();
  Value* end = build.CreateSub(end_of_frame(build, kernel.module), build.getInt64(of_parts));
  Value* answer = build.CreateCall(fits, {end});
  build.CreateCondBr(build.CreateICmpNE(answer, build.getInt32(0)), kernel.entry, leave);
}

}  // namespace warpfiber::regions
