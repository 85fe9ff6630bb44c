// SPDX-License-Identifier: Apache-2.0
// Names that the pass shares with headers and library.
#include "regions/names.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr const char* kMeeting = "warpfiber.meeting";
constexpr const char* kInLibraries = "_in_process";
constexpr const char* kIndices[] = {"warpfiber.thread.x", "warpfiber.thread.y", "warpfiber.thread.z"};

/// Functions of the C library that depend on their arguments alone, but for errno.
bool is_library_function(StringRef name) {
  static const StringSet<> names{
      "acos",      "acosh",     "asin",  "asinh",     "atan",   "atan2",  "atanh", "cbrt",    "ceil",   "copysign",
      "cos",       "cosh",      "erf",   "erfc",      "exp",    "exp2",   "exp10", "expm1",   "fabs",   "fdim",
      "floor",     "fma",       "fmax",  "fmin",      "fmod",   "frexp",  "hypot", "ilogb",   "ldexp",  "lgamma",
      "llrint",    "llround",   "log",   "log10",     "log1p",  "log2",   "logb",  "lrint",   "lround", "modf",
      "nearbyint", "nextafter", "pow",   "remainder", "remquo", "rint",   "round", "scalbln", "scalbn", "sin",
      "sincos",    "sinh",      "sqrt",  "tan",       "tanh",   "tgamma", "trunc", "j0",      "j1",     "jn",
      "y0",        "y1",        "yn",    "sinpi",     "cospi",  "abs",    "labs",  "llabs",   "memcpy", "memset",
      "memmove",   "memcmp",    "strlen"};
  if (names.contains(name)) return true;
  return name.consume_back("f") && names.contains(name);
}

/// Functions of ours that compute (src/execution/intrinsics, src/libraries/random), and those that say where memory of
/// the block is (src/cuda/abi/device_functions.cpp), as they are declared.
constexpr const char* kOwnFunctions[] = {"cyl_bessel_i0(double)",
                                         "cyl_bessel_i0f(float)",
                                         "cyl_bessel_i1(double)",
                                         "cyl_bessel_i1f(float)",
                                         "erfcinv(double)",
                                         "erfcinvf(float)",
                                         "erfcx(double)",
                                         "erfcxf(float)",
                                         "erfinv(double)",
                                         "erfinvf(float)",
                                         "norm(int, double const*)",
                                         "norm3d(double, double, double)",
                                         "norm3df(float, float, float)",
                                         "norm4d(double, double, double, double)",
                                         "norm4df(float, float, float, float)",
                                         "normcdf(double)",
                                         "normcdff(float)",
                                         "normcdfinv(double)",
                                         "normcdfinvf(float)",
                                         "normf(int, float const*)",
                                         "rcbrt(double)",
                                         "rcbrtf(float)",
                                         "rhypot(double, double)",
                                         "rhypotf(float, float)",
                                         "rnorm(int, double const*)",
                                         "rnorm3d(double, double, double)",
                                         "rnorm3df(float, float, float)",
                                         "rnorm4d(double, double, double, double)",
                                         "rnorm4df(float, float, float, float)",
                                         "rnormf(int, float const*)",
                                         "sincospi(double, double*, double*)",
                                         "sincospif(float, float*, float*)",
                                         "__isShared(void const*)",
                                         "warpfiber::detail::shared_address_elsewhere",
                                         "warpfiber::random::jump_xorwow",
                                         "warpfiber::random::jump_mrg32k3a",
                                         "warpfiber::random::normal_quantile",
                                         "warpfiber::random::poisson_quantile",
                                         "warpfiber::random::poisson_rejection",
                                         "warpfiber::random::proposed_count",
                                         "warpfiber::random::accepts_count"};

bool is_own_function(StringRef name) {
  if (name.substr(0, 2) != "_Z") return false;
  const std::string declared = demangle(name.str());
  StringRef function = StringRef(declared).split('(').first;
  if (is_contained(kOwnFunctions, StringRef(declared)) || is_contained(kOwnFunctions, function)) return true;
  // Arithmetic with a rounding in its name, which is the implementation's.
  const StringRef rounding = function.take_back(3);
  return function.consume_front("__") && (rounding == "_rd" || rounding == "_ru" || rounding == "_rz");
}

}  // namespace

