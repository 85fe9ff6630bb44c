// SPDX-License-Identifier: Apache-2.0
// What threads exchange at a meeting goes through memory: each stores what it brings, all meet, and each loads what it
// gets. Between the store and the load lies the boundary of two regions.
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// Places of the calls' operands. (mask, lanes, …)
constexpr unsigned kMask = 0;
constexpr unsigned kLanes = 1;
constexpr unsigned kFirst = 2;
constexpr unsigned kSecond = 3;

class Lowering {
 public:
  Lowering(Kernel& kernel, CallInst& call) : kernel_(kernel), call_(call), build_(&call) {}

  bool run() {
    const MeetingCall kind = meeting_call(&call_);
    if (kind == MeetingCall::block_barrier) {
      meet(-1);
      return finish(nullptr);
    }
    if (kind == MeetingCall::block_vote) return lower_block_vote();
    if (!take_lanes()) return false;
    switch (kind) {
      case MeetingCall::lane_barrier: meet(-1); return finish(nullptr);
      case MeetingCall::shuffle: return lower_shuffle();
      default: return lower_collective();
    }
  }

 private:
  /// Threads of the block before this one.
  Value* rank() {
    const auto index = [&](unsigned dimension) { return build_.CreateCall(thread_index(kernel_.module, dimension)); };
    Value* row = build_.CreateAdd(build_.CreateMul(index(2), kernel_.extent[1]), index(1));
    return build_.CreateAdd(build_.CreateMul(row, kernel_.extent[0]), index(0));
  }
  Value* element(AllocaInst* array, Value* at) {
    Value* place = build_.CreateZExt(at, build_.getInt64Ty());
    return build_.CreateInBoundsGEP(array->getAllocatedType(), array, {build_.getInt64(0), place});
  }
  void meet(int collective) {
    int masks = -1;
    if (mask_ != nullptr) {
      masks = static_cast<int>(kernel_.masks.size());
      kernel_.masks.push_back(array_of_threads(kernel_, build_.getInt32Ty(), "masks"));
      build_.CreateStore(mask_, element(kernel_.masks.back(), rank()));
    }
    build_.CreateCall(meeting_marker(kernel_.module), {build_.getInt32(lanes_), number(collective), number(masks)});
  }
  ConstantInt* number(int value) { return build_.getInt32(static_cast<std::uint32_t>(value)); }
  bool finish(Value* result) {
    if (result != nullptr) call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
    return true;
  }
  bool take_lanes() {
    auto* lanes = dyn_cast<ConstantInt>(call_.getArgOperand(kLanes));
    if (lanes == nullptr) return kernel_.refuse("the size of a tile is not a constant");
    lanes_ = static_cast<unsigned>(lanes->getZExtValue());
    auto* mask = dyn_cast<ConstantInt>(call_.getArgOperand(kMask));
    if (mask != nullptr && mask->isMinusOne()) return true;
    if (lanes_ != kWarp) return kernel_.refuse("the mask of a tile is not a constant");
    mask_ = call_.getArgOperand(kMask);
    lanes_ = kLanesOfMask;
    return true;
  }
  bool lower_shuffle() {
    Value* value = call_.getArgOperand(kFirst);
    AllocaInst* array = array_of_threads(kernel_, value->getType(), "exchange");
    Collective shuffle;
    shuffle.operation = detail::Operation::shuffle;
    shuffle.brought = array;
    build_.CreateStore(value, element(array, rank()));
    meet(static_cast<int>(kernel_.collectives.size()));
    kernel_.collectives.push_back(shuffle);
    Value* warp = build_.CreateAnd(rank(), ~(kWarp - 1));
    Value* source = build_.CreateAnd(call_.getArgOperand(kSecond), kWarp - 1);
    Value* taken = build_.CreateLoad(value->getType(), element(array, build_.CreateOr(warp, source)));
    if (mask_ == nullptr) return finish(taken);
    Value* is_named = build_.CreateTrunc(build_.CreateLShr(mask_, source), build_.getInt1Ty());
    return finish(build_.CreateSelect(is_named, taken, Constant::getNullValue(value->getType())));
  }
  bool lower_collective() {
    auto* operation = dyn_cast<ConstantInt>(call_.getArgOperand(kFirst));
    if (operation == nullptr) return kernel_.refuse("a warp's function that is not a constant");
    Value* operand = call_.getArgOperand(kSecond);
    Type* type = operand->getType();
    Collective collective;
    collective.operation = static_cast<detail::Operation>(operation->getZExtValue());
    collective.words = type->getIntegerBitWidth() / 32;
    collective.lanes = lanes_;
    collective.brought = array_of_threads(kernel_, type, "brought");
    collective.results = array_of_threads(kernel_, type, "results");
    build_.CreateStore(operand, element(collective.brought, rank()));
    meet(static_cast<int>(kernel_.collectives.size()));
    kernel_.collectives.push_back(collective);
    return finish(build_.CreateLoad(type, element(collective.results, rank())));
  }
  bool lower_block_vote() {
    auto* kind = dyn_cast<ConstantInt>(call_.getArgOperand(0));
    if (kind == nullptr) return kernel_.refuse("a vote of the block that is not a constant");
    Collective collective;
    collective.operation = static_cast<detail::Operation>(kind->getZExtValue());
    collective.brought = array_of_threads(kernel_, build_.getInt32Ty(), "brought");
    collective.results = one_for_all(kernel_, build_.getInt32Ty(), "result");
    Value* value = build_.CreateZExt(call_.getArgOperand(1), build_.getInt32Ty());
    build_.CreateStore(value, element(collective.brought, rank()));
    meet(static_cast<int>(kernel_.collectives.size()));
    kernel_.collectives.push_back(collective);
    return finish(build_.CreateLoad(build_.getInt32Ty(), collective.results));
  }

