// SPDX-License-Identifier: Apache-2.0
// Makes the function of a block: for each region a loop over the threads with a copy of the region's code in it, and
// behind it a jump to the region that is next.
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "regions/kernel.hpp"
#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// What all regions share.
struct BlockFrame {
  AllocaInst* next = nullptr;         // where threads that go different ways are next, by thread
  AllocaInst* active = nullptr;       // whether each runs the region that is next
  AllocaInst* threads_of = nullptr;   // from which to which thread they are, and whether those all do
  AllocaInst* next_of_all = nullptr;  // where all are next
  GlobalVariable* lanes = nullptr;    // that meet in front of each region
  Value* masks = nullptr;             // by region, where the masks of its threads are
  Value* progress = nullptr;          // the count of the OS thread, by which the watchdog sees that threads get on
  Value* ask_from = nullptr;          // the count from which on the watchdog looks at the block
  BasicBlock* done = nullptr;
  BasicBlock* repeat = nullptr;
  std::vector<BasicBlock*> heads;             // of regions
  PHINode* choice = nullptr;                  // of the next one, where threads may be anywhere
  std::vector<AllocaInst*> locals;            // which become registers again
  std::map<AllocaInst*, AllocaInst*> arrays;  // what one thread has, and what all have
};

/// Whether each thread says at its end in which region it goes on.
bool chooses_by_thread(const Kernel& kernel, const KernelRegion& region) {
  return !region.uniform_exit || (kernel.lanes_diverge && region.may_be_skipped);
}

/// Whether a thread may be in the region for long.
bool has_cycle(const KernelRegion& region) {
  std::set<const BasicBlock*> done;
  std::set<const BasicBlock*> open;
  SmallVector<std::pair<const BasicBlock*, bool>, 16> work{{region.first, false}};
  while (!work.empty()) {
    const auto [block, leaves] = work.pop_back_val();
    if (leaves) {
      open.erase(block);
      done.insert(block);
      continue;
    }
    if (open.count(block) != 0) return true;
    if (done.count(block) != 0) continue;
    open.insert(block);
    work.emplace_back(block, true);
    for (const BasicBlock* to : successors(block)) {
      if (region.blocks.count(const_cast<BasicBlock*>(to)) != 0) work.emplace_back(to, false);
    }
  }
  return false;
}

/// One region.
class RegionLoop {
 public:
  RegionLoop(Kernel& kernel, BlockFrame& frame, KernelRegion& region)
      : kernel_(kernel), frame_(frame), region_(region), build_(kernel.context) {
    accesses_ = MDNode::getDistinct(kernel.context, {});
  }

  void make() {
    make_blocks();
    begin_loops();
    load_values();
    copy_code();
    end_loops();
    choose_next();
  }

