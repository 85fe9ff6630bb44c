// SPDX-License-Identifier: Apache-2.0
// Atomics on shared memory: one OS thread runs the block, so no other thread can access it between a load and a store.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// A static variable of the block, or its dynamic memory, which is what kernels read of the OS thread's record.
bool is_shared(const Value* address) {
  const Value* base = getUnderlyingObject(address, /*MaxLookup=*/0);
  if (called_name(base) == "warpfiber_regions_shared") return true;
  const auto* load = dyn_cast<LoadInst>(base);
  const auto* from =
      load == nullptr ? nullptr : dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
  return from != nullptr && name_in_thread(*from) == "warpfiber_current_thread";
}

Value* combined(IRBuilder<>& build, AtomicRMWInst& atomic, Value* old) {
  Value* value = atomic.getValOperand();
  switch (atomic.getOperation()) {
    case AtomicRMWInst::Xchg: return value;
    case AtomicRMWInst::Add: return build.CreateAdd(old, value);
    case AtomicRMWInst::Sub: return build.CreateSub(old, value);
    case AtomicRMWInst::And: return build.CreateAnd(old, value);
    case AtomicRMWInst::Or: return build.CreateOr(old, value);
    case AtomicRMWInst::Xor: return build.CreateXor(old, value);
    case AtomicRMWInst::Max: return build.CreateSelect(build.CreateICmpSGT(old, value), old, value);
    case AtomicRMWInst::Min: return build.CreateSelect(build.CreateICmpSLT(old, value), old, value);
    case AtomicRMWInst::UMax: return build.CreateSelect(build.CreateICmpUGT(old, value), old, value);
    case AtomicRMWInst::UMin: return build.CreateSelect(build.CreateICmpULT(old, value), old, value);
    default: return nullptr;
  }
}

}  // namespace

void simplify_shared_atomics(Kernel& kernel) {
  SmallVector<AtomicRMWInst*, 16> atomics;
  for (Instruction& at : instructions(kernel.function)) {
    auto* atomic = dyn_cast<AtomicRMWInst>(&at);
    if (atomic != nullptr && !atomic->isVolatile() && is_shared(atomic->getPointerOperand())) atomics.push_back(atomic);
  }
  for (AtomicRMWInst* atomic : atomics) {
    IRBuilder<> build(atomic);
    LoadInst* old = build.CreateAlignedLoad(atomic->getType(), atomic->getPointerOperand(), atomic->getAlign());
    Value* now = combined(build, *atomic, old);
    if (now == nullptr) {
      old->eraseFromParent();
      continue;
    }
    StoreInst* store = build.CreateAlignedStore(now, atomic->getPointerOperand(), atomic->getAlign());
    for (Instruction* each : {static_cast<Instruction*>(old), static_cast<Instruction*>(store)}) {
      each->setMetadata(kAtomicMetadata, MDNode::get(kernel.context, {}));
    }
    atomic->replaceAllUsesWith(old);
    atomic->eraseFromParent();
  }
}

}  // namespace warpfiber::regions