StringRef called_name(const Value* value) {
  const auto* call = dyn_cast_or_null<CallBase>(value);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? StringRef() : callee->getName();
}

MeetingCall meeting_call(const Value* value) {
  StringRef name = called_name(value);
  if (!name.consume_front("warpfiber_regions_")) return MeetingCall::none;
  return StringSwitch<MeetingCall>(name)
      .Case("block_barrier", MeetingCall::block_barrier)
      .Case("block_vote", MeetingCall::block_vote)
      .Case("lane_barrier", MeetingCall::lane_barrier)
      .Cases("shuffle32", "shuffle64", MeetingCall::shuffle)
      .Cases("collect32", "collect64", MeetingCall::collect)
      .Default(MeetingCall::none);
}

unsigned meetings_in(const Loop& loop) {
  unsigned count = 0;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& at : *block) count += meeting_call(&at) != MeetingCall::none ? 1 : 0;
  }
  return count;
}

bool is_look(const Value* value) {
  return called_name(value) == "_ZN9warpfiber6detail12worked_oftenENS_4SiteE";
}

bool asks_other_block(const Value* value) {
  return called_name(value) == "_ZN9warpfiber6detail24shared_pointer_elsewhereEmNS_4SiteE";
}

bool leaves_to_fibers(const BasicBlock& block) {
  const auto* end = dyn_cast<ReturnInst>(block.getTerminator());
  const auto* value = end == nullptr ? nullptr : dyn_cast<ConstantInt>(end->getReturnValue());
  return value != nullptr && !value->isZero();
}

FunctionCallee meeting_marker(Module& module) {
  LLVMContext& context = module.getContext();
  auto* word = Type::getInt32Ty(context);
  FunctionCallee marker = module.getOrInsertFunction(kMeeting, Type::getVoidTy(context), word, word, word);
  auto* function = cast<Function>(marker.getCallee());
  function->setConvergent();
  function->addFnAttr(Attribute::NoDuplicate);
  function->addFnAttr(Attribute::NoMerge);
  function->setDoesNotThrow();
  return marker;
}

bool is_meeting(const Value* value) {
  return called_name(value) == kMeeting;
}

StringRef name_in_thread(const GlobalVariable& variable) {
  StringRef name = variable.getName();
  name.consume_back(kInLibraries);
  return name;
}

GlobalVariable* variable_of_thread(Module& module, StringRef name, Type* type) {
  const bool is_of_library = module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default;
  const std::string symbol = is_of_library ? (name + kInLibraries).str() : name.str();
  if (GlobalVariable* variable = module.getNamedGlobal(symbol)) return variable;
  const auto model = is_of_library ? GlobalValue::GeneralDynamicTLSModel : GlobalValue::InitialExecTLSModel;
  return new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage, nullptr, symbol, nullptr, model);
}

FunctionCallee thread_index(Module& module, unsigned dimension) {
  FunctionCallee index = module.getOrInsertFunction(kIndices[dimension], Type::getInt32Ty(module.getContext()));
  auto* function = cast<Function>(index.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return index;
}

int index_dimension(const Value* value) {
  const StringRef name = called_name(value);
  for (int dimension = 0; dimension < 3; ++dimension) {
    if (name == kIndices[dimension]) return dimension;
  }
  return -1;
}

bool is_plain_call(const CallBase& call) {
  if (isa<IntrinsicInst>(call)) return true;
  if (call.isInlineAsm() || call.getCalledFunction() == nullptr) return false;
  if (call.isConvergent()) return false;
  StringRef name = called_name(&call);
  if (name.consume_front("warpfiber_regions_plain_") || is_library_function(name) || is_own_function(name)) return true;
  return call.doesNotAccessMemory() && call.doesNotThrow();
}

}  // namespace warpfiber::regions