 private:
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(kernel_.context, Twine(name) + Twine(region_.id), &kernel_.function);
  }

  /// No thread depends here on what another does in this region: its loop may be vectorised.
  Instruction* independent(Instruction* access) {
    access->setMetadata(LLVMContext::MD_access_group, accesses_);
    return access;
  }

  Value* element(AllocaInst* array, IRBuilder<>& build) {
    return build.CreateInBoundsGEP(array->getAllocatedType(), array, {build.getInt64(0), thread_});
  }

  void make_blocks() {
    planes_ = block("planes");
    kernel_.loop_headers.emplace_back(planes_);
    rows_ = block("rows");
    row_ = block("row");
    start_ = block("start");
    end_ = block("end");
    row_end_ = block("row_end");
    rows_end_ = block("rows_end");
    after_ = block("after");
  }

  /// In front of the loop: what lanes have brought is combined, and what is the same for all comes into registers.
  BasicBlock* enter() {
    build_.SetInsertPoint(frame_.heads[region_.id]);
    Value* progress = count_progress();
    if (region_.look != RegionLook::none)
      make_look(kernel_, region_, build_, progress, frame_.ask_from, {frame_.next, frame_.arrays});
    if (region_.collective >= 0) {
      const Collective& collective = kernel_.collectives[static_cast<unsigned>(region_.collective)];
      if (is_shuffle(collective.formula())) {
        if (region_.may_be_skipped) forget_returned(collective.brought);
      } else if (region_.masks >= 0) {
        compute_masked(collective, kernel_.masks[static_cast<unsigned>(region_.masks)]);
      } else {
        compute(collective);
      }
    }
    for (const CarriedValue& value : kernel_.carried) {
      if (value.how == Carried::once && value.live_into.count(region_.id) != 0) {
        same_[value.local] = build_.CreateLoad(value.type, value.storage);
      }
    }
    first_x_ = build_.getInt32(0);
    end_x_ = kernel_.extent[0];
    if (region_.may_be_skipped) load_range();
    return build_.CreateBr(planes_)->getParent();
  }

  /// Ticks read it between any two instructions.
  Value* count_progress() {
    auto* number = build_.getInt64Ty();
    LoadInst* before = build_.CreateAlignedLoad(number, frame_.progress, Align(8));
    Value* now = build_.CreateAdd(before, build_.getInt64(1));
    StoreInst* store = build_.CreateAlignedStore(now, frame_.progress, Align(8));
    before->setAtomic(AtomicOrdering::Monotonic);
    store->setAtomic(AtomicOrdering::Monotonic);
    return now;
  }

  /// Of a block with one row, threads outside of the range are left out.
  void load_range() {
    const auto field = [&](unsigned number) {
      Type* type = frame_.threads_of->getAllocatedType();
      return build_.CreateLoad(build_.getInt32Ty(), build_.CreateStructGEP(type, frame_.threads_of, number));
    };
    Value* first = field(0);
    Value* end = field(1);
    Value* all = build_.CreateICmpNE(field(2), build_.getInt32(0));
    Value* flat = build_.CreateICmpEQ(kernel_.extent[0], kernel_.threads);
    Value* whole = build_.CreateICmpEQ(build_.CreateSub(end, first), kernel_.threads);
    all_active_ = build_.CreateAnd(all, build_.CreateOr(flat, whole));
    first_x_ = build_.CreateSelect(flat, first, first_x_);
    end_x_ = build_.CreateSelect(flat, end, end_x_);
  }

  /// Calls a function of the library (src/models/machine/region_meetings.hpp), to which addresses are those of bytes.
  Value* call_library(const char* name, Type* result, std::initializer_list<Value*> operands) {
    SmallVector<Value*, 8> arguments;
    SmallVector<Type*, 8> types;
    for (Value* each : operands) {
      const bool is_address = each->getType()->isPointerTy();
      arguments.push_back(is_address ? build_.CreateBitCast(each, bytes()) : each);
      types.push_back(arguments.back()->getType());
    }
    FunctionCallee callee = kernel_.module.getOrInsertFunction(name, FunctionType::get(result, types, false));
    auto* function = cast<Function>(callee.getCallee());
    function->setDoesNotThrow();
    for (unsigned i = 0; i < types.size(); ++i) {
      if (types[i]->isPointerTy()) function->addParamAttr(i, Attribute::NoCapture);
    }
    return build_.CreateCall(callee, arguments);
  }

  PointerType* bytes() { return PointerType::get(build_.getInt8Ty(), 0); }

  Value* id_of(const Collective& collective) {
    return build_.getInt32(static_cast<std::uint32_t>(collective.operation));
  }

  void compute(const Collective& collective) {
    Value* next = kernel_.may_return_early ? frame_.next : static_cast<Value*>(ConstantPointerNull::get(bytes()));
    if (collective.lanes == 0) {
      call_library("warpfiber_regions_block_collective", build_.getVoidTy(),
                   {id_of(collective), collective.brought, collective.results, next, kernel_.threads});
    } else {
      call_library("warpfiber_regions_collective", build_.getVoidTy(),
                   {id_of(collective), build_.getInt32(collective.words), build_.getInt32(collective.lanes),
                    collective.brought, collective.results, next, kernel_.threads});
    }
  }

  /// A shuffle gets 0 from a thread that has returned.
  void forget_returned(AllocaInst* exchange) {
    Type* element = cast<ArrayType>(exchange->getAllocatedType())->getElementType();
    const auto size = static_cast<std::uint32_t>(kernel_.module.getDataLayout().getTypeAllocSize(element));
    call_library("warpfiber_regions_forget_returned", build_.getVoidTy(),
                 {exchange, build_.getInt32(size), frame_.next, kernel_.threads});
  }

  void compute_masked(const Collective& collective, AllocaInst* masks) {
    call_library("warpfiber_regions_masked_collective", build_.getVoidTy(),
                 {id_of(collective), build_.getInt32(collective.words), collective.brought, collective.results,
                  frame_.next, frame_.active, frame_.threads_of, masks});
  }

  void begin_loops() {
    BasicBlock* const entered = enter();
    auto* word = build_.getInt32Ty();
    build_.SetInsertPoint(planes_);
    z_ = build_.CreatePHI(word, 2, "z");
    z_->addIncoming(build_.getInt32(0), entered);
    Value* first_row = build_.CreateNUWMul(z_, kernel_.extent[1]);
    build_.CreateBr(rows_);
    build_.SetInsertPoint(rows_);
    y_ = build_.CreatePHI(word, 2, "y");
    y_->addIncoming(build_.getInt32(0), planes_);
    Value* first = build_.CreateNUWMul(build_.CreateNUWAdd(first_row, y_), kernel_.extent[0]);
    build_.CreateBr(row_);
    build_.SetInsertPoint(row_);
    x_ = build_.CreatePHI(word, 2, "x");
    x_->addIncoming(first_x_, rows_);
    thread_ = build_.CreateZExt(build_.CreateNUWAdd(first, x_, "rank"), build_.getInt64Ty());
    if (region_.may_be_skipped) {
      Value* active = independent(build_.CreateLoad(build_.getInt8Ty(), element(frame_.active, build_)));
      build_.CreateCondBr(build_.CreateOr(all_active_, build_.CreateICmpNE(active, build_.getInt8(0))), start_, end_);
    } else {
      build_.CreateBr(start_);
    }
  }

  void load_values() {
    build_.SetInsertPoint(start_);
    if (has_cycle(region_)) count_progress();
    find_used();
    for (const CarriedValue& value : kernel_.carried) {
      if (value.live_into.count(region_.id) == 0 && used_.count(value.local) == 0) continue;
      auto* local = new AllocaInst(value.type, 0, nullptr, "local", kernel_.end_of_entry());
      frame_.locals.push_back(local);
      map_[value.local] = local;
      if (value.live_into.count(region_.id) == 0) continue;
      if (value.how == Carried::once) build_.CreateStore(same_[value.local], local);
      if (value.how == Carried::each) {
        build_.CreateStore(independent(build_.CreateLoad(value.type, element(value.storage, build_))), local);
      }
    }
    for (auto [one, all] : frame_.arrays) map_[one] = build_.CreateBitCast(element(all, build_), one->getType());
  }

  /// Which variables of threads the region's code has to do with, and which of them it writes.
  void find_used() {
    for (const BasicBlock* block : region_.blocks) {
      for (const Instruction& at : *block) {
        for (const Value* operand : at.operands()) {
          if (isa<AllocaInst>(operand)) used_.insert(operand);
        }
        if (auto* store = dyn_cast<StoreInst>(&at)) written_.insert(store->getPointerOperand());
      }
    }
  }

  /// The way of a thread out of the region, to region `to`: what is live there is kept.
  BasicBlock* way_out(unsigned to) {
    BasicBlock* way = block("out");
    IRBuilder<> build(way);
    for (const CarriedValue& value : kernel_.carried) {
      if (to == kThreadReturned || value.live_into.count(to) == 0 || value.how == Carried::recomputed) continue;
      if (written_.count(value.local) == 0) continue;
      Value* now = build.CreateLoad(value.type, cast<Value>(map_[value.local]));
      if (value.how == Carried::once) {
        build.CreateStore(now, value.storage);
      } else {
        independent(build.CreateStore(now, element(value.storage, build)));
      }
    }
    if (chooses_by_thread(kernel_, region_)) {
      independent(build.CreateStore(build.getInt8(static_cast<std::uint8_t>(to)), element(frame_.next, build)));
    } else if (region_.exits.size() > 1) {
      build.CreateStore(build.getInt32(to), frame_.next_of_all);
    }
    build.CreateBr(end_);
    return way;
  }

  void copy_code() {
    std::vector<BasicBlock*> copies;
    for (BasicBlock* from : region_.blocks) {
      BasicBlock* copy = CloneBasicBlock(from, map_, ".region" + Twine(region_.id), &kernel_.function);
      map_[from] = copy;
      copies.push_back(copy);
    }
    build_.CreateBr(cast<BasicBlock>(map_[region_.first]));
    std::map<unsigned, BasicBlock*> ways;
    for (unsigned to : region_.exits) ways[to] = way_out(to);
    for (auto [meeting, behind] : kernel_.region_behind) {
      if (region_.exits.count(behind) != 0) map_[meeting] = ways[behind];
    }
    for (BasicBlock* copy : copies) {
      forget_other_ways(*copy);
      for (Instruction& at : *copy) {
        RemapInstruction(&at, map_, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      }
      replace_indices(*copy);
      auto* end = dyn_cast<ReturnInst>(copy->getTerminator());
      if (end == nullptr || leaves_to_fibers(*copy)) continue;
      ReplaceInstWithInst(end, BranchInst::Create(ways[kThreadReturned]));
    }
  }

  void forget_other_ways(BasicBlock& copy) {
    for (PHINode& phi : copy.phis()) {
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
        if (!region_.blocks.count(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
      }
    }
  }

  void replace_indices(BasicBlock& copy) {
    Value* const indices[] = {x_, y_, z_};
    SmallVector<Instruction*, 8> gone;
    for (Instruction& at : copy) {
      if (at.getMetadata(kAtomicMetadata) != nullptr) continue;
      if (const int dimension = index_dimension(&at); dimension >= 0) {
        at.replaceAllUsesWith(indices[dimension]);
        gone.push_back(&at);
      } else if (auto* load = dyn_cast<LoadInst>(&at); load != nullptr && load->isSimple()) {
        independent(load);
      } else if (auto* store = dyn_cast<StoreInst>(&at); store != nullptr && store->isSimple()) {
        independent(store);
      }
    }
    for (Instruction* at : gone) at->eraseFromParent();
  }

  void end_loop(PHINode* index, BasicBlock* end, Value* extent, BasicBlock* again, BasicBlock* out) {
    build_.SetInsertPoint(end);
    Value* following = build_.CreateNUWAdd(index, build_.getInt32(1));
    index->addIncoming(following, end);
    BranchInst* branch = build_.CreateCondBr(build_.CreateICmpULT(following, extent), again, out);
    LLVMContext& context = kernel_.context;
    auto* parallel = MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), accesses_});
    auto* progress = MDNode::get(context, {MDString::get(context, "llvm.loop.mustprogress")});
    SmallVector<Metadata*, 4> operands{nullptr, parallel, progress};
    // Only the loop within the others is worth it.
    if (index != x_) operands.push_back(MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")}));
    MDNode* id = MDNode::getDistinct(context, operands);
    id->replaceOperandWith(0, id);
    branch->setMetadata(LLVMContext::MD_loop, id);
  }

  void end_loops() {
    end_loop(x_, end_, end_x_, row_, row_end_);
    end_loop(y_, row_end_, kernel_.extent[1], rows_, rows_end_);
    end_loop(z_, rows_end_, kernel_.extent[2], planes_, after_);
  }

  BasicBlock* head_of(unsigned to) const { return to == kThreadReturned ? frame_.done : frame_.heads[to]; }

  void choose_next() {
    build_.SetInsertPoint(after_);
    const bool asked = chooses_by_thread(kernel_, region_);
    if (region_.exits.empty()) {
      build_.CreateBr(frame_.repeat);
      return;
    }
    if (!asked && region_.exits.size() == 1) {
      build_.CreateBr(head_of(*region_.exits.begin()));
      return;
    }
    if (asked && kernel_.lanes_diverge) {
      frame_.choice->addIncoming(next_by_threads(), after_);
      build_.CreateBr(frame_.choice->getParent());
      return;
    }
    Value* next = asked ? next_by_threads() : build_.CreateLoad(build_.getInt32Ty(), frame_.next_of_all);
    std::set<unsigned> targets = region_.exits;
    if (asked) targets.insert(kThreadReturned);
    SwitchInst* choice = build_.CreateSwitch(next, frame_.repeat, static_cast<unsigned>(targets.size()));
    for (unsigned to : targets) choice->addCase(build_.getInt32(to), head_of(to));
  }

  Value* next_by_threads() {
    return call_library("warpfiber_regions_next", build_.getInt32Ty(),
                        {frame_.next, frame_.active, frame_.threads_of, kernel_.threads, frame_.lanes, frame_.masks});
  }

  Kernel& kernel_;
  BlockFrame& frame_;
  KernelRegion& region_;
  IRBuilder<> build_;
  MDNode* accesses_ = nullptr;
  ValueToValueMapTy map_;
  std::set<const Value*> used_;
  std::set<const Value*> written_;
  std::map<AllocaInst*, Value*> same_;
  BasicBlock *planes_ = nullptr, *rows_ = nullptr, *row_ = nullptr, *start_ = nullptr, *end_ = nullptr;
  BasicBlock *row_end_ = nullptr, *rows_end_ = nullptr, *after_ = nullptr;
  PHINode *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
  Value* thread_ = nullptr;      // its number in the block
  Value* all_active_ = nullptr;  // of the range that the loop over x covers
  Value* first_x_ = nullptr;
  Value* end_x_ = nullptr;
};

