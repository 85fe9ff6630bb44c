// SPDX-License-Identifier: Apache-2.0
// Two addresses are of one object if they are made in the same way: from the same variable, argument, or pointer in
// memory. Where pointers are made in different ways and are equal, a kernel may be refused that need not be.
#include "regions/dependences.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr unsigned kDeepestPointer = 6;

std::string number_of(const void* value) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(value));
}

bool writes_through(const Instruction& at, const Value* address) {
  if (auto* store = dyn_cast<StoreInst>(&at)) return store->getPointerOperand() == address;
  if (auto* copy = dyn_cast<MemTransferInst>(&at)) return copy->getRawDest() == address;
  return address->getType()->isPointerTy();
}

/// The address that is read; null for what reads no memory of a kernel's variables.
Value* address_read(Instruction& at) {
  if (auto* load = dyn_cast<LoadInst>(&at)) return load->getPointerOperand();
  if (auto* copy = dyn_cast<MemTransferInst>(&at)) return copy->getRawSource();
  return nullptr;
}

bool may_be_zero(const Value* value) {
  if (isa<ZExtInst>(value) || isa<SExtInst>(value)) return cast<CastInst>(value)->getSrcTy()->isIntegerTy(1);
  if (!isa<SelectInst>(value) && !isa<PHINode>(value)) return false;
  return any_of(cast<Instruction>(value)->operands(), [](const Use& operand) {
    auto* number = dyn_cast<ConstantInt>(operand.get());
    return number != nullptr && number->isZero();
  });
}

/// Whether `value` is, on some way to it, what `state` is.
bool may_be(const Value* value, const PHINode& state, unsigned depth = 4) {
  if (value == &state) return true;
  auto* at = dyn_cast<Instruction>(value);
  if (at == nullptr || depth == 0) return false;
  if (at->getOpcode() == Instruction::Add || at->getOpcode() == Instruction::Sub) {
    return (at->getOperand(0) == &state && may_be_zero(at->getOperand(1))) ||
           (at->getOperand(1) == &state && may_be_zero(at->getOperand(0)));
  }
  return (isa<PHINode>(at) || isa<SelectInst>(at)) &&
         any_of(at->operands(), [&](const Use& operand) { return may_be(operand.get(), state, depth - 1); });
}

}  // namespace

Dependences::Dependences(const Kernel& kernel, const Loop& loop, const PostDominatorTree& ends)
    : kernel_(kernel), loop_(loop), ends_(ends) {
  note_writers();
}

void Dependences::note_writers() {
  for (BasicBlock* block : loop_.blocks()) {
    for (Instruction& at : *block) {
      if (!at.mayWriteToMemory() || isa<FenceInst>(at) || meeting_call(&at) != MeetingCall::none) continue;
      for (Value* operand : at.operands()) {
        if (isa<Function>(operand) || !writes_through(at, operand)) continue;
        for (const std::string& object : objects_of(operand)) writers_[object].push_back(&at);
      }
    }
  }
}

std::string Dependences::object_of(const Value* base, unsigned depth) const {
  if (called_name(base) == "warpfiber_regions_shared") {
    return "shared " + number_of(cast<CallInst>(base)->getArgOperand(0)->stripPointerCasts());
  }
  auto* load = dyn_cast<LoadInst>(base);
  if (load == nullptr || depth == 0) return number_of(base);
  // A pointer in memory is one object, however often it is loaded.
  const DataLayout& layout = kernel_.module.getDataLayout();
  const Value* address = load->getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const Value* from = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return "at (" + object_of(getUnderlyingObject(from, 0), depth - 1) + ") + " + std::to_string(offset.getSExtValue());
}

std::vector<std::string> Dependences::objects_of(const Value* address) const {
  SmallVector<const Value*, 4> bases;
  getUnderlyingObjects(address, bases, nullptr, /*MaxLookup=*/0);
  std::vector<std::string> objects;
  for (const Value* base : bases) objects.push_back(object_of(base, kDeepestPointer));
  return objects;
}

