// SPDX-License-Identifier: Apache-2.0
// Products with sums, and powers.
#include "regions/module.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cmath>

#include "regions/names.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

/// `#pragma STDC FP_CONTRACT ON` lets clang++ fuse products with sums, which g++ does not do.
void split_product(IntrinsicInst& fused) {
  IRBuilder<> build(&fused);
  Value* product = build.CreateFMul(fused.getArgOperand(0), fused.getArgOperand(1));
  fused.replaceAllUsesWith(build.CreateFAdd(product, fused.getArgOperand(2)));
  fused.eraseFromParent();
}

/// pow(0.5, x) would become exp2(-x), and pow(x, 0.5) sqrt(x), whose last bits are others; g++ calls pow().
void call_pow(IntrinsicInst& power) {
  Type* type = power.getType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return;
  IRBuilder<> build(&power);
  const FunctionCallee pow =
      power.getModule()->getOrInsertFunction(type->isFloatTy() ? "powf" : "pow", type, type, type);
  CallInst* call = build.CreateCall(pow, {power.getArgOperand(0), power.getArgOperand(1)});
  call->addFnAttr(Attribute::NoBuiltin);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  power.replaceAllUsesWith(call);
  power.eraseFromParent();
}

/// The nearest number of the type: what a compiler computes that rounds once.
Constant* rounded_power(const ConstantFP& base, const ConstantFP& exponent) {
  const bool is_float = base.getType()->isFloatTy();
  const auto number = [&](const ConstantFP& of) {
    return is_float ? static_cast<long double>(of.getValueAPF().convertToFloat())
                    : static_cast<long double>(of.getValueAPF().convertToDouble());
  };
  const long double power = std::pow(number(base), number(exponent));
  const double value = is_float ? static_cast<double>(static_cast<float>(power)) : static_cast<double>(power);
  return std::isfinite(value) && value != 0 ? ConstantFP::get(base.getType(), value) : nullptr;
}

/// What g++ makes of pow(base, exponent); null: a call.
Value* power_of(IRBuilder<>& build, Value* base, Value* exponent) {
  auto* known = dyn_cast<ConstantFP>(exponent);
  auto* known_base = dyn_cast<ConstantFP>(base);
  Value* one = ConstantFP::get(base->getType(), 1.0);
  if (known_base != nullptr && known_base->isExactlyValue(1.0)) return one;
  if (known == nullptr) return nullptr;
  if (known->isZero()) return one;
  if (known->isExactlyValue(1.0)) return base;
  if (known->isExactlyValue(2.0)) return build.CreateFMul(base, base);
  if (known->isExactlyValue(-1.0)) return build.CreateFDiv(one, base);
  return known_base != nullptr ? rounded_power(*known_base, *known) : nullptr;
}

}  // namespace

void keep_operations(Module& module) {
  SmallVector<IntrinsicInst*, 16> found;
  for (Function& function : module) {
    for (Instruction& at : instructions(function)) {
      if (auto* call = dyn_cast<IntrinsicInst>(&at)) found.push_back(call);
    }
  }
  for (IntrinsicInst* call : found) {
    if (call->getIntrinsicID() == Intrinsic::fmuladd) {
      split_product(*call);
    } else if (call->getIntrinsicID() == Intrinsic::pow) {
      call_pow(*call);
    }
  }
}

void finish_powers(Function& function) {
  SmallVector<CallInst*, 8> calls;
  for (Instruction& at : instructions(function)) {
    const StringRef name = called_name(&at);
    if (name == "pow" || name == "powf") calls.push_back(cast<CallInst>(&at));
  }
  for (CallInst* call : calls) {
    IRBuilder<> build(call);
    Value* power = power_of(build, call->getArgOperand(0), call->getArgOperand(1));
    if (power == nullptr) continue;
    call->replaceAllUsesWith(power);
    call->eraseFromParent();
  }
}

}  // namespace warpfiber::regions