/// A number of detail::CurrentThread that is `offset` bytes from its start.
Value* place_in_current_thread(Kernel& kernel, unsigned offset) {
  IRBuilder<> build(kernel.end_of_entry());
  auto* byte = build.getInt8Ty();
  GlobalVariable* variable = variable_of_thread(kernel.module, "warpfiber_current_thread", byte);
  Value* at = build.CreateBitCast(variable, PointerType::get(byte, 0));
  at = build.CreateConstInBoundsGEP1_64(byte, at, offset);
  return build.CreateBitCast(at, PointerType::get(build.getInt64Ty(), 0));
}

GlobalVariable* lanes_of_regions(Kernel& kernel) {
  std::vector<std::uint8_t> lanes;
  for (const KernelRegion& region : kernel.regions) lanes.push_back(static_cast<std::uint8_t>(region.lanes));
  Constant* values = ConstantDataArray::get(kernel.context, lanes);
  return new GlobalVariable(kernel.module, values->getType(), true, GlobalValue::InternalLinkage, values, "lanes");
}

/// An array of pointers, by region; null where no thread names a mask.
Value* masks_of_regions(Kernel& kernel) {
  IRBuilder<> build(kernel.end_of_entry());
  auto* bytes = PointerType::get(build.getInt8Ty(), 0);
  if (kernel.masks.empty()) return ConstantPointerNull::get(bytes);
  auto* type = ArrayType::get(bytes, kernel.regions.size());
  AllocaInst* table = one_for_all(kernel, type, "masks_of_regions");
  build.SetInsertPoint(kernel.end_of_entry());
  for (const KernelRegion& region : kernel.regions) {
    if (region.masks < 0) continue;
    Value* masks = build.CreateBitCast(kernel.masks[static_cast<unsigned>(region.masks)], bytes);
    build.CreateStore(masks, build.CreateConstInBoundsGEP2_32(type, table, 0, region.id));
  }
  return build.CreateBitCast(table, bytes);
}

