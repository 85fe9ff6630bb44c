// SPDX-License-Identifier: Apache-2.0
// Makes one function of a kernel and all that it calls, and reads what is the same for all threads once.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerInvoke.h>

#include "regions/kernel.hpp"
#include "regions/module.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr unsigned kMostCalls = 4000;
constexpr unsigned kMostInstructions = 40000;

SROAPass scalar_replacement() {
#if LLVM_VERSION_MAJOR >= 16
  return SROAPass(SROAOptions::ModifyCFG);
#else
  return SROAPass();
#endif
}

EarlyCSEPass common_expressions() {
  return EarlyCSEPass(/*UseMemorySSA=*/true);
}

void run_passes(Kernel& kernel, FunctionPassManager& passes) {
  kernel.analyses.invalidate(kernel.function, PreservedAnalyses::none());
  passes.run(kernel.function, kernel.analyses);
  kernel.analyses.invalidate(kernel.function, PreservedAnalyses::none());
}

/// By which PTX's `exit` comes from a function to the kernel (include/warpfiber/intrinsics/ptx.hpp).
bool is_type_of_exit(const Value* type) {
  return type->stripPointerCasts()->getName() == "_ZTIN9warpfiber3ptx10ThreadExitE";
}

bool exits(Function& function) {
  return any_of(instructions(function), [](Instruction& at) {
    return called_name(&at) == "__cxa_throw" && is_type_of_exit(cast<CallBase>(at).getArgOperand(1));
  });
}

/// Whether the kernel handles an exception itself, other than that of an `exit` which it does not have. That of a
/// function that must not throw only ends the program.
bool catches(Function& function) {
  for (BasicBlock& block : function) {
    const LandingPadInst* pad = block.getLandingPadInst();
    if (pad == nullptr || pad->getNumClauses() == 0) continue;
    if (any_of(block, [](Instruction& at) { return called_name(&at) == "__clang_call_terminate"; })) continue;
    for (unsigned i = 0; i < pad->getNumClauses(); ++i) {
      if (!pad->isCatch(i) || !is_type_of_exit(pad->getClause(i))) return true;
    }
  }
  return false;
}

void lower_invokes(Kernel& kernel) {
  FunctionPassManager passes;
  passes.addPass(LowerInvokePass());
  run_passes(kernel, passes);
  removeUnreachableBlocks(kernel.function);
}

CallBase* next_to_inline(Function& function) {
  for (Instruction& at : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&at);
    if (call == nullptr || call->isInlineAsm() || call->getCalledFunction() == nullptr) continue;
    if (!call->getCalledFunction()->isDeclaration() && called_name(call) != "__clang_call_terminate") return call;
  }
  return nullptr;
}

bool inline_calls(Kernel& kernel) {
  for (unsigned count = 0; count < kMostCalls; ++count) {
    CallBase* call = next_to_inline(kernel.function);
    if (call == nullptr) return true;
    if (call->getCalledFunction() == &kernel.function) return kernel.refuse("recursion");
    if (call->getCalledFunction()->isInterposable()) {
      return kernel.refuse("it calls a weak function, which may be another when the program is linked");
    }
    InlineFunctionInfo info;
    const std::string callee = call->getCalledFunction()->getName().str();
    if (!InlineFunction(*call, info).isSuccess()) return kernel.refuse("call of " + callee + " cannot be inlined");
    if (kernel.function.getInstructionCount() > kMostInstructions) return kernel.refuse("recursion, or too much code");
  }
  return kernel.refuse("recursion, or too many calls");
}

void forget_lifetimes(Function& function) {
  SmallVector<Instruction*, 16> gone;
  for (Instruction& at : instructions(function)) {
    auto* intrinsic = dyn_cast<IntrinsicInst>(&at);
    if (intrinsic == nullptr) continue;
    if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic) ||
        intrinsic->getIntrinsicID() == Intrinsic::assume) {
      gone.push_back(intrinsic);
    }
  }
  for (Instruction* at : gone) at->eraseFromParent();
}

/// A variable of which each OS thread has its own, and the distance of `address` from its start; else null.
GlobalVariable* thread_local_base(const DataLayout& layout, Value* address, std::int64_t& offset) {
  APInt distance(layout.getIndexTypeSizeInBits(address->getType()), 0);
  Value* base = address->stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true);
#if LLVM_VERSION_MAJOR >= 16
  if (auto* call = dyn_cast<IntrinsicInst>(base);
      call != nullptr && call->getIntrinsicID() == Intrinsic::threadlocal_address) {
    base = call->getArgOperand(0);
  }
