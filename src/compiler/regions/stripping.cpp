// SPDX-License-Identifier: Apache-2.0
// Takes out of a module what is in the host compiler's object.
#include "regions/stripping.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <set>

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

}  // namespace warpfiber::regions