/// Lanes of the last warp that the block does not have count as threads that have returned.
void clear_missing_lanes(Kernel& kernel) {
  IRBuilder<> build(kernel.end_of_entry());
  const auto clear = [&](AllocaInst* array) {
    auto* type = cast<ArrayType>(array->getAllocatedType());
    const std::uint64_t size = kernel.module.getDataLayout().getTypeAllocSize(type->getElementType());
    Value* first =
        build.CreateInBoundsGEP(type, array, {build.getInt64(0), build.CreateZExt(kernel.threads, build.getInt64Ty())});
    Value* missing = build.CreateAnd(build.CreateNeg(kernel.threads), kWarp - 1);
    build.CreateMemSet(first, build.getInt8(0),
                       build.CreateMul(missing, build.getInt32(static_cast<std::uint32_t>(size))), MaybeAlign());
  };
  for (const Collective& each : kernel.collectives) {
    if (is_shuffle(each.formula())) clear(each.brought);
  }
}

/// An array of each thread, for all threads: each has the alignment that its accesses rely on.
AllocaInst* array_of_all(Kernel& kernel, AllocaInst& one) {
  Type* type = one.getAllocatedType();
  const std::uint64_t size = kernel.module.getDataLayout().getTypeAllocSize(type);
  const std::uint64_t padding = alignTo(size, one.getAlign()) - size;
  if (padding != 0) type = StructType::get(type, ArrayType::get(Type::getInt8Ty(kernel.context), padding));
  AllocaInst* all = array_of_threads(kernel, type, "own");
  all->setAlignment(std::max(all->getAlign(), one.getAlign()));
  return all;
}