#endif
  offset = distance.getSExtValue();
  auto* variable = dyn_cast<GlobalVariable>(base);
  return variable != nullptr && variable->isThreadLocal() ? variable : nullptr;
}

/// What a load of threadIdx at `offset` gives: a dimension, or two at once.
Value* index_value(Kernel& kernel, LoadInst& load, std::int64_t offset) {
  IRBuilder<> build(&load);
  const auto index = [&](std::int64_t at) -> Value* {
    return build.CreateCall(thread_index(kernel.module, static_cast<unsigned>(at / 4)));
  };
  if (offset < 0 || offset % 4 != 0) return nullptr;
  if (load.getType()->isIntegerTy(32) && offset <= 8) return index(offset);
  if (load.getType()->isIntegerTy(64) && offset <= 4) {
    Value* low = build.CreateZExt(index(offset), load.getType());
    Value* high = build.CreateShl(build.CreateZExt(index(offset + 4), load.getType()), 32);
    return build.CreateOr(low, high);
  }
  return nullptr;
}

bool is_same_for_all(const GlobalVariable& variable) {
  const StringRef name = name_in_thread(variable);
  return name == "blockIdx" || name == "blockDim" || name == "gridDim" || name == "warpSize" ||
         name == "warpfiber_current_thread";
}

/// `t = threadIdx`, where it is copied as bytes: its numbers one by one.
void split_index_copies(Kernel& kernel) {
  const DataLayout& layout = kernel.module.getDataLayout();
  SmallVector<MemCpyInst*, 4> copies;
  for (Instruction& at : instructions(kernel.function)) {
    auto* copy = dyn_cast<MemCpyInst>(&at);
    std::int64_t offset = 0;
    if (copy == nullptr || !isa<ConstantInt>(copy->getLength())) continue;
    GlobalVariable* variable = thread_local_base(layout, copy->getSource(), offset);
    const std::uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
    if (variable == nullptr || name_in_thread(*variable) != "threadIdx" || offset != 0 || bytes % 4 != 0 || bytes > 12)
      continue;
    IRBuilder<> build(copy);
    Value* to = build.CreateBitCast(copy->getDest(), PointerType::get(build.getInt32Ty(), 0));
    for (unsigned dimension = 0; dimension < bytes / 4; ++dimension) {
      Value* index = build.CreateCall(thread_index(kernel.module, dimension));
      build.CreateAlignedStore(index, build.CreateConstInBoundsGEP1_32(build.getInt32Ty(), to, dimension), Align(4));
    }
    copies.push_back(copy);
  }
  for (MemCpyInst* copy : copies) copy->eraseFromParent();
}

/// Loads of threadIdx, before passes combine them with others.
void name_indices(Kernel& kernel) {
  const DataLayout& layout = kernel.module.getDataLayout();
  SmallVector<Instruction*, 32> gone;
  for (Instruction& at : instructions(kernel.function)) {
    auto* load = dyn_cast<LoadInst>(&at);
    std::int64_t offset = 0;
    if (load == nullptr) continue;
    GlobalVariable* variable = thread_local_base(layout, load->getPointerOperand(), offset);
    if (variable == nullptr || name_in_thread(*variable) != "threadIdx") continue;
    Value* value = index_value(kernel, *load, offset);
    if (value == nullptr) continue;
    load->replaceAllUsesWith(value);
    gone.push_back(load);
  }
  for (Instruction* at : gone) at->eraseFromParent();
}

void simplify(Kernel& kernel) {
  FunctionPassManager passes;
  passes.addPass(scalar_replacement());
  passes.addPass(common_expressions());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(scalar_replacement());
  passes.addPass(SimplifyCFGPass());
  run_passes(kernel, passes);
}

/// Each barrier of an unrolled loop is the beginning of a region, with a copy of code of its own.
constexpr unsigned kMostUnrolledMeetings = 12;

/// How often a loop may run, at most or as a guess.
unsigned passes_of(Loop& loop, ScalarEvolution& evolution) {
  constexpr unsigned kUnknown = 8;  // a loop whose bound is an index of the one around it
  const unsigned passes = evolution.getSmallConstantTripCount(&loop);
  return passes != 0 ? passes : loop.getParentLoop() != nullptr ? kUnknown : 1;
}

