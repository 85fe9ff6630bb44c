// SPDX-License-Identifier: Apache-2.0
// Loops that end when a volatile or atomic access says so. A loop that repeats an update by compare-and-swap until
// no other thread has changed the word in between is none of these: it expects what it has read itself, and ends when
// the swap is done. One that goes on after that waits for another value, as a semaphore that is at 0. And loops that
// end when plain memory says so which they do not write, as a flag of another block.
#include "regions/kernel.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "regions/dependences.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

bool is_part(const Value* value, const AtomicCmpXchgInst& swap, unsigned index) {
  auto* part = dyn_cast<ExtractValueInst>(value);
  return part != nullptr && part->getAggregateOperand() == &swap && part->getIndices()[0] == index;
}

/// Whether `condition` holds where the swap is done, or where it is not; nothing if it is about something else.
std::optional<bool> says_done(const Value* condition, const AtomicCmpXchgInst& swap) {
  using namespace PatternMatch;
  Value* negated = nullptr;
  if (match(condition, m_Not(m_Value(negated)))) {
    const std::optional<bool> says = says_done(negated, swap);
    return says.has_value() ? std::optional(!*says) : std::nullopt;
  }
  if (is_part(condition, swap, 1)) return true;
  auto* compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || !compare->isEquality()) return std::nullopt;
  const Value* one = compare->getOperand(0);
  const Value* other = compare->getOperand(1);
  const Value* expected = swap.getCompareOperand();
  const bool of_swap = (is_part(one, swap, 0) && other == expected) || (is_part(other, swap, 0) && one == expected);
  return of_swap ? std::optional(compare->getPredicate() == ICmpInst::ICMP_EQ) : std::nullopt;
}

/// Whether each pass leaves the loop as soon as the swap is done.
bool ends_when_done(const AtomicCmpXchgInst& swap, const Loop& loop, const DominatorTree& dominators) {
  SmallVector<BasicBlock*, 4> exiting;
  SmallVector<BasicBlock*, 4> latches;
  loop.getExitingBlocks(exiting);
  loop.getLoopLatches(latches);
  return any_of(exiting, [&](BasicBlock* block) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional()) return false;
    const std::optional<bool> says = says_done(branch->getCondition(), swap);
    return says.has_value() && !loop.contains(branch->getSuccessor(*says ? 0 : 1)) &&
           all_of(latches, [&](BasicBlock* latch) { return dominators.dominates(block, latch); });
  });
}

/// Whether `swap` expects what it has found in the pass before, as it was: `old = atomicCAS(p, assumed = old, …)`.
bool is_retry(const AtomicCmpXchgInst& swap, const Loop& loop, const DominatorTree& dominators) {
  auto* phi = dyn_cast<PHINode>(swap.getCompareOperand());
  if (phi == nullptr || phi->getParent() != loop.getHeader()) return false;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    if (!loop.contains(phi->getIncomingBlock(i))) continue;
    auto* found = dyn_cast<ExtractValueInst>(phi->getIncomingValue(i));
    if (found == nullptr || found->getAggregateOperand() != &swap) return false;
  }
  return ends_when_done(swap, loop, dominators);
}

/// Whether what other threads do decides `at`.
bool depends_on_others(const Instruction& at, const Loop& loop, const DominatorTree& dominators) {
  if (auto* load = dyn_cast<LoadInst>(&at)) return !load->isSimple();
  if (auto* swap = dyn_cast<AtomicCmpXchgInst>(&at)) return !is_retry(*swap, loop, dominators);
  // An atomic that is a function of the library.
  if (auto* call = dyn_cast<CallBase>(&at)) {
    return called_name(call).contains("warpfiber_regions_plain_") && !call->doesNotAccessMemory();
  }
  return isa<AtomicRMWInst>(at);
}

/// Whether the loop asks others for something, the answer to which may go through memory to where the loop ends.
bool asks_others(const Loop& loop, const DominatorTree& dominators) {
  for (BasicBlock* block : loop.blocks()) {
    for (const Instruction& at : *block) {
      if (!at.use_empty() && depends_on_others(at, loop, dominators)) return true;
    }
  }
  return false;
}

/// Such a loop may wait for what others write whatever it reads, unless it goes on by a count.
bool looks(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& at) { return is_look(&at); });
  });
}

bool writes(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& at) { return at.mayWriteToMemory(); });
  });
}

/// Adds what decides by which way a phi of the loop was reached.
void add_conditions(PHINode& phi, const Loop& loop, const DominatorTree& dominators, SmallVectorImpl<Value*>& work) {
  auto* node = dominators.getNode(phi.getParent());
  BasicBlock* top = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
  for (BasicBlock* block : loop.blocks()) {
    auto* branch = block->getTerminator();
    if (branch->getNumSuccessors() < 2 || (top != nullptr && !dominators.dominates(top, block))) continue;
    work.push_back(branch->getOperand(0));
  }
}