  Kernel& kernel_;
  CallInst& call_;
  IRBuilder<> build_;
  unsigned lanes_ = 0;     // that meet; 0: the block
  Value* mask_ = nullptr;  // null: all of them
};

/// Whether code behind `meeting` comes to `store` without another meeting: in the same region one thread would
/// overwrite what another has yet to load.
bool comes_back(Instruction* meeting, Instruction* store) {
  std::set<BasicBlock*> seen;
  SmallVector<Instruction*, 16> work{meeting->getNextNode()};
  while (!work.empty()) {
    Instruction* at = work.pop_back_val();
    for (; at != nullptr && at != store && !is_meeting(at); at = at->getNextNode()) {
      if (!at->isTerminator()) continue;
      for (BasicBlock* to : successors(at->getParent())) {
        if (seen.insert(to).second) work.push_back(&to->front());
      }
    }
    if (at == store) return true;
  }
  return false;
}

/// What a thread brings to `meeting` is stored right in front of it, and loaded behind it.
StoreInst* store_before(CallInst* meeting, const std::set<AllocaInst*>& arrays) {
  for (Instruction* at = meeting->getPrevNode(); at != nullptr && !is_meeting(at); at = at->getPrevNode()) {
    auto* store = dyn_cast<StoreInst>(at);
    if (store == nullptr) continue;
    auto* array = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
    if (arrays.count(array) != 0) return store;
  }
  return nullptr;
}

void separate_rounds(Kernel& kernel) {
  std::set<AllocaInst*> arrays;
  for (const Collective& each : kernel.collectives) arrays.insert(each.brought);
  SmallVector<std::pair<CallInst*, StoreInst*>, 16> exchanges;
  for (Instruction& at : instructions(kernel.function)) {
    if (!is_meeting(&at)) continue;
    auto* meeting = cast<CallInst>(&at);
    if (StoreInst* store = store_before(meeting, arrays)) exchanges.emplace_back(meeting, store);
  }
  for (auto [meeting, store] : exchanges) {
    if (!comes_back(meeting, store)) continue;
    Instruction* load = meeting->getNextNode();
    while (!isa<LoadInst>(load)) load = load->getNextNode();
    IRBuilder<> build(load->getNextNode());
    build.CreateCall(meeting_marker(kernel.module),
                     {meeting->getArgOperand(0), build.getInt32(~0U), meeting->getArgOperand(2)});
  }
}

}  // namespace

AllocaInst* array_of_threads(Kernel& kernel, Type* element, const Twine& name) {
  auto* type = ArrayType::get(element, kMostThreads);
  const std::uint64_t bytes = kernel.module.getDataLayout().getTypeAllocSize(element);
  kernel.thread_bytes += bytes;
  kernel.stack_bytes += bytes * kMostThreads + 64;
  return new AllocaInst(type, 0, nullptr, Align(64), name, kernel.end_of_entry());
}

AllocaInst* one_for_all(Kernel& kernel, Type* type, const Twine& name) {
  return new AllocaInst(type, 0, nullptr, name, kernel.end_of_entry());
}

bool lower_meetings(Kernel& kernel) {
  SmallVector<CallInst*, 16> calls;
  for (Instruction& at : instructions(kernel.function)) {
    if (meeting_call(&at) != MeetingCall::none) calls.push_back(cast<CallInst>(&at));
  }
  if (calls.empty()) return kernel.refuse("it has no barrier");  // and no thread needs a fiber of its own
  for (CallInst* call : calls) {
    if (!Lowering(kernel, *call).run()) return false;
  }
  separate_rounds(kernel);
  return true;
}

}  // namespace warpfiber::regions