/// LLVM is to leave loops alone that would become too many regions.
void keep_long_loops(Kernel& kernel) {
  auto& loops = kernel.analyses.getResult<LoopAnalysis>(kernel.function);
  auto& evolution = kernel.analyses.getResult<ScalarEvolutionAnalysis>(kernel.function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    unsigned passes = 1;
    for (Loop* each : loops.getLoopsInPreorder()) {
      const bool nested = loop->contains(each) && meetings_in(*each) != 0;
      const bool around =
          each != loop && each->contains(loop) && !findOptionMDForLoop(each, "llvm.loop.unroll.disable");
      if (nested || around) passes *= passes_of(*each, evolution);
    }
    if (meetings_in(*loop) * passes > kMostUnrolledMeetings) loop->setLoopAlreadyUnrolled();
  }
}

/// A shuffle in a loop that stays one would need two meetings, and arrays stay in memory.
void unroll(Kernel& kernel) {
  FunctionPassManager passes;
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate)));
  run_passes(kernel, passes);
  keep_long_loops(kernel);
  passes = FunctionPassManager();
  LoopPassManager unroll;
  unroll.addPass(IndVarSimplifyPass());
  unroll.addPass(LoopFullUnrollPass(3));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unroll)));
  passes.addPass(scalar_replacement());
  passes.addPass(common_expressions());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  run_passes(kernel, passes);
}

/// What is called in front of the closure says which kernel it is.
bool read_name(Kernel& kernel) {
  CallInst* found = nullptr;
  for (Instruction& at : instructions(kernel.function)) {
    if (called_name(&at) == "warpfiber_regions_kernel") found = cast<CallInst>(&at);
  }
  if (found == nullptr) return kernel.refuse("it has no name");
  kernel.name_text = found->getArgOperand(0);
  kernel.unit = found->getArgOperand(1);
  StringRef text;
  if (!isa<Constant>(kernel.name_text) || !isa<Constant>(kernel.unit) ||
      !getConstantStringInfo(kernel.name_text, text)) {
    return kernel.refuse("its name is not a constant");
  }
  kernel.name = text.str();
  // g++ and clang++ count lambdas differently, and a kernel is found by its name.
  if (demangle("_ZTS" + kernel.name).find("'lambda") != std::string::npos || text.contains("$_")) {
    return kernel.refuse("its template arguments have a lambda");
  }
  found->eraseFromParent();
  return true;
}

/// What comes behind a call that fails in all launches that run as loops is never reached.
void end_where_it_fails(Function& function) {
  SmallVector<CallBase*, 8> calls;
  for (BasicBlock& block : function) {
    const auto first = find_if(block, [](Instruction& at) { return asks_other_block(&at); });
    if (first != block.end()) calls.push_back(cast<CallBase>(&*first));
  }
  for (CallBase* call : calls) {
    if (isa<UnreachableInst>(call->getNextNode())) continue;
    call->setDoesNotReturn();
    changeToUnreachable(call->getNextNode());
  }
}

/// Blocks that end in a call which does not return, and those from which all ways lead there: the block of threads is
/// run on fibers from its start, and ends there with its report.
bool leave_where_it_fails(Kernel& kernel) {
  Function& function = kernel.function;
  std::set<BasicBlock*> fails;
  for (BasicBlock& block : function) {
    if (!isa<UnreachableInst>(block.getTerminator())) continue;
    for (Instruction& at : block) {
      auto* call = dyn_cast<CallBase>(&at);
      if (call != nullptr && call->doesNotReturn()) fails.insert(&block);
    }
  }
  if (fails.empty()) return true;
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : post_order(&function)) {
      if (fails.count(block) != 0 || succ_empty(block) || block == &function.getEntryBlock()) continue;
      if (!all_of(successors(block), [&](BasicBlock* to) { return fails.count(to) != 0; })) continue;
      if (any_of(*block, [](Instruction& at) { return meeting_call(&at) != MeetingCall::none; })) continue;
      changed = fails.insert(block).second;
    }
  }
  if (fails.count(&function.getEntryBlock()) != 0) return kernel.refuse("it always fails");
  auto* leave = BasicBlock::Create(kernel.context, "fails", &function);
  ReturnInst::Create(kernel.context, ConstantInt::get(function.getReturnType(), 1), leave);
  for (BasicBlock* block : fails) {
    for (BasicBlock* from : SmallVector<BasicBlock*, 8>(predecessors(block))) {
      if (fails.count(from) != 0) continue;
      block->removePredecessor(from);
      from->getTerminator()->replaceSuccessorWith(block, leave);
    }
  }
  removeUnreachableBlocks(function);
  return true;
}