bool ends_by_others(Loop& loop, const DominatorTree& dominators) {
  const bool asks = asks_others(loop, dominators);
  const bool looked = looks(loop);
  const bool meets = meetings_in(loop) != 0;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallVector<Value*, 16> work;
  for (BasicBlock* block : exiting) {
    if (block->getTerminator()->getNumSuccessors() > 1) work.push_back(block->getTerminator()->getOperand(0));
  }
  std::set<Value*> seen;
  bool reads = false;
  bool changes = false;
  while (!work.empty()) {
    auto* at = dyn_cast<Instruction>(work.pop_back_val());
    if (at == nullptr || !loop.contains(at) || !seen.insert(at).second) continue;
    if (depends_on_others(*at, loop, dominators) || (looked && at->mayReadFromMemory())) return true;
    // The answer may be kept in memory: of the thread, or where threads meet, of another.
    auto* load = dyn_cast<LoadInst>(at);
    reads |= load != nullptr;
    changes |= isa<PHINode>(at) && at->getParent() == loop.getHeader();
    if (asks && load != nullptr && (meets || isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()))))
      return true;
    if (auto* phi = dyn_cast<PHINode>(at); phi != nullptr && phi->getParent() != loop.getHeader()) {
      add_conditions(*phi, loop, dominators, work);
    }
    for (Use& operand : at->operands()) work.push_back(operand);
  }
  return reads && !changes && !meets && !writes(loop);
}

/// Whether `value` says which way was taken: `break` may be a number of its own.
bool names_way(const Value* value, unsigned depth = 4) {
  auto* at = dyn_cast<Instruction>(value);
  if (at == nullptr) return isa<Constant>(value);
  if (depth == 0 || (!isa<PHINode>(at) && !isa<SelectInst>(at))) return false;
  return all_of(drop_begin(at->operands(), isa<SelectInst>(at) ? 1 : 0),
                [&](const Use& operand) { return names_way(operand.get(), depth - 1); });
}

/// Whether others decide what `at` is.
bool combines(const Instruction& at, const Loop& loop) {
  if (isa<PHINode>(at) && at.getParent() == loop.getHeader()) return false;
  if (isa<ICmpInst>(at)) return names_way(at.getOperand(0)) && names_way(at.getOperand(1));
  const bool chooses = isa<PHINode>(at) || isa<SelectInst>(at);
  if (!at.getType()->isIntegerTy(1)) return chooses && names_way(&at);
  return chooses || isa<BinaryOperator>(at) || isa<FreezeInst>(at);
}

/// The comparisons of which a condition is made, each of which may end the loop. A count next to a flag does not make
/// the flag one.
void add_comparisons(Value* condition, const Loop& loop, const Dependences& dependences, SetVector<Value*>& found) {
  SmallVector<Value*, 8> work{condition};
  std::set<Value*> seen;
  while (!work.empty()) {
    auto* at = dyn_cast<Instruction>(work.pop_back_val());
    if (at == nullptr || !loop.contains(at) || !seen.insert(at).second) continue;
    if (!combines(*at, loop)) {
      found.insert(at);
      continue;
    }
    for (Value* operand : at->operands()) work.push_back(operand);
    auto* phi = dyn_cast<PHINode>(at);
    if (phi == nullptr) continue;
    Dependences::Set conditions;
    dependences.add_conditions(*phi, conditions);
    work.append(conditions.begin(), conditions.end());
  }
}

/// Whether the loop waits for memory that none of its threads writes in it.
bool is_ended_outside(const Kernel& kernel, Loop& loop, const PostDominatorTree& ends) {
  SmallVector<BasicBlock*, 4> exiting;
  SetVector<Value*> conditions;
  Dependences dependences(kernel, loop, ends);
  loop.getExitingBlocks(exiting);
  for (BasicBlock* block : exiting) {
    if (block->getTerminator()->getNumSuccessors() < 2) continue;
    add_comparisons(block->getTerminator()->getOperand(0), loop, dependences, conditions);
  }
  return any_of(conditions, [&](Value* each) { return dependences.is_decided_outside(each); });
}

}  // namespace

bool waits_in_loop(Kernel& kernel) {
  const DominatorTree dominators(kernel.function);
  const PostDominatorTree ends(kernel.function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!ends_by_others(*loop, dominators) && !is_ended_outside(kernel, *loop, ends)) continue;
    kernel.refuse(kWaitingLoop);
    return true;
  }
  return false;
}

}  // namespace warpfiber::regions
