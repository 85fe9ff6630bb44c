// SPDX-License-Identifier: Apache-2.0
// What the library gets to see of a block whose threads meet again and again, so that it can decide whether they do so
// for ever: at one meeting of each circle, and only when the watchdog asks.
// A block that comes to one meeting twice in the same state, and with the same memory, does the same for ever. What a
// loop only counts or sums up, and never looks at, is no part of that state: it decides nothing as long as the block
// stays in the loop. A block that leaves the loop and comes back has another value in a loop around it, all of which
// have a count.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// One region at least of each circle: those at which a search from the first one comes back.
std::set<unsigned> heads_of_circles(const Kernel& kernel) {
  std::set<unsigned> heads;
  std::set<unsigned> done;
  std::set<unsigned> open;
  SmallVector<std::pair<unsigned, bool>, 16> work{{0, false}};
  while (!work.empty()) {
    const auto [at, leaves] = work.pop_back_val();
    if (leaves) {
      open.erase(at);
      done.insert(at);
      continue;
    }
    if (open.count(at) != 0) heads.insert(at);
    if (open.count(at) != 0 || done.count(at) != 0) continue;
    open.insert(at);
    work.emplace_back(at, true);
    for (unsigned to : kernel.regions[at].exits) {
      if (to != kThreadReturned) work.emplace_back(to, false);
    }
  }
  return heads;
}

/// The constant that each pass adds to `count`; 0: none.
std::int64_t step_of(const PHINode& count, const Loop& loop) {
  std::int64_t step = 0;
  for (unsigned i = 0; i < count.getNumIncomingValues(); ++i) {
    if (!loop.contains(count.getIncomingBlock(i))) continue;
    auto* sum = dyn_cast<BinaryOperator>(count.getIncomingValue(i));
    if (sum == nullptr || sum->getOpcode() != Instruction::Add || sum->getOperand(0) != &count) return 0;
    auto* number = dyn_cast<ConstantInt>(sum->getOperand(1));
    if (number == nullptr || (step != 0 && number->getSExtValue() != step)) return 0;
    step = number->getSExtValue();
  }
  return step;
}

/// Whether a count with this step comes to where `goes_on` no longer holds.
bool ends_count(CmpInst::Predicate goes_on, std::int64_t step) {
  switch (goes_on) {
    case CmpInst::ICMP_NE: return step == 1 || step == -1;
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE: return step > 0;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE: return step < 0;
    default: return false;
  }
}

/// Whether the branch that ends `block` leaves the loop when a count comes to a bound.
bool ends_by_count(const BasicBlock& block, const Loop& loop) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  auto* compare = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
  if (compare == nullptr) return false;
  const bool goes_on_if = loop.contains(branch->getSuccessor(0));
  for (const PHINode& count : loop.getHeader()->phis()) {
    if (!count.getType()->isIntegerTy()) continue;
    const std::int64_t step = step_of(count, loop);
    if (step == 0) continue;
    const auto is_count = [&](const Value* value) {
      return value == &count || is_contained(count.incoming_values(), value);
    };
    for (const bool swapped : {false, true}) {
      if (!is_count(compare->getOperand(swapped ? 1 : 0)) ||
          !loop.isLoopInvariant(compare->getOperand(swapped ? 0 : 1)))
        continue;
      CmpInst::Predicate predicate = swapped ? compare->getSwappedPredicate() : compare->getPredicate();
      if (!goes_on_if) predicate = CmpInst::getInversePredicate(predicate);
      if (ends_count(predicate, step)) return true;
    }
  }
  return false;
}

/// Whether each pass asks a count that ends the loop, sooner or later.
bool is_counted(const Loop& loop, const DominatorTree& dominators) {
  SmallVector<BasicBlock*, 4> exiting;
  SmallVector<BasicBlock*, 4> latches;
  loop.getExitingBlocks(exiting);
  loop.getLoopLatches(latches);
  return any_of(exiting, [&](const BasicBlock* block) {
    return all_of(latches, [&](const BasicBlock* latch) { return dominators.dominates(block, latch); }) &&
           ends_by_count(*block, loop);
  });
}

/// Whether what the instruction does depends on one of its values, other than its result.
bool uses_values(const Instruction& at) {
  if (at.isTerminator()) return at.getNumSuccessors() > 1;
  return at.mayReadOrWriteMemory() || at.mayHaveSideEffects() || at.isIntDivRem() || isa<CallBase>(at);
}

/// What the loop does depends on these of its values.
std::set<const Instruction*> values_that_count(const Loop& loop) {
  std::set<const Instruction*> found;
  SmallVector<const Value*, 32> work;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& at : *block) {
      if (uses_values(at)) work.append(at.value_op_begin(), at.value_op_end());
    }
  }
  while (!work.empty()) {
    auto* at = dyn_cast<Instruction>(work.pop_back_val());
    if (at == nullptr || !loop.contains(at) || !found.insert(at).second) continue;
    work.append(at->value_op_begin(), at->value_op_end());
  }
  return found;
}

bool reads_time(const Instruction& at) {
  auto* call = dyn_cast<IntrinsicInst>(&at);
  if (call == nullptr) return isa<CallBase>(at) && cast<CallBase>(at).isInlineAsm();
  switch (call->getIntrinsicID()) {
    case Intrinsic::readcyclecounter:
    case Intrinsic::x86_rdtsc:
    case Intrinsic::x86_rdtscp: return true;
    default: return false;
  }
}

bool reads_time(const Loop& loop) {
  return any_of(loop.blocks(),
                [](const BasicBlock* block) { return any_of(*block, [](auto& at) { return reads_time(at); }); });
}