/// Whether `value` is, or leads to, the address of a function, as a table of virtual functions does.
bool leads_to_function(const Value* value, std::set<const Value*>& seen) {
  if (!isa<Constant>(value) || !seen.insert(value).second) return false;
  if (auto* function = dyn_cast<Function>(value)) return !function->isIntrinsic();
  const auto* user = cast<User>(value);
  return any_of(user->operand_values(), [&](const Value* operand) { return leads_to_function(operand, seen); });
}

/// The host compiler's object has the functions, and addresses are to be equal.
bool takes_function_address(const Instruction& at) {
  const auto* call = dyn_cast<CallBase>(&at);
  std::set<const Value*> seen;
  return any_of(at.operands(), [&](const Use& operand) {
    return (call == nullptr || !call->isCallee(&operand)) && leads_to_function(operand.get(), seen);
  });
}

/// The translator has that function called where a loop waits (translated/lock_step.hpp).
std::string reason_of_call(const std::string& name) {
  if (name.rfind("warpfiber::detail::let_others_run(", 0) == 0) return kWaitingLoop;
  return "it calls " + name;
}

bool check_calls(Kernel& kernel) {
  for (Instruction& at : instructions(kernel.function)) {
    if (auto* array = dyn_cast<AllocaInst>(&at); array != nullptr && !array->isStaticAlloca()) {
      return kernel.refuse("an array on its stack whose size is not a constant");
    }
    if (isa<IndirectBrInst>(at) || isa<CallBrInst>(at)) return kernel.refuse("a jump to a place that is computed");
    if (takes_function_address(at)) return kernel.refuse("it takes the address of a function");
    auto* call = dyn_cast<CallBase>(&at);
    if (call == nullptr || meeting_call(call) != MeetingCall::none || is_look(call)) continue;
    if (called_name(call) == "warpfiber_regions_shared" || is_plain_call(*call)) continue;
    if (call->isInlineAsm()) return kernel.refuse("inline assembly");
    if (call->getCalledFunction() == nullptr) return kernel.refuse("a call through a pointer");
    return kernel.refuse(reason_of_call(demangle(called_name(call).str())));
  }
  return true;
}

/// The load, done once in front of everything.
Value* loaded_once(Kernel& kernel, LoadInst& load, Value* base, std::int64_t offset) {
  IRBuilder<> build(kernel.end_of_entry());
  auto* bytes = Type::getInt8Ty(kernel.context);
  Value* at = build.CreateBitCast(base, PointerType::get(bytes, base->getType()->getPointerAddressSpace()));
  at = build.CreateConstInBoundsGEP1_64(bytes, at, static_cast<std::uint64_t>(offset));
  at = build.CreateBitCast(at, load.getPointerOperandType());
  return build.CreateAlignedLoad(load.getType(), at, load.getAlign());
}

/// Of threadIdx, blockIdx and the like.
bool read_built_in_variables(Kernel& kernel) {
  name_indices(kernel);  // those that passes have only now made loads of one place
  const DataLayout& layout = kernel.module.getDataLayout();
  SmallVector<Instruction*, 32> gone;
  for (Instruction& at : instructions(kernel.function)) {
    if (at.getParent() == kernel.entry) continue;
    std::int64_t offset = 0;
    if (auto* store = dyn_cast<StoreInst>(&at)) {
      if (thread_local_base(layout, store->getPointerOperand(), offset) != nullptr) {
        return kernel.refuse("it writes a variable of the thread that runs it");
      }
    }
    auto* load = dyn_cast<LoadInst>(&at);
    if (load == nullptr) continue;
    GlobalVariable* variable = thread_local_base(layout, load->getPointerOperand(), offset);
    if (variable == nullptr) continue;
    Value* value = nullptr;
    if (is_same_for_all(*variable)) value = loaded_once(kernel, *load, variable, offset);
    if (value == nullptr) return kernel.refuse("it reads " + name_in_thread(*variable) + " in a way that is not known");
    load->replaceAllUsesWith(value);
    gone.push_back(load);
  }
  for (Instruction* at : gone) at->eraseFromParent();
  return true;
}

bool names(const Value* value, const Kernel& kernel) {
  if (auto* at = dyn_cast<Instruction>(value)) {
    if (at->getFunction() != &kernel.function) return false;
    if (called_name(at) != "llvm.threadlocal.address.p0") return true;
  } else if (!isa<ConstantExpr>(value)) {
    return false;
  }
  return any_of(value->users(), [&](const User* user) { return names(user, kernel); });
}

