// SPDX-License-Identifier: Apache-2.0
// Takes out of a module what is in the host compiler's object, and registers copies of functions for newer machines.
#include "regions/module.hpp"

#include <set>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr const char* kLocal = "warpfiber.local_symbols";

void forget_lists(Module& module) {
  for (const char* name :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used", "llvm.global.annotations"}) {
    if (GlobalVariable* list = module.getNamedGlobal(name)) list->eraseFromParent();
  }
}

void forget_bodies(Module& module, const std::set<Function*>& keep) {
  for (Function& function : module) {
    if (function.isDeclaration() || keep.count(&function) != 0 || function.hasLocalLinkage()) continue;
    if (function.hasLinkOnceLinkage()) continue;  // goes if it is not used
    function.deleteBody();
    function.setComdat(nullptr);
    function.setLinkage(GlobalValue::ExternalLinkage);
  }
}

/// Variables are those of the host compiler's object. Constants may be copies.
void refer_to_variables(Module& module) {
  NamedMDNode* locals = module.getOrInsertNamedMetadata(kLocal);
  for (GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration()) continue;
    if (variable.isConstant() && (variable.hasLocalLinkage() || variable.hasLinkOnceODRLinkage())) continue;
    if (variable.hasLocalLinkage()) {
      auto* name = MDString::get(module.getContext(), variable.getName());
      locals->addOperand(MDNode::get(module.getContext(), {name, ValueAsMetadata::get(&variable)}));
    }
    variable.setInitializer(nullptr);
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setDSOLocal(false);
  }
}

}  // namespace

void keep_only(Module& module, const std::vector<Function*>& keep) {
  forget_lists(module);
  forget_bodies(module, std::set<Function*>(keep.begin(), keep.end()));
  refer_to_variables(module);
  StripDebugInfo(module);
}

std::vector<std::string> local_symbols_needed(const Module& module) {
  std::vector<std::string> names;
  const NamedMDNode* locals = module.getNamedMetadata(kLocal);
  if (locals == nullptr) return names;
  for (const MDNode* node : locals->operands()) {
    const std::string name = cast<MDString>(node->getOperand(0))->getString().str();
    const GlobalVariable* variable = module.getNamedGlobal(name);
    if (variable != nullptr && !variable->use_empty()) names.push_back(name);
  }
  return names;
}

using namespace llvm;

namespace {

constexpr const char* kMachines[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
constexpr unsigned kMachineCount = 3;

void compile_for(Function& function, const char* machine, const char* vector_bits) {
  function.addFnAttr("target-cpu", machine);
  function.addFnAttr("tune-cpu", "generic");
  function.removeFnAttr("target-features");
  function.addFnAttr("min-legal-vector-width", "0");
  function.addFnAttr("prefer-vector-width", vector_bits);
}

Function* copy_of(Function& function, const char* suffix, ValueToValueMapTy& map) {
  Function* copy = CloneFunction(&function, map);
  copy->setName(function.getName() + suffix);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  return copy;
}

/// A function of a block with its parts, all of them for one kind of machine.
Function* copy_for(const BlockFunction& block, const char* suffix, const char* machine, const char* vector_bits) {
  ValueToValueMapTy map;
  for (Function* part : block.parts) {
    ValueToValueMapTy of_part;
    Function* copy = copy_of(*part, suffix, of_part);
    compile_for(*copy, machine, vector_bits);
    map[part] = copy;
  }
  Function* copy = copy_of(*block.function, suffix, map);
  compile_for(*copy, machine, vector_bits);
  return copy;
}

Constant* record_of(Module& module, StructType* type, const BlockFunction& block) {
  LLVMContext& context = module.getContext();
  Type* number = Type::getInt64Ty(context);
  Type* pointer = type->getElementType(0);
  block.function->setLinkage(GlobalValue::InternalLinkage);
  block.function->setComdat(nullptr);
  Function* for_v3 = copy_for(block, ".v3", kMachines[1], "256");
  Function* for_v4 = copy_for(block, ".v4", kMachines[2], "512");
  compile_for(*block.function, kMachines[0], "128");
  for (Function* part : block.parts) compile_for(*part, kMachines[0], "128");
  std::vector<Constant*> runs;
  for (Function* each : {block.function, for_v3, for_v4}) runs.push_back(ConstantExpr::getBitCast(each, pointer));
  auto* array = ArrayType::get(pointer, kMachineCount);
  return ConstantStruct::get(
      type, {ConstantExpr::getBitCast(block.name, pointer), block.unit, ConstantArray::get(array, runs),
             ConstantInt::get(number, block.stack_bytes), ConstantInt::get(number, block.needs_whole_rows ? 1 : 0)});
}

}  // namespace

void register_functions(Module& module, const std::vector<BlockFunction>& functions) {
  LLVMContext& context = module.getContext();
  Type* number = Type::getInt64Ty(context);
  auto* pointer = PointerType::get(Type::getInt8Ty(context), 0);
  auto* type = StructType::get(context, {pointer, number, ArrayType::get(pointer, kMachineCount), number, number});
  auto* start = Function::Create(FunctionType::get(Type::getVoidTy(context), false), GlobalValue::InternalLinkage,
                                 "warpfiber.register_regions", module);
  IRBuilder<> build(BasicBlock::Create(context, "", start));
  FunctionCallee call = module.getOrInsertFunction("warpfiber_register_regions", build.getVoidTy(), pointer);
  for (const BlockFunction& each : functions) {
    auto* record = new GlobalVariable(module, type, true, GlobalValue::InternalLinkage, record_of(module, type, each),
                                      "warpfiber.regions");
    build.CreateCall(call, build.CreateBitCast(record, pointer));
  }
  build.CreateRetVoid();
  appendToGlobalCtors(module, start, 65535);
}

}  // namespace warpfiber::regions