/// Whether other threads may write what `load` reads, and the loop does not.
bool Dependences::is_outside(Instruction& load) const {
  const Value* address = address_read(load);
  if (address == nullptr) return false;
  for (const std::string& object : objects_of(address)) {
    if (writers_.count(object) != 0) return false;
  }
  const Value* base = getUnderlyingObject(address, 0);
  if (auto* variable = dyn_cast<GlobalVariable>(base)) {
    return !variable->isConstant() && !variable->isThreadLocal() && kernel_.constants.count(variable) == 0;
  }
  return !isa<AllocaInst>(base) && base != kernel_.function.getArg(0);
}

void Dependences::add(Value* value, Set& found) const {
  auto* at = dyn_cast<Instruction>(value);
  if (at != nullptr && loop_.contains(at)) found.insert(at);
}

/// What decides whether a pass comes to `block` (Ferrante, Ottenstein and Warren, "The Program Dependence Graph").
/// Whether there is another pass at all does not count.
void Dependences::add_controls(BasicBlock& block, Set& found) const {
  std::set<BasicBlock*> seen;
  SmallVector<BasicBlock*, 8> work{&block};
  while (!work.empty()) {
    BasicBlock* at = work.pop_back_val();
    if (at == loop_.getHeader() || !seen.insert(at).second) continue;
    for (BasicBlock* from : loop_.blocks()) {
      if (succ_size(from) < 2 || loop_.isLoopExiting(from)) continue;
      const bool some = any_of(successors(from), [&](BasicBlock* to) { return ends_.dominates(at, to); });
      if (!some || (from != at && ends_.dominates(at, from))) continue;
      add(from->getTerminator()->getOperand(0), found);
      work.push_back(from);
    }
  }
}

void Dependences::add_conditions(PHINode& phi, Set& found) const {
  for (BasicBlock* from : phi.blocks()) {
    if (!loop_.contains(from)) continue;
    add_controls(*from, found);
    if (succ_size(from) > 1 && !loop_.isLoopExiting(from)) add(from->getTerminator()->getOperand(0), found);
  }
}

void Dependences::add_sources(Instruction& at, Set& found) const {
  if (auto* phi = dyn_cast<PHINode>(&at)) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      if (loop_.contains(phi->getIncomingBlock(i))) add(phi->getIncomingValue(i), found);
    }
    if (phi->getParent() != loop_.getHeader()) add_conditions(*phi, found);
    return;
  }
  for (Value* operand : at.operands()) add(operand, found);
  if (Value* address = address_read(at)) {
    for (const std::string& object : objects_of(address)) {
      const auto listed = writers_.find(object);
      if (listed == writers_.end()) continue;
      for (Instruction* writer : listed->second) found.insert(writer);
    }
  }
  if (at.mayWriteToMemory()) add_controls(*at.getParent(), found);
}

Dependences::Set Dependences::sources_of(const Set& from) const {
  Set found;
  for (Instruction* at : from) add_sources(*at, found);
  for (std::size_t i = 0; i < found.size(); ++i) add_sources(*found[i], found);
  return found;
}

bool Dependences::comes_from_itself(Instruction& at) const {
  Set one;
  one.insert(&at);
  return sources_of(one).count(&at) != 0;
}

/// Whether there is a way through the loop on which the state is not changed.
bool Dependences::may_stay(const PHINode& state) const {
  const BasicBlock* latch = loop_.getLoopLatch();
  return latch != nullptr && may_be(state.getIncomingValueForBlock(latch), state);
}

bool Dependences::is_decided_outside(Value* condition) {
  Set all;
  add(condition, all);
  for (Instruction* at : sources_of(all)) all.insert(at);
  if (none_of(all, [&](Instruction* at) { return is_outside(*at); })) return false;
  // What has a value by its last one is a count, or a state that goes on: unless it is all the state there is, and may
  // stay what it is until somebody else has written.
  SmallVector<Instruction*, 4> states;
  for (Instruction* at : all) {
    const bool remembers = (isa<PHINode>(at) && at->getParent() == loop_.getHeader()) || at->mayWriteToMemory();
    if (remembers && comes_from_itself(*at)) states.push_back(at);
    if (states.size() > 1) return false;
  }
  auto* only = states.empty() ? nullptr : dyn_cast<PHINode>(states.front());
  return states.empty() || (only != nullptr && may_stay(*only));
}

}  // namespace warpfiber::regions