BlockFrame make_frame(Kernel& kernel) {
  BlockFrame frame;
  IRBuilder<> build(kernel.end_of_entry());
  auto* byte = build.getInt8Ty();
  frame.progress = place_in_current_thread(kernel, detail::kPlaceOfProgress);
  frame.ask_from = place_in_current_thread(kernel, detail::kPlaceOfAskFrom);
  frame.next_of_all = one_for_all(kernel, build.getInt32Ty(), "next_of_all");
  frame.locals.push_back(frame.next_of_all);
  if (kernel.may_return_early) {
    frame.next = array_of_threads(kernel, byte, "next");
    frame.active = array_of_threads(kernel, byte, "active");
    auto* word = build.getInt32Ty();
    auto* range = StructType::getTypeByName(kernel.context, "warpfiber.threads_of");
    if (range == nullptr) range = StructType::create("warpfiber.threads_of", word, word, word);
    frame.threads_of = one_for_all(kernel, range, "threads_of");
    build.SetInsertPoint(kernel.end_of_entry());
    build.CreateStore(build.getInt32(0), build.CreateStructGEP(range, frame.threads_of, 0));
    build.CreateStore(kernel.threads, build.CreateStructGEP(range, frame.threads_of, 1));
    build.CreateStore(build.getInt32(1), build.CreateStructGEP(range, frame.threads_of, 2));
    // Read by collectives before any region has asked.
    build.CreateMemSet(frame.next, build.getInt8(0), kernel.threads, MaybeAlign(64));
    frame.lanes = lanes_of_regions(kernel);
    frame.masks = masks_of_regions(kernel);
  }
  for (const CarriedValue& value : kernel.carried) {
    frame.locals.push_back(value.local);
    if (value.how == Carried::once) frame.locals.push_back(value.storage);
  }
  for (AllocaInst* array : kernel.arrays) {
    if (!array->use_empty()) frame.arrays[array] = array_of_all(kernel, *array);
  }
  const auto result = [&](const char* name, std::uint32_t value) {
    auto* block = BasicBlock::Create(kernel.context, name, &kernel.function);
    ReturnInst::Create(kernel.context, build.getInt32(value), block);
    return block;
  };
  if (kernel.lanes_diverge) {
    auto* block = BasicBlock::Create(kernel.context, "choice", &kernel.function);
    frame.choice = PHINode::Create(build.getInt32Ty(), 0, "next", block);
  }
  frame.done = result("done", detail::kBlockDone);
  frame.repeat = result("repeat", kBlockToRepeat);
  for (const KernelRegion& region : kernel.regions) {
    frame.heads.push_back(BasicBlock::Create(kernel.context, "region" + Twine(region.id), &kernel.function));
  }
  return frame;
}

