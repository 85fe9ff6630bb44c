// SPDX-License-Identifier: Apache-2.0
// Finds the values that may differ between threads.
#include "regions/uniformity.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

Uniformity::Uniformity(Kernel& kernel, UniformIn scope)
    : kernel_(kernel), scope_(scope), ends_(kernel.analyses.getResult<PostDominatorTreeAnalysis>(kernel.function)) {
  const std::set<const Value*> arrays(kernel.arrays.begin(), kernel.arrays.end());
  for (const Instruction& at : instructions(kernel.function)) {
    const bool own_array = isa<AllocaInst>(at) && arrays.count(&at) != 0;
    if (own_array || (at.getParent() != kernel.entry && is_source(at))) add(at);
  }
  spread();
}

bool Uniformity::is_uniform_load(const LoadInst& load) const {
  if (!load.isSimple()) return false;
  const Value* base = getUnderlyingObject(load.getPointerOperand(), 0);
  if (base == kernel_.function.getArg(0)) return true;
  if (auto* variable = dyn_cast<GlobalVariable>(base)) {
    return variable->isConstant() || variable->isThreadLocal() || kernel_.constants.count(variable) != 0;
  }
  // The result of the block's vote.
  for (const Collective& each : kernel_.collectives) {
    if (each.lanes == 0 && each.results == base) return true;
  }
  return false;
}

bool Uniformity::is_result_of_warp(const Instruction& at) const {
  auto* load = dyn_cast<LoadInst>(&at);
  if (scope_ == UniformIn::block || load == nullptr) return false;
  const Value* base = getUnderlyingObject(load->getPointerOperand(), 0);
  return any_of(kernel_.collectives, [&](const Collective& each) {
    return each.lanes == kWarp && gives_one_result(each.formula()) && each.results != nullptr && each.results == base;
  });
}

/// `threadIdx.x / 32`, `threadIdx.x < 64`, and the like.
bool Uniformity::is_number_of_warp(const Instruction& at) const {
  if (scope_ != UniformIn::warp_of_row || at.getNumOperands() != 2) return false;
  const Value* index = at.getOperand(0);
  if (auto* wider = dyn_cast<ZExtInst>(index)) index = wider->getOperand(0);
  auto* number = dyn_cast<ConstantInt>(at.getOperand(1));
  if (index_dimension(index) != 0 || number == nullptr) return false;
  const std::uint64_t value = number->getZExtValue();
  if (auto* compares = dyn_cast<ICmpInst>(&at)) {
    const bool from_here =
        compares->getPredicate() == ICmpInst::ICMP_ULT || compares->getPredicate() == ICmpInst::ICMP_UGE;
    const bool behind =
        compares->getPredicate() == ICmpInst::ICMP_UGT || compares->getPredicate() == ICmpInst::ICMP_ULE;
    return (from_here && value % kWarp == 0) || (behind && value % kWarp == kWarp - 1);
  }
  if (at.getOpcode() == Instruction::UDiv) return value != 0 && value % kWarp == 0;
  if (at.getOpcode() == Instruction::LShr) return value >= 5;
  return at.getOpcode() == Instruction::And && value % kWarp == 0;
}

bool Uniformity::is_source(const Instruction& at) const {
  if (const int dimension = index_dimension(&at); dimension >= 0) {
    return dimension == 0 || scope_ != UniformIn::warp_of_row;
  }
  if (is_result_of_warp(at)) return false;
  if (at.getType()->isVoidTy()) return false;
  if (auto* load = dyn_cast<LoadInst>(&at)) return !is_uniform_load(*load);
  return at.mayReadFromMemory();
}

void Uniformity::add(const Value& value) {
  if (differing_.insert(&value).second) work_.push_back(&value);
}

bool Uniformity::parts_threads(const BasicBlock& block) const {
  return has_ways(block) && differs(block.getTerminator()->getOperand(0));
}

/// Whether threads may go on at two places. Where one of them fails, none goes on.
bool Uniformity::has_ways(const BasicBlock& block) {
  const BasicBlock* only = nullptr;
  for (const BasicBlock* to : successors(&block)) {
    if (to == only || leaves_to_fibers(*to)) continue;
    if (only != nullptr) return true;
    only = to;
  }
  return false;
}

/// Where ways from `branch` may join, phis have a value that depends on the way: anywhere up to where all have joined.
/// That includes what a loop left at different times hands to the code behind it, which LCSSA gives phis.
void Uniformity::add_joins(const BasicBlock& branch) {
  if (!divides_.insert(&branch).second) return;
  auto* node = ends_.getNode(&branch);
  const BasicBlock* join = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
  std::set<const BasicBlock*> seen;
  SmallVector<const BasicBlock*, 16> work(succ_begin(&branch), succ_end(&branch));
  while (!work.empty()) {
    const BasicBlock* at = work.pop_back_val();
    if (!seen.insert(at).second) continue;
    for (const PHINode& phi : at->phis()) add(phi);
    if (at != join) work.append(succ_begin(at), succ_end(at));
  }
}

void Uniformity::spread() {
  while (!work_.empty()) {
    const Value* value = work_.pop_back_val();
    for (const User* user : value->users()) {
      const auto* at = dyn_cast<Instruction>(user);
      if (at == nullptr) continue;
      if (at->isTerminator()) {
        if (has_ways(*at->getParent())) add_joins(*at->getParent());
      } else if (!at->getType()->isVoidTy() && !is_result_of_warp(*at) && !is_number_of_warp(*at)) {
        add(*at);
      }
    }
  }
}

}  // namespace warpfiber::regions