/// The outermost loop around the region's head that no count ends; null if there is none.
const Loop* endless_loop(const KernelRegion& region, const LoopInfo& loops, const DominatorTree& dominators) {
  const Loop* found = nullptr;
  for (const Loop* loop = loops.getLoopFor(region.first); loop != nullptr; loop = loop->getParentLoop()) {
    if (!is_counted(*loop, dominators)) found = loop;
  }
  return found;
}

/// Calls of the library that show it what the block has.
class LookCalls {
 public:
  LookCalls(Kernel& kernel, IRBuilder<>& build) : kernel_(kernel), build_(build) {}

  void see_all(AllocaInst* array) {
    auto* type = cast<ArrayType>(array->getAllocatedType());
    see(array, build_.CreateMul(build_.CreateZExt(kernel_.threads, build_.getInt64Ty()),
                                build_.getInt64(bytes_of(type->getElementType()))));
  }
  void see_one(Type* type, AllocaInst* variable) {
    auto* copy = new AllocaInst(type, 0, nullptr, "looked_at", kernel_.end_of_entry());
    build_.CreateStore(build_.CreateLoad(type, variable), copy);
    see(copy, build_.getInt64(kernel_.module.getDataLayout().getTypeStoreSize(type)));
  }
  void end(unsigned head, bool counts) {
    auto* word = build_.getInt32Ty();
    build_.CreateCall(function("warpfiber_regions_seen", {word, word}),
                      {build_.getInt32(head), build_.getInt32(counts ? 1 : 0)});
  }

 private:
  std::uint64_t bytes_of(Type* type) const { return kernel_.module.getDataLayout().getTypeAllocSize(type); }
  void see(AllocaInst* place, Value* bytes) {
    auto* address = PointerType::get(build_.getInt8Ty(), 0);
    FunctionCallee callee = function("warpfiber_regions_see", {address, build_.getInt64Ty()});
    auto* declared = cast<Function>(callee.getCallee());
    declared->addParamAttr(0, Attribute::NoCapture);
    declared->addParamAttr(0, Attribute::ReadOnly);
    build_.CreateCall(callee, {build_.CreateBitCast(place, address), bytes});
  }
  FunctionCallee function(const char* name, ArrayRef<Type*> operands) {
    FunctionCallee callee =
        kernel_.module.getOrInsertFunction(name, FunctionType::get(build_.getVoidTy(), operands, false));
    auto* declared = cast<Function>(callee.getCallee());
    declared->setDoesNotThrow();
    declared->setOnlyAccessesInaccessibleMemOrArgMem();
    declared->addFnAttr(Attribute::Cold);
    return callee;
  }

  Kernel& kernel_;
  IRBuilder<>& build_;
};

void show_block(Kernel& kernel, const KernelRegion& region, LookCalls& look, const LookedAt& frame) {
  if (frame.next != nullptr) look.see_all(frame.next);
  for (const CarriedValue& value : kernel.carried) {
    const bool is_live = value.live_into.count(region.id) != 0;
    if (value.idle_in.count(region.id) != 0) continue;
    if (value.how == Carried::once && is_live) look.see_one(value.type, value.storage);
    // Warps that are elsewhere have other values.
    if (value.how == Carried::each && (is_live || kernel.lanes_diverge)) look.see_all(value.storage);
  }
  for (const auto& [one, all] : frame.arrays) look.see_all(all);
  for (std::size_t i = 0; i < kernel.collectives.size(); ++i) {
    if (static_cast<int>(i) == region.collective || kernel.lanes_diverge) look.see_all(kernel.collectives[i].brought);
  }
  for (std::size_t i = 0; i < kernel.masks.size(); ++i) {
    if (static_cast<int>(i) == region.masks || kernel.lanes_diverge) look.see_all(kernel.masks[i]);
  }
}

}  // namespace

void find_looks(Kernel& kernel) {
  const DominatorTree dominators(kernel.function);
  const LoopInfo loops(dominators);
  for (unsigned head : heads_of_circles(kernel)) {
    KernelRegion& region = kernel.regions[head];
    if (loops.getLoopFor(region.first) == nullptr) continue;
    const Loop* loop = endless_loop(region, loops, dominators);
    region.look = loop == nullptr ? RegionLook::counts : RegionLook::none;
    if (loop == nullptr || reads_time(*loop)) continue;
    region.look = RegionLook::compares;
    const std::set<const Instruction*> count = values_that_count(*loop);
    for (const BasicBlock* block : loop->blocks()) {
      for (const Instruction& at : *block) {
        if (count.count(&at) == 0) region.idle.insert(&at);
      }
    }
  }
}

void make_look(Kernel& kernel, const KernelRegion& region, IRBuilder<>& build, Value* now, Value* ask_from,
               const LookedAt& frame) {
  const auto block = [&](const char* name) {
    return BasicBlock::Create(kernel.context, Twine(name) + Twine(region.id), &kernel.function);
  };
  BasicBlock* looks = block("look");
  BasicBlock* behind = block("looked");
  LoadInst* asked = build.CreateAlignedLoad(build.getInt64Ty(), ask_from, Align(8));
  asked->setAtomic(AtomicOrdering::Monotonic);
  constexpr std::uint32_t kSeldom = 1U << 20;
  build.CreateCondBr(build.CreateICmpUGE(now, asked), looks, behind,
                     MDBuilder(kernel.context).createBranchWeights(1, kSeldom));
  build.SetInsertPoint(looks);
  LookCalls look(kernel, build);
  const bool compares = region.look == RegionLook::compares;
  if (compares) show_block(kernel, region, look, frame);
  look.end(region.id, !compares);
  build.CreateBr(behind);
  build.SetInsertPoint(behind);
}

}  // namespace warpfiber::regions