/// Behind any region the next one may be any that some threads may leave out.
void finish_choice(Kernel& kernel, BlockFrame& frame) {
  if (frame.choice == nullptr) return;
  IRBuilder<> build(frame.choice->getParent());
  SwitchInst* choice = build.CreateSwitch(frame.choice, frame.repeat);
  choice->addCase(build.getInt32(kThreadReturned), frame.done);
  for (const KernelRegion& region : kernel.regions) choice->addCase(build.getInt32(region.id), frame.heads[region.id]);
}

}  // namespace

bool make_loops(Kernel& kernel) {
  BlockFrame frame = make_frame(kernel);
  clear_missing_lanes(kernel);
  for (KernelRegion& region : kernel.regions) RegionLoop(kernel, frame, region).make();
  finish_choice(kernel, frame);
  kernel.end_of_entry()->setSuccessor(0, frame.heads[0]);
  EliminateUnreachableBlocks(kernel.function);
  std::vector<AllocaInst*> registers;
  for (AllocaInst* local : frame.locals) {
    if (isAllocaPromotable(local)) registers.push_back(local);
  }
  DominatorTree dominators(kernel.function);
  PromoteMemToReg(registers, dominators);
  outline_regions(kernel);
  ask_for_stack(kernel);
  kernel.function.removeFnAttr(Attribute::Convergent);
  kernel.analyses.invalidate(kernel.function, PreservedAnalyses::none());
  std::string broken;
  raw_string_ostream text(broken);
  if (verifyFunction(kernel.function, &text)) return kernel.refuse("internal error: " + text.str());
  return true;
}

}  // namespace warpfiber::regions