/// Whether a variable of the OS thread is used other than by loads that have been understood: it would be that of none
/// of the kernel's threads.
bool uses_other_variables(Kernel& kernel) {
  for (GlobalVariable& variable : kernel.module.globals()) {
    if (!variable.isThreadLocal() || is_same_for_all(variable)) continue;
    if (none_of(variable.users(), [&](const User* user) { return names(user, kernel); })) continue;
    kernel.refuse("it uses " + variable.getName() + " in a way that is not known");
    return true;
  }
  return false;
}

/// Arguments with constant places among them are read once, and shared variables found.
void read_arguments(Kernel& kernel) {
  const DataLayout& layout = kernel.module.getDataLayout();
  Argument* closure = kernel.function.getArg(0);
  closure->addAttr(Attribute::NoAlias);
  closure->addAttr(Attribute::ReadOnly);
  SmallVector<Instruction*, 32> gone;
  for (Instruction& at : instructions(kernel.function)) {
    if (at.getParent() == kernel.entry) continue;
    if (called_name(&at) == "warpfiber_regions_shared") {
      if (isa<Constant>(cast<CallInst>(at).getArgOperand(0))) gone.push_back(&at);
      continue;
    }
    auto* load = dyn_cast<LoadInst>(&at);
    if (load == nullptr || load->isVolatile()) continue;
    APInt distance(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, distance, true);
    if (base != closure) continue;
    load->replaceAllUsesWith(loaded_once(kernel, *load, closure, distance.getSExtValue()));
    gone.push_back(load);
  }
  for (Instruction* at : gone) {
    if (isa<CallInst>(at)) {
      at->moveBefore(kernel.end_of_entry());
    } else {
      at->eraseFromParent();
    }
  }
}

/// Once loops have been looked at.
void forget_looks(Function& function) {
  SmallVector<Instruction*, 8> gone;
  for (Instruction& at : instructions(function)) {
    if (is_look(&at)) gone.push_back(&at);
  }
  for (Instruction* at : gone) at->eraseFromParent();
}

void make_entry(Kernel& kernel) {
  kernel.entry = &kernel.function.getEntryBlock();
  SmallVector<AllocaInst*, 8> arrays;
  for (Instruction& at : instructions(kernel.function)) {
    if (auto* array = dyn_cast<AllocaInst>(&at)) arrays.push_back(array);
  }
  kernel.body = SplitBlock(kernel.entry, &*kernel.entry->getFirstInsertionPt());
  for (AllocaInst* array : arrays) array->moveBefore(kernel.end_of_entry());
  kernel.arrays.assign(arrays.begin(), arrays.end());
}

void read_extents(Kernel& kernel) {
  IRBuilder<> build(kernel.end_of_entry());
  auto* word = build.getInt32Ty();
  GlobalVariable* variable = variable_of_thread(kernel.module, "blockDim", ArrayType::get(word, 3));
  Value* at = build.CreateBitCast(variable, PointerType::get(word, 0));
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    kernel.extent[dimension] = build.CreateLoad(word, build.CreateConstInBoundsGEP1_32(word, at, dimension), "extent");
  }
  kernel.threads = build.CreateMul(build.CreateMul(kernel.extent[0], kernel.extent[1]), kernel.extent[2], "threads");
}

}  // namespace

bool prepare(Kernel& kernel) {
  if (!inline_calls(kernel)) return false;
  if (exits(kernel.function)) return kernel.refuse("it ends threads by exit of PTX");
  if (catches(kernel.function)) return kernel.refuse("it catches exceptions");
  lower_invokes(kernel);
  forget_lifetimes(kernel.function);
  split_index_copies(kernel);
  name_indices(kernel);
  simplify(kernel);
  if (!read_name(kernel)) return false;
  unroll(kernel);
  finish_powers(kernel.function);
  end_where_it_fails(kernel.function);
  // Last, for passes would make one return of all.
  if (!leave_where_it_fails(kernel) || !check_calls(kernel)) return false;
  make_entry(kernel);
  read_extents(kernel);
  if (!read_built_in_variables(kernel) || uses_other_variables(kernel)) return false;
  read_arguments(kernel);
  if (waits_in_loop(kernel)) return false;
  forget_looks(kernel.function);
  return true;
}

}  // namespace warpfiber::regions
