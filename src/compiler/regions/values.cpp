// SPDX-License-Identifier: Apache-2.0
// Values that are made in one region and used in another: each is computed again there, or kept once for the block, or
// in an array with an element for each thread.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"
#include "regions/uniformity.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr int kDeepestComputation = 8;

using Made = std::map<Value*, Value*>;

class Placement {
 public:
  explicit Placement(Kernel& kernel) : kernel_(kernel) {}

  void run() {
    find_live();
    for (Instruction& value : instructions(kernel_.function)) {
      if (value.getParent() != kernel_.entry) note_live(value);
    }
    recompute();
    demote();
  }

 private:
  void note_live(Instruction& value) {
    CarriedValue carried;
    carried.type = value.getType();
    for (const KernelRegion& region : kernel_.regions) {
      if (region.id != 0 && live_[region.first].count(&value) != 0) carried.live_into.insert(region.id);
    }
    if (carried.live_into.empty()) return;
    for (const KernelRegion& region : kernel_.regions) {
      if (region.idle.count(&value) != 0) carried.idle_in.insert(region.id);
    }
    carried.how = how(&value, carried);
    order_.push_back(&value);
    values_[&value] = carried;
  }

  /// Registers that are live at the head of each block. A phi is made at the head of its own.
  void find_live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : post_order(&kernel_.function)) {
        std::set<Instruction*> live;
        for (BasicBlock* to : successors(block)) {
          live.insert(live_[to].begin(), live_[to].end());
          for (PHINode& phi : to->phis()) {
            if (auto* value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(block))) live.insert(value);
          }
        }
        for (Instruction& at : reverse(*block)) {
          live.erase(&at);
          if (isa<PHINode>(at)) continue;
          for (Value* operand : at.operands()) {
            if (auto* value = dyn_cast<Instruction>(operand)) live.insert(value);
          }
        }
        if (live == live_[block]) continue;
        live_[block] = std::move(live);
        changed = true;
      }
    }
  }

  bool can_recompute(Value* value, int depth = 0) const {
    auto* at = dyn_cast<Instruction>(value);
    if (at == nullptr) return isa<Constant>(value) || isa<Argument>(value);
    if (depth > kDeepestComputation) return false;
    if (at->getParent() == kernel_.entry) return !isa<AllocaInst>(at) || !kernel_.uniformity->differs(at);
    if (index_dimension(at) >= 0) return true;
    if (!isa<BinaryOperator>(at) && !isa<CastInst>(at) && !isa<GetElementPtrInst>(at) && !isa<CmpInst>(at) &&
        !isa<SelectInst>(at)) {
      return false;
    }
    if (at->getOpcode() == Instruction::UDiv || at->getOpcode() == Instruction::SDiv) return false;
    if (at->getOpcode() == Instruction::URem || at->getOpcode() == Instruction::SRem) return false;
    return all_of(at->operands(), [&](Use& operand) { return can_recompute(operand, depth + 1); });
  }

  Carried how(Instruction* value, const CarriedValue& carried) const {
    if (can_recompute(value)) return Carried::recomputed;
    if (kernel_.uniformity->differs(value)) return Carried::each;
    // Warps that are apart are at different passes of a loop, whose values differ from warp to warp.
    const bool together = !kernel_.lanes_diverge || none_of(carried.live_into, [&](unsigned region) {
      return kernel_.regions[region].may_be_skipped;
    });
    return together ? Carried::once : Carried::each;
  }

  Value* computed(Value* value, IRBuilder<>& build, Made& made) {
    auto* at = dyn_cast<Instruction>(value);
    if (at == nullptr || at->getParent() == kernel_.entry) return value;
    if (auto found = made.find(value); found != made.end()) return found->second;
    Instruction* copy = at->clone();
    for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
      copy->setOperand(i, computed(at->getOperand(i), build, made));
    }
    build.Insert(copy);
    made[value] = copy;
    return copy;
  }

  /// At the head of each region, before values become loads and stores of their places.
  void recompute() {
    for (const KernelRegion& region : kernel_.regions) {
      if (region.id == 0) continue;
      IRBuilder<> build(&*region.first->getFirstInsertionPt());
      Made made;
      for (Instruction* value : order_) {
        const CarriedValue& carried = values_[value];
        if (carried.how != Carried::recomputed || carried.live_into.count(region.id) == 0) continue;
        recomputed_[value].push_back(cast<Instruction>(computed(value, build, made)));
      }
    }
  }

  void demote() {
    for (Instruction* value : order_) {
      CarriedValue carried = values_[value];
#if LLVM_VERSION_MAJOR >= 19
      const auto end = kernel_.end_of_entry()->getIterator();
#else
      Instruction* const end = kernel_.end_of_entry();
#endif
      carried.local = DemoteRegToStack(*value, false, end);
      for (Instruction* copy : recomputed_[value]) {
        IRBuilder<>(copy->getNextNode()).CreateStore(copy, carried.local);
      }
      if (carried.how == Carried::each) carried.storage = array_of_threads(kernel_, carried.type, "kept");
      if (carried.how == Carried::once) carried.storage = one_for_all(kernel_, carried.type, "same");
      kernel_.carried.push_back(carried);
    }
  }

  Kernel& kernel_;
  std::map<BasicBlock*, std::set<Instruction*>> live_;
  std::vector<Instruction*> order_;
  std::map<Instruction*, CarriedValue> values_;
  std::map<Instruction*, std::vector<Instruction*>> recomputed_;
};

}  // namespace

void place_values(Kernel& kernel) {
  Placement(kernel).run();
}

}  // namespace warpfiber::regions
