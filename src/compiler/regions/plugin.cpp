// SPDX-License-Identifier: Apache-2.0
// The plugin for clang++ by which `warpfiber nvcc -fregions` makes functions that run a whole block of threads. Of the
// module it keeps those only. What it did goes to the file WARPFIBER_REGIONS_REPORT, a line each:
//     made <file>:<line> <kernel> <number of regions> <bytes kept for each thread>
//     refused <file>:<line> <kernel>: <reason>
//     needs <symbol>            a symbol that is local to the host compiler's object
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/InferFunctionAttrs.h>

#include <cstdlib>

#include "regions/kernel.hpp"
#include "regions/module.hpp"
#include "regions/uniformity.hpp"

namespace warpfiber::regions {

using namespace llvm;

Kernel::Kernel(llvm::Function& of, llvm::FunctionAnalysisManager& its_analyses)
    : function(of), analyses(its_analyses), context(of.getContext()), module(*of.getParent()) {}

Kernel::~Kernel() = default;

bool Kernel::refuse(const llvm::Twine& why) {
  if (refusal.empty()) refusal = why.str();
  return false;
}

namespace {

// What the translated text says of functions and variables.
constexpr const char* kBlockFunction = "warpfiber_block";
constexpr const char* kConstantVariable = "warpfiber_constant";
constexpr std::uint64_t kMostThreadBytes = 4096;

class Report {
 public:
  Report() {
    const char* path = std::getenv("WARPFIBER_REGIONS_REPORT");
    if (path == nullptr) return;
    std::error_code error;
    stream_ = std::make_unique<raw_fd_ostream>(path, error, sys::fs::OF_Append);
    if (error) stream_.reset();
  }
  void add(const Twine& line) {
    if (stream_ != nullptr) *stream_ << line << "\n";
  }

 private:
  std::unique_ptr<raw_fd_ostream> stream_;
};

template <class Kind>
std::vector<Kind*> annotated(Module& module, const char* annotation) {
  std::vector<Kind*> found;
  GlobalVariable* notes = module.getNamedGlobal("llvm.global.annotations");
  if (notes == nullptr) return found;
  for (Use& note : cast<ConstantArray>(notes->getInitializer())->operands()) {
    auto* fields = cast<ConstantStruct>(note);
    auto* symbol = dyn_cast<Kind>(fields->getOperand(0)->stripPointerCasts());
    auto* text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    if (symbol == nullptr || text == nullptr || symbol->isDeclaration()) continue;
    if (cast<ConstantDataArray>(text->getInitializer())->getAsCString() == annotation) found.push_back(symbol);
  }
  return found;
}

/// Of `warpfiber::cuda::detail::Known<sum(int*)::warpfiber_about, …>::run_block(void const*)` the kernel.
std::string readable_name(const Function& function) {
  const std::string text = demangle(function.getName().str());
  const std::size_t begin = text.find('<') + 1;
  const std::size_t end = text.find("::warpfiber_about");
  return begin == 0 || end == std::string::npos || end < begin ? text : text.substr(begin, end - begin);
}

/// Where the kernel begins: its body is the first function outside of our headers that is called.
std::string place_of(Function& function) {
  std::set<const Function*> seen;
  SmallVector<Function*, 16> work{&function};
  while (!work.empty()) {
    Function* at = work.pop_back_val();
    if (!seen.insert(at).second) continue;
    const DISubprogram* program = at->getSubprogram();
    if (program != nullptr && !program->getFilename().contains("/warpfiber/")) {
      return (program->getFilename() + ":" + Twine(program->getLine())).str();
    }
    for (Instruction& call : instructions(*at)) {
      for (Value* operand : call.operands()) {
        if (auto* callee = dyn_cast<Function>(operand->stripPointerCasts())) work.push_back(callee);
      }
    }
  }
  return "?:0";
}

bool make_block_function(Kernel& kernel) {
  if (!prepare(kernel) || !lower_meetings(kernel)) return false;
  simplify_shared_atomics(kernel);
  if (!find_regions(kernel)) return false;
  find_looks(kernel);
  place_values(kernel);
  if (!make_loops(kernel)) return false;
  if (kernel.thread_bytes > kMostThreadBytes) {
    return kernel.refuse("it needs " + Twine(kernel.thread_bytes) + " bytes for each thread");
  }
  return true;
}

struct RegionsPass : PassInfoMixin<RegionsPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& managers) {
    FunctionAnalysisManager& analyses = managers.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    Report report;
    std::vector<BlockFunction> made;
    std::vector<Function*> keep;
    for (Function& function : module) function.removeFnAttr(Attribute::OptimizeNone);
    keep_operations(module);
    InferFunctionAttrsPass().run(module, managers);  // what functions of the C library do not do
    const std::vector<GlobalVariable*> constants = annotated<GlobalVariable>(module, kConstantVariable);
    for (Function* function : annotated<Function>(module, kBlockFunction)) {
      const std::string place = place_of(*function);
      const std::string name = readable_name(*function);
      Kernel kernel(*function, analyses);
      kernel.constants.insert(constants.begin(), constants.end());
      const bool works = make_block_function(kernel);
      if (!works) {
        report.add("refused " + place + " " + name + ": " + kernel.refusal);
        continue;
      }
      report.add("made " + place + " " + name + " " + Twine(kernel.regions.size()) + " " + Twine(kernel.thread_bytes));
      made.push_back({function, cast<Constant>(kernel.name_text), cast<Constant>(kernel.unit), std::move(kernel.parts),
                      kernel.stack_bytes, kernel.needs_whole_rows});
      keep.push_back(function);
    }
    keep_only(module, keep);
    if (!made.empty()) register_functions(module, made);
    analyses.clear();
    GlobalDCEPass().run(module, managers);
    for (const std::string& symbol : local_symbols_needed(module)) report.add("needs " + symbol);
    return PreservedAnalyses::none();
  }
};

}  // namespace
}  // namespace warpfiber::regions

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "warpfiber-regions", "1", [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager& passes, auto) { passes.addPass(warpfiber::regions::RegionsPass()); });
          }};
}
